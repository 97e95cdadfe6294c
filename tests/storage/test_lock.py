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
def other_holder(state: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lock until it ends."""
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


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    """With the pid of the first."""
    with other_holder(tmp_path) as process:
        for _ in range(2):
            busy = pytest.raises(Busy, match=rf"Process {process.pid} is using")
            with busy, state_lock(tmp_path):
                pass


def test_a_killed_process_releases_the_lock(tmp_path: Path) -> None:
    """Only its pid stays in the file."""
    with other_holder(tmp_path) as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
        with state_lock(tmp_path):
            pass


def test_a_lock_is_released_and_taken_again(tmp_path: Path) -> None:
    """A missing folder is created for its owner only."""
    state = tmp_path / "state"
    for _ in range(2):
        with state_lock(state):
            assert (state / "daemon.lock").read_text() == f"{os.getpid()}\n"
            assert state.stat().st_mode & 0o777 == 0o700


def test_a_read_only_folder_is_to_be_mounted_for_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bug: it was to be given to another user."""

    def refuse(*_: object) -> int:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    with monkeypatch.context() as patched:
        patched.setattr(os, "open", refuse)
        with pytest.raises(ConfigError, match="Mount it for writing"), state_lock(tmp_path):
            pass


def test_an_impossible_folder_is_a_configuration_error(tmp_path: Path) -> None:
    """A state folder under a file is the operator's mistake."""
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match="state folder"), state_lock(tmp_path / "file" / "state"):
        pass


def test_a_full_disk_is_temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The start may be retried, and nothing is locked."""

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(os, "pwrite", full)
        with pytest.raises(Temporary, match="is full"), state_lock(tmp_path):
            pass
    with state_lock(tmp_path):
        pass
