"""One daemon per state folder."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from godaemon.errors import Busy, ConfigError, Temporary
from godaemon.storage.locks import state_lock

HOLD = """
import sys
from pathlib import Path
from godaemon.storage.locks import state_lock
with state_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def another(state: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lock until it is ended."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(state)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "held\n"
            yield process
        finally:
            process.kill()


def test_two_processes(tmp_path: Path) -> None:
    """The second start is refused with the pid of the first."""
    with another(tmp_path) as process:
        for _ in range(2):
            busy = pytest.raises(Busy, match=rf"Process {process.pid} is using")
            with busy, state_lock(tmp_path):
                pass


def test_killed_holder(tmp_path: Path) -> None:
    """A process that is killed leaves no lock behind, only its number in the file."""
    with another(tmp_path) as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
        with state_lock(tmp_path):
            pass


def test_release_and_take_again(tmp_path: Path) -> None:
    """The lock is released at the end of its block."""
    for _ in range(2):
        with state_lock(tmp_path):
            assert (tmp_path / "daemon.lock").read_text() == f"{os.getpid()}\n"


def test_nobody_was_ever_here(tmp_path: Path) -> None:
    """A folder that is not there is made for the one who takes its lock."""
    state = tmp_path / "state"
    with state_lock(state):
        assert state.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    """A state folder under a file is the operator's mistake."""
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match="state folder"), state_lock(tmp_path / "file" / "state"):
        pass


def test_a_full_disk_is_no_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said that it is full; the start may be tried again, and nothing is held."""

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(os, "pwrite", full)
        with pytest.raises(Temporary, match="is full"), state_lock(tmp_path):
            pass
    with state_lock(tmp_path):
        pass
