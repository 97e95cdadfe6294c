"""The promises of tests/conftest.py."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import conftest
from tests.support import fork_server
from tests.support.daemon import LiveDaemon
from tests.support.places import ROOT
from tests.support.waiting import until


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder of a short name, as the path of a socket may have 107 bytes."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        yield Path(name, "t")


def pytest_on(test: str, folder: Path) -> list[str]:
    return [sys.executable, "-m", "pytest", "-q", "-n0", f"--basetemp={folder}", test]


OURS = {**os.environ, "PYTEST_ADDOPTS": ""}
"""Settings for these tests do not apply to the pytest that they start."""


def accepts_connections(path: Path) -> bool:
    """True if a process listens on a Unix socket."""
    with socket.socket(socket.AF_UNIX) as line, contextlib.suppress(OSError):
        line.connect(str(path))
        return True
    return False


@pytest.mark.slow
def test_killed_tests_leave_no_daemon(folder: Path) -> None:
    """It ends with the tests that started it."""
    game = "test_black_plays_by_mail_and_white_by_gtp"
    tests = subprocess.Popen(
        pytest_on(f"tests/wire/test_game_by_mail_and_gtp.py::{game}", folder), cwd=ROOT, env=OURS
    )
    try:
        until(
            lambda: any(map(accepts_connections, folder.glob("test_*0/control.sock"))),
            "a daemon is there",
        )
    finally:
        tests.kill()
        tests.wait()
    [control] = folder.glob("test_*0/control.sock")
    until(lambda: not accepts_connections(control), "it has gone")


@pytest.mark.parametrize("required", ["", "1"])
def test_skips_fail_if_peers_are_required(required: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else nobody would notice that CI no longer runs a test."""
    monkeypatch.setenv("GODAEMON_REQUIRE_PEERS", required)
    report = pytest.TestReport("t", ("t.py", 1, "t"), {}, "skipped", ("t.py", 1, "no"), "setup")
    hook = conftest.pytest_runtest_makereport()
    next(hook)
    with pytest.raises(StopIteration) as end:
        hook.send(report)
    assert end.value.value.outcome == ("failed" if required else "skipped")


def test_a_forked_command_is_an_ordinary_process(folder: Path) -> None:
    """With its own exit status and output; signals end it."""
    done = fork_server.run(["show", "1", "--config", str(folder)], check=False)
    assert (done.returncode, done.stdout) == (78, "")
    assert str(folder) in done.stderr
    assert fork_server.run(["--version"]).stdout.startswith("godaemon ")
    with pytest.raises(subprocess.CalledProcessError):
        fork_server.run(["--no-such-option"])
    folder.mkdir()
    live = LiveDaemon(folder)
    live.start()
    os.kill(live.pid, signal.SIGKILL)
    until(lambda: live.ended, "it has ended")
    assert live.status == -signal.SIGKILL
