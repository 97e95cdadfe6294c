"""A database's complaints as errors for the caller: wait, give up, or a bug of ours.

Result codes: https://sqlite.org/rescode.html; PostgreSQL 15, appendix A.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from godaemon.errors import GodaemonError, StoreDamaged, Temporary

READ_ONLY = "it may not be written to"
_PASSING = {
    sqlite3.SQLITE_BUSY: "another program is writing to it",
    sqlite3.SQLITE_LOCKED: "another program is writing to it",
    sqlite3.SQLITE_PROTOCOL: "another program is writing to it",
    sqlite3.SQLITE_NOMEM: "there is not enough memory",
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_INTERRUPT: "the work was interrupted",
    sqlite3.SQLITE_IOERR: "its disk reported an error, or is full",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_CANTOPEN: "its file cannot be opened",
}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_CROSSED = {
    "40001",  # serialization_failure
    "40P01",  # deadlock_detected
    "23505",  # unique_violation: the same row was put there, and was not to be seen yet
    "55P03",  # lock_not_available: another is changing it
    "25P02",  # in_failed_sql_transaction: one of these was taken for what may be passed over
}
_READ_ONLY = "25006"
"""read_only_sql_transaction: of a standby, or of a server that was told to take no changes."""


def crossed(fault: BaseException | None) -> bool:
    """True where the same work may well do once more: another daemon's came between."""
    while fault is not None:
        cause = fault.orig if isinstance(fault, DBAPIError) else fault
        if getattr(cause, "sqlstate", None) in _CROSSED:
            return True
        fault = fault.__cause__
    return False


def lost(fault: BaseException) -> bool:
    """True where the connection has gone; another may be had at once."""
    cause = fault.__cause__ if isinstance(fault, GodaemonError) else fault
    return isinstance(cause, DBAPIError) and cause.connection_invalidated


def trouble(fault: BaseException) -> GodaemonError | None:
    """A new error for trouble with the database itself; None for anything else (a bug of ours)."""
    cause = fault.orig if isinstance(fault, DBAPIError) else fault
    if isinstance(cause, sqlite3.Error):
        return _of_code(getattr(cause, "sqlite_errorcode", 0) & 0xFF, str(cause))
    if crossed(fault):
        return not_stored("another godaemon was quicker, again and again", str(cause))
    if getattr(cause, "sqlstate", None) == _READ_ONLY:
        return not_stored(READ_ONLY, str(cause))
    if lost(fault) or isinstance(fault, OperationalError | InterfaceError):
        return not_stored("its server does not answer, or does not let us in", str(cause))
    return None


@contextmanager
def explained() -> Iterator[None]:
    """Raise what a database complains of as `trouble` has it; a bug of ours as it is."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as fault:
        raise (trouble(fault) or fault) from fault


def _of_code(primary: int, detail: str) -> GodaemonError | None:
    """The error for a primary result code of SQLite (0 is none)."""
    if primary in _DAMAGED:
        return StoreDamaged(
            "The store is damaged; `godaemon restore` brings a backup back.", detail=detail
        )
    if primary in _PASSING:
        return not_stored(_PASSING[primary], detail)
    return None


def not_stored(why: str, detail: str) -> Temporary:
    """Nothing was stored, and it may work later."""
    return Temporary(
        f"The store cannot be used just now: {why}. Nothing was changed; please try again later.",
        detail=detail,
    )
