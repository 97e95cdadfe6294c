"""Locks of a daemon: on its state folder, and on the tables of a server's database.

The kernel or the server releases them when the daemon ends, even if it crashes. The lock file also
contains the process id. A server's lock is a shared advisory lock: while anybody holds it, nobody
migrates the tables. A SQLite store needs only the lock on its folder.

Raises `Busy`; `ConfigError` for a folder that we cannot write to or tables of another revision;
`Temporary` for a full disk or a server that does not answer.
"""

import errno
import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from godaemon.errors import Busy, ConfigError, GodaemonError, Temporary
from godaemon.storage.connections import read_url, session, sqlite_path
from godaemon.storage.migrations import MIGRATED_ELSEWHERE, PRESENT, require_current, take_lock
from godaemon.system.durable_files import give_to_owner

LOCK_FILE = "daemon.lock"


@contextmanager
def state_lock(state: Path) -> Iterator[None]:
    """Hold the lock on a state folder; raises `Busy` at once if another process holds it.

    The file stays, because another process may have locked it before we could remove it.
    """
    handle = _open_lock_file(state)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as fault:
            pid = os.pread(handle, 32, 0).strip()
            who = f"Process {int(pid)}" if pid.isdigit() else "Another process"
            raise Busy(
                f"{who} is using {state}. Only one godaemon can use it at a time: stop that one."
            ) from fault
        try:
            os.ftruncate(handle, 0)
            os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        except OSError as fault:
            raise unwritable_error(state, fault) from fault
        yield
    finally:
        os.close(handle)


def _open_lock_file(state: Path) -> int:
    try:
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(state / LOCK_FILE, os.O_CREAT | os.O_RDWR, 0o600)
        give_to_owner(handle, state)
    except OSError as fault:
        raise unwritable_error(state, fault) from fault
    return handle


def unwritable_error(state: Path, fault: OSError) -> GodaemonError:
    """The error for a state folder that cannot be created or written to."""
    if fault.errno in {errno.ENOSPC, errno.EDQUOT}:
        return Temporary(f"The disk with {state} is full: make room there.", detail=str(fault))
    is_read_only = fault.errno == errno.EROFS
    do = "Mount it for writing" if is_read_only else "Give it to the user who runs godaemon"
    return ConfigError(
        f"The state folder {state} cannot be written to: {fault.strerror}. {do}, or name another"
        " (state_directory).",
        detail=str(fault),
    )


_PRESENT = {"high": PRESENT >> 32, "low": PRESENT & 0xFFFFFFFF}
_WAITS = sa.text(
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND NOT granted"
    " AND mode = 'ExclusiveLock' AND classid = :high AND objid = :low AND database ="
    " (SELECT oid FROM pg_database WHERE datname = current_database())"
)
_TRIES = 10


def share_tables(connection: Connection) -> None:
    """Let nobody migrate the tables until a connection ends; raises `Busy`, `ConfigError`."""
    take_lock(connection, PRESENT, MIGRATED_ELSEWHERE, shared=True)
    require_current(connection)


def migration_waits(connection: Connection) -> bool:
    """Wait a second at most for a program that wants to migrate; returns whether there is one."""
    for _ in range(_TRIES):
        if connection.scalar(_WAITS, _PRESENT):
            return True
        time.sleep(0.1)  # the program asks daemons to leave before it waits for the lock
    return False


def keep_daemons_off(connection: Connection) -> None:
    """Let no daemon start until a connection ends; raises `Busy` if one uses the database.

    Raises `ConfigError` for tables of another revision.
    """
    require_current(connection)
    if not connection.exec_driver_sql(f"SELECT pg_try_advisory_lock({PRESENT})").scalar():
        raise Busy("A godaemon is using the database. Stop all of them first.")


@contextmanager
def server_lock(url: str, take: Callable[[Connection], None]) -> Iterator[None]:
    """Hold a server's lock in the body; a SQLite store has the lock on its state folder.

    `take` is `share_tables` or `keep_daemons_off`.
    """
    if sqlite_path(place := read_url(url)) is not None:
        yield
        return
    with session(place) as server:
        # The server ends a session with a long transaction, and then the lock is lost.
        server.execution_options(isolation_level="AUTOCOMMIT")
        take(server)
        yield
