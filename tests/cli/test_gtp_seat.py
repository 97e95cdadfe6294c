"""`godaemon gtp` at a seat starts fast, and rejects wrong arguments."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from godaemon.cli import gtp
from godaemon.cli.exit_statuses import EXIT_UNAVAILABLE, EXIT_USAGE
from gtp.client import relay
from gtp.client.connect import Tcp, Unix
from gtp.client.syntax import ByKey, BySeat
from tests.cli.test_gtp import PROGRAM, ROOT, nobody_asks
from tests.support.daemon import free_port

KEY = "1-b-aaaaaaaaaaaaaaaaaaaaaaaa"
__all__ = ["nobody_asks"]


@pytest.fixture
def sat(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, object]]:
    """Where somebody sat down, and how."""
    found: list[tuple[object, object]] = []

    def run(address: Tcp | Unix, greeting: ByKey | BySeat, *_: object) -> int:
        found.append((address, greeting))
        return 0

    monkeypatch.setattr(relay, "run", run)
    monkeypatch.delenv("GODAEMON_KEY", raising=False)
    return found


@pytest.mark.parametrize(
    ("words", "address"),
    [
        ("--connect go.example:7000", Tcp("go.example", 7000, tls=True)),
        ("--connect=go.example:7000 --no-tls", Tcp("go.example", 7000, tls=False)),
        ("--connect 127.0.0.1:7000", Tcp("127.0.0.1", 7000, tls=False)),
        ("--connect [::1]:7000 --tls", Tcp("::1", 7000, tls=True)),
        ("--connect localhost:7000", Tcp("localhost", 7000, tls=False)),
    ],
)
def test_elsewhere(sat: list[tuple[object, object]], words: str, address: Tcp) -> None:
    """TLS is the default except for this machine."""
    assert gtp.main([*words.split(), "--key", KEY]) == 0
    assert sat == [(address, ByKey(KEY))]


def test_keys(
    sat: list[tuple[object, object]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a file or the environment as well."""
    file = tmp_path / "key"
    file.write_text(KEY + "\n")
    assert gtp.main(["--connect", "h:1", "--key-file", str(file)]) == 0
    monkeypatch.setenv("GODAEMON_KEY", KEY)
    assert gtp.main(["--connect", "h:1"]) == 0
    assert [greeting for _, greeting in sat] == [ByKey(KEY)] * 2


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("--help", 0),
        *((words, EXIT_USAGE) for words in ("--connect", "--tls=yes", "--game 0 --as black", "x")),
        *((words, EXIT_USAGE) for words in ("--game 1 --as green", "--game x --as black")),
        *((words, EXIT_USAGE) for words in ("--connect h:1", "--connect h --key k")),
        *((words, EXIT_USAGE) for words in ("--connect h:0 --key k", "--game 1")),
        ("--connect h:1 --key k --key-file f", EXIT_USAGE),
        ("--connect h:1 --key k --game 1 --as black", EXIT_USAGE),
        ("--connect h:1 --key k --ca /no/file", EXIT_USAGE),
        ("--connect h:1 --key-file /no/file", EXIT_USAGE),
        ("--game 1 --as black --board 1", EXIT_USAGE),
        ("--game 1 --as black --config /dev/null", EXIT_UNAVAILABLE),
    ],
)
def test_what_is_not_plain(
    sat: list[tuple[object, object]],
    words: str,
    status: int,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Nobody sits down, and the exit status says what kind of mistake it was."""
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    assert gtp.main(words.split()) == status
    assert sat == []


@pytest.mark.parametrize(
    ("words", "address"),
    [
        ("--connect h:1 --connect h:2", Tcp("h", 2, tls=True)),
        ("--connect h:1 --tls --no-tls", Tcp("h", 1, tls=False)),
        ("--connect h:1 --tls --no-tls --tls", Tcp("h", 1, tls=True)),
    ],
)
def test_duplicate_arguments(sat: list[tuple[object, object]], words: str, address: Tcp) -> None:
    """The last of them counts."""
    assert gtp.main([*words.split(), "--key", KEY]) == 0
    assert sat == [(address, ByKey(KEY))]


def test_nothing_heavy_is_loaded() -> None:
    """Neither the command line's library nor an event loop."""
    words = ["--connect", f"127.0.0.1:{free_port()}", "--key", KEY]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "gtp", *words],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        input="name\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert "cannot be reached" in done.stdout
    assert "loaded: []" in done.stderr
