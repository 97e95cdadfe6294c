"""`godaemon gtp` starts fast, at a free board and at a seat, and refuses wrong options."""

import io
import os
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from godaemon.cli import EXIT_UNAVAILABLE, EXIT_USAGE, gtp
from godaemon.errors import ConfigError
from gtp.client import relay
from gtp.client.connect import Tcp
from gtp.client.syntax import KeyGreeting, SeatGreeting
from tests.support import places
from tests.support.daemon import free_port
from tests.support.waiting import PATIENCE

ROOT = places.ROOT
HEAVY = ("argparse", "pydantic", "sqlmodel", "structlog", "asyncio", "godaemon.engine", "sgfmill")
PROGRAM = f"""
import sys
from godaemon.cli import main
sys.argv[0] = "godaemon"
try:
    main()
finally:
    print("loaded:", [name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)
"""
KEY = "1-b-aaaaaaaaaaaaaaaaaaaaaaaa"


@pytest.fixture(autouse=True)
def empty_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """No program sends commands."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration whose daemon does not run."""
    config = tmp_path / "godaemon.toml"
    config.write_text(f'state_directory = "{tmp_path}"\n')
    monkeypatch.setenv("GODAEMON_CONFIG", str(config))
    for name in ("STATE_DIRECTORY", "RUNTIME_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


PATHS = [str(ROOT), *(path for path in sys.path if path.endswith("site-packages"))]
TALK = "gogui-title\nboardsize 9\nplay b E5\nquit\n"


def run_gtp(*words: str) -> subprocess.CompletedProcess[str]:
    """`godaemon gtp` with some commands, patient; the first asks for its title."""
    patient = f"from gtp.board import kept_board; kept_board.PATIENCE = {PATIENCE}"
    program = f"import sys; sys.path[:0] = {PATHS}\n{patient}\n{PROGRAM}"
    command = [sys.executable, "-I", "-S", "-c", program]
    command += ["gtp", *words]
    return subprocess.run(command, input=TALK, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("words", "level"), [((), 3), (("--level=10",), 10)])
def test_a_free_board_loads_no_heavy_library(
    state: Path, words: tuple[str, ...], level: int
) -> None:
    """Size and moves are answered before the engine is loaded."""
    done = run_gtp(*words)
    assert done.stdout == f"= godaemon, level {level}\n\n= \n\n= \n\n= \n\n"
    assert done.stderr == "loaded: []\n"
    assert done.returncode == 0


def test_a_free_board_asks_a_running_daemon(state: Path) -> None:
    """For the engine's name, and to save the board, unless a level is given."""
    with socket.socket(socket.AF_UNIX) as door, ThreadPoolExecutor() as pool:
        door.bind(str(state / "gtp.sock"))
        door.listen()

        def daemon() -> list[bytes]:
            """Let somebody look whether we are here, and answer two requests."""
            door.accept()[0].close()
            requests = []
            for answer in (b"= gnugo \n\n", b"= 1\n\n"):
                link = door.accept()[0]
                with link:
                    requests.append(link.recv(4096))
                    link.sendall(answer)
            return requests

        received = pool.submit(daemon)
        done = run_gtp()
        assert done.stdout == "= gnugo\n\n" + "= \n\n" * 3
        first, second = received.result(PATIENCE)
        assert first == b"godaemon-board 0\n"
        assert second.startswith(b"godaemon-save 0 ")
        assert run_gtp("--level", "4").stdout.startswith("= godaemon, level 4\n")


@pytest.mark.parametrize("text", ["[gtp\n", "[gtp]\nsocket = 7\n", "gtp = 3\n"])
def test_a_wrong_configuration_is_refused(state: Path, text: str) -> None:
    """What the quick reader does not understand is loaded and reported as a whole."""
    (state / "godaemon.toml").write_text(text)
    with pytest.raises(ConfigError):
        gtp.main([])


@pytest.mark.parametrize(
    ("words", "status", "reason"),
    [
        ("--game 1", EXIT_USAGE, "--game N and --as black|white go together."),
        ("--game 1 --as black", EXIT_UNAVAILABLE, "no daemon runs here"),
        ("--board 7", EXIT_UNAVAILABLE, "no daemon runs here"),
    ],
)
def test_a_program_gets_the_reason_for_a_refusal(
    state: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    words: str,
    status: int,
    reason: str,
) -> None:
    """In answer to its first command, because a GUI may not show standard error."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"7 name\nquit\n")))
    assert gtp.main(words.split()) == status
    out, err = capfd.readouterr()
    assert out.startswith(f"?7 {reason}")
    assert reason in err


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, object]]:
    """The addresses and greetings of seats that were opened."""
    found: list[tuple[object, object]] = []

    def run(address: Tcp | str, greeting: KeyGreeting | SeatGreeting, *_: object) -> int:
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
        ("--connect h:1 --connect h:2", Tcp("h", 2, tls=True)),
        ("--connect h:1 --tls --no-tls --tls", Tcp("h", 1, tls=True)),
    ],
)
def test_tls_is_the_default_except_to_this_machine(
    opened: list[tuple[object, object]], words: str, address: Tcp
) -> None:
    """And can be chosen; the last of several options counts."""
    assert gtp.main([*words.split(), "--key", KEY]) == 0
    assert opened == [(address, KeyGreeting(KEY))]


def test_the_key_comes_from_a_file_or_the_environment(
    opened: list[tuple[object, object]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not only from the command line, which other users can see."""
    file = tmp_path / "key"
    file.write_text(KEY + "\n")
    assert gtp.main(["--connect", "h:1", "--key-file", str(file)]) == 0
    monkeypatch.setenv("GODAEMON_KEY", KEY)
    assert gtp.main(["--connect", "h:1"]) == 0
    assert [greeting for _, greeting in opened] == [KeyGreeting(KEY)] * 2


def test_a_seat_loads_no_heavy_library() -> None:
    """Neither the command line's nor an event loop."""
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
