"""Locks of a daemon: on its state folder, and on the tables of a server's database.

The kernel or the server releases them when the daemon ends, even if it crashes. The lock file also
says which process holds it. A server's lock is a shared advisory lock: while anybody holds it, the
tables are not migrated. A SQLite store needs only the lock on its folder.

Raises `Busy`; `ConfigError` for a folder that is not ours or tables of another revision;
`Temporary` for a full disk or a server that does not answer.
"""

from __future__ import annotations

import errno
import fcntl
import os
import threading
import time
from pathlib import Path
from typing import Self

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from godaemon.errors import Busy, ConfigError, GodaemonError, Temporary
from godaemon.storage.connections import connect, explained, read_url
from godaemon.storage.database import CHANNEL, PRESENT, lock, require_current
from godaemon.system.durable_files import hand_over

LOCK_FILE = "daemon.lock"


class StateLock:
    """The lock of a state folder: only its holder writes there, until `release`."""

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
        """Release the lock. The file stays, because another process may already have locked it."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def holder(state: Path) -> int | None:
    try:
        handle = os.open(state / LOCK_FILE, os.O_RDONLY)
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
        handle = os.open(state / LOCK_FILE, os.O_CREAT | os.O_RDWR, 0o600)
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


_CHANGING = "Another godaemon is changing the tables of the database."
_HELD = sa.text(
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
)
_PRESENT = {"high": PRESENT >> 32, "low": PRESENT & 0xFFFFFFFF}
_WANTED = sa.text(
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND NOT granted"
    " AND mode = 'ExclusiveLock' AND classid = :high AND objid = :low AND database ="
    " (SELECT oid FROM pg_database WHERE datname = current_database())"
)
_LOOKS = 10


class ServerLock:
    """The right to work on a server's database; held until `release`.

    `connection` holds it, and listens to other daemons on `CHANNEL`; None for SQLite. Thread-safe:
    a `release` during a `hold` waits for it, and then releases the new lock.
    """

    def __init__(self, url: str) -> None:
        """Take the lock at once."""
        place = read_url(url)
        self._engine = None if place.get_backend_name() == "sqlite" else connect(place)
        self.on_server = self._engine is not None
        self.connection: Connection | None = None
        self._gate = threading.Lock()
        self.hold()

    def hold(self) -> bool:
        """Take the lock again if its connection was lost; returns whether it was."""
        with self._gate, explained():
            if self._engine is None or self._held():
                return False
            self._take(self._engine)
            return True

    def wanted(self) -> bool:
        """Whether a program waits for all daemons to leave, to change the tables."""
        with self._gate:
            for _ in range(_LOOKS):
                if self.connection is not None and self.connection.scalar(_WANTED, _PRESENT):
                    return True
                time.sleep(0.1)  # a program asks daemons to leave before it waits for the lock
        return False

    def _held(self) -> bool:
        try:
            return self.connection is not None and bool(self.connection.scalar(_HELD))
        except DBAPIError:
            return False

    def _take(self, engine: sa.Engine) -> None:
        self._let_go()
        self.connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        try:
            self.connection.exec_driver_sql(f"LISTEN {CHANNEL}")
            lock(self.connection, PRESENT, _CHANGING, shared=True)
            require_current(self.connection)
        except BaseException:
            self._let_go()
            raise

    def _let_go(self) -> None:
        if self.connection is not None:
            self.connection.invalidate()
            self.connection.close()
            self.connection = None

    def release(self) -> None:
        with self._gate:
            self._let_go()
            if self._engine is not None:
                self._engine.dispose()
            self._engine = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()
