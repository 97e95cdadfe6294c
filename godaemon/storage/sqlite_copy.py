"""A whole copy of a SQLite database, taken while others read and write it.

Never a copy of the files of a live database: SQLite's own backup reads one moment of it, page by
page, in a transaction that keeps nobody from writing. What is copied goes to the disk at once, and
as long as that took the disk is left to others: a file that is synced at its end would have every
COMMIT wait for all of it. The copy gets its name only once it is complete, checked and on the disk.
Raises `Temporary` or `Corrupt`.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from godaemon.errors import Corrupt, GodaemonError, Temporary
from godaemon.storage.database_errors import trouble
from godaemon.system.durable_files import sync

AT_ONCE = 512
"""So many pages are copied, two megabytes, before they go to the disk."""


def copy_database(database: Path, copy: Path) -> None:
    """Copy a database to `copy` (mode 0600), replacing a file of that name only at the end."""
    rough = copy.with_name(copy.name + ".partial")
    rough.unlink(missing_ok=True)
    try:
        copy_whole(database, rough)
        check(rough)
        sync(rough)
        rough.replace(copy)
    finally:
        rough.unlink(missing_ok=True)
    sync(copy.parent)


def copy_whole(database: Path, copy: Path) -> None:
    """Copy one moment of a database to a file, unchecked."""
    try:
        copy_pages(database, copy)
    except sqlite3.Error as fault:
        error = trouble(fault)
        if error is None and not isinstance(fault, sqlite3.IntegrityError):
            raise
        # Rows that no table would take are of a damaged one.
        raise error or Corrupt(f"{database} is not a whole store.", detail=str(fault)) from fault


def copy_pages(database: Path, copy: Path) -> None:
    """Copy one moment of a database as it is, whatever is in it, to an empty file."""
    os.close(os.open(copy, os.O_CREAT | os.O_WRONLY, 0o600))
    with (
        closing(sqlite3.connect(database, timeout=5.0, isolation_level=None)) as source,
        closing(sqlite3.connect(copy, isolation_level=None)) as to,
        copy.open("rb") as written,
    ):
        to.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF")
        # Without a transaction of ours it would begin again whenever another has written.
        source.execute("BEGIN")
        source.execute("PRAGMA schema_version").fetchone()
        began = time.monotonic()

        def _rest(*_: int) -> None:
            nonlocal began
            os.fdatasync(written.fileno())
            time.sleep(time.monotonic() - began)
            began = time.monotonic()

        source.backup(to, pages=AT_ONCE, progress=_rest)


def check(database: Path) -> None:
    """Hold a database file, which nobody else uses, to be whole; raises `Corrupt`."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        try:
            # A copy travels as one file, without a log beside it.
            connection.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.DatabaseError as fault:
            raise fault_of(database, fault) from fault
        _check(connection, database)


def look(database: Path) -> None:
    """Hold a database file, which a daemon may be using, to be whole.

    Raises `Corrupt`, and `Temporary` where it cannot be read now.
    """
    try:
        opened = sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)
    except sqlite3.Error as fault:
        raise fault_of(database, fault) from fault
    with closing(opened) as connection:
        _check(connection, database)


def _check(connection: sqlite3.Connection, database: Path) -> None:
    try:
        found = connection.execute("PRAGMA integrity_check").fetchone()[0]
        orphans = connection.execute("PRAGMA foreign_key_check").fetchall()
    except sqlite3.DatabaseError as fault:
        raise fault_of(database, fault) from fault
    if found != "ok" or orphans:
        raise Corrupt(f"{database} is not a whole store.", detail=f"{found}; {orphans!r}")


def fault_of(
    database: Path, fault: sqlite3.Error, words: str = "is not a whole store."
) -> GodaemonError:
    """The error for a database that cannot be read or copied: damage, or no room for it."""
    error = trouble(fault)
    if isinstance(error, Temporary):
        return error
    return Corrupt(f"{database} {words}", detail=str(fault))
