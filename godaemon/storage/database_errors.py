"""A database's complaints as errors for the caller: wait, give up, or a bug of ours. Pure.

Result codes: https://sqlite.org/rescode.html.
"""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from godaemon.errors import Corrupt, GodaemonError, Temporary

_PASSING = {
    sqlite3.SQLITE_BUSY: "another program is writing to it",
    sqlite3.SQLITE_LOCKED: "another program is writing to it",
    sqlite3.SQLITE_PROTOCOL: "another program is writing to it",
    sqlite3.SQLITE_NOMEM: "there is not enough memory",
    sqlite3.SQLITE_READONLY: "it may not be written to",
    sqlite3.SQLITE_INTERRUPT: "the work was interrupted",
    sqlite3.SQLITE_IOERR: "its disk reported an error, or is full",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_CANTOPEN: "its file cannot be opened",
}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def trouble(fault: BaseException) -> GodaemonError | None:
    """A new error for trouble with the database itself; None for anything else (a bug of ours)."""
    cause = fault.orig if isinstance(fault, DBAPIError) else fault
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", None)
        return None if code is None else of_code(code & 0xFF, str(cause))
    if isinstance(fault, DBAPIError) and fault.connection_invalidated:
        return unreachable(str(cause))
    if isinstance(fault, OperationalError | InterfaceError):
        return unreachable(str(cause))
    return None


def of_code(primary: int, detail: str) -> GodaemonError | None:
    """The error for a primary result code of SQLite."""
    if primary in _DAMAGED:
        return Corrupt(
            "The store is damaged; `godaemon restore` brings a backup back.", detail=detail
        )
    if primary in _PASSING:
        return not_stored(_PASSING[primary], detail)
    return None


def unreachable(detail: str) -> Temporary:
    """The database server is not there."""
    return not_stored("its server does not answer", detail)


def not_stored(why: str, detail: str) -> Temporary:
    """Nothing was stored, and it may work later."""
    return Temporary(
        f"The store cannot be used just now: {why}. Nothing was changed; please try again later.",
        detail=detail,
    )
