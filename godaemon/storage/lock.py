"""One daemon for each state folder: a lock on a file that also says who holds it.

The kernel lets go of the lock when its holder dies, however it dies, so there is never a stale one
to clear away. Raises `Busy`, `ConfigError` for a folder that is not ours, or
`Temporary` for a full disk.
"""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path
from typing import Self

from godaemon.errors import Busy, ConfigError, GodaemonError, Temporary
from godaemon.system.file_ownership import hand_over

FILE = "daemon.lock"


class StateLock:
    """The right to be the only one that writes in a state folder; held until `release`."""

    def __init__(self, state: Path) -> None:
        """Take the lock at once; raises `Busy` with the holder's process number in its sentence."""
        self._handle = _open(state)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as fault:
            pid = _pid(self._handle)
            self.release()
            who = "Another process" if pid is None else f"Process {pid}"
            raise Busy(
                f"{who} is using {state}. Only one godaemon at a time can: stop that one."
            ) from fault
        try:
            os.ftruncate(self._handle, 0)
            os.pwrite(self._handle, f"{os.getpid()}\n".encode(), 0)
        except OSError as fault:
            self.release()
            raise _unwritable(state, fault) from fault

    def release(self) -> None:
        """Let go. The file stays: removing it could take another's lock away."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def holder(state: Path) -> int | None:
    """The process that has the folder's lock; None where nobody has (0 if it cannot be told)."""
    try:
        handle = os.open(state / FILE, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _pid(handle) or 0
    finally:
        os.close(handle)
    return None


def _open(state: Path) -> int:
    try:
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(state / FILE, os.O_CREAT | os.O_RDWR, 0o600)
        hand_over(handle, state)
    except OSError as fault:
        raise _unwritable(state, fault) from fault
    return handle


def _unwritable(state: Path, fault: OSError) -> GodaemonError:
    if fault.errno in {errno.ENOSPC, errno.EDQUOT}:
        return Temporary(f"The disk with {state} is full: make room there.", detail=str(fault))
    return ConfigError(
        f"The state folder {state} cannot be written to: {fault.strerror}. Give it to the user who"
        " runs godaemon, or name another (state_directory).",
        detail=str(fault),
    )


def _pid(handle: int) -> int | None:
    written = os.pread(handle, 32, 0).strip()
    return int(written) if written.isdigit() else None
