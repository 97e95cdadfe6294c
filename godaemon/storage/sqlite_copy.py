"""Copies SQLite databases that are in use, checks them, and salvages damaged ones.

SQLite's backup API copies a snapshot of the database, page by page, and blocks no writer. After
some pages the copy is flushed to the disk, followed by a pause of the same length: one fsync at the
end would delay every COMMIT for as long as the whole file takes. Raises `Temporary` or `Corrupt`.

`salvage` copies a damaged database row by row. Rows on broken pages are lost; indexes are rebuilt,
and rows that refer to a lost row are deleted. A game whose row is lost is set aside.
"""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from godaemon.errors import Corrupt, Temporary
from godaemon.storage.connections import database_error
from godaemon.system.durable_files import sync

COPY_BATCH = 512
"""Pages (two megabytes) that are copied before they are flushed to the disk."""
_MAX_UNREADABLE = 20_000
"""The number of unreadable ranges of rows after which salvage gives up."""
_MAX_ROWID = 2**40
"""An upper bound of all rowids."""
_MAX_GAPS = 1_000
"""Maximum number of missing games; beyond that the counter of games is itself damaged."""
_NOT_WHOLE = "is damaged or incomplete."
_TOO_DAMAGED = (
    "is too damaged to be copied. Stop the daemon, then restore the last backup that is whole:"
    " `godaemon restore BACKUP --move-aside`."
)


def copy_database(database: Path, copy: Path) -> None:
    """Copy and check a database; `copy` (mode 0600) is replaced only at the end."""
    rough = copy.with_name(copy.name + ".partial")
    rough.unlink(missing_ok=True)
    try:
        copy_whole(database, rough)
        check_file(rough)
        sync(rough)
        rough.replace(copy)
    finally:
        rough.unlink(missing_ok=True)
    sync(copy.parent)


def copy_whole(database: Path, copy: Path) -> None:
    """Copy a snapshot of a database to a file, without a check."""
    with _file_errors(database):
        copy_pages(database, copy)


def copy_pages(database: Path, copy: Path) -> None:
    """Copy a snapshot of a database, damaged or not, to an empty file; raises SQLite's errors."""
    os.close(os.open(copy, os.O_CREAT | os.O_WRONLY, 0o600))
    with (
        closing(sqlite3.connect(database, timeout=5.0, isolation_level=None)) as source,
        closing(sqlite3.connect(copy, isolation_level=None)) as to,
        copy.open("rb") as written,
    ):
        to.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF")
        # Without an open transaction, SQLite would restart the backup after each write by others.
        source.execute("BEGIN")
        source.execute("PRAGMA schema_version").fetchone()
        began = time.monotonic()

        def _sync_and_wait(*_: int) -> None:
            nonlocal began
            os.fdatasync(written.fileno())
            time.sleep(time.monotonic() - began)
            began = time.monotonic()

        source.backup(to, pages=COPY_BATCH, progress=_sync_and_wait)


@contextmanager
def open_alone(database: Path) -> Iterator[Connection]:
    """A connection to a SQLite file that nobody else uses, without a write-ahead log."""
    engine = sa.create_engine(
        "sqlite://", creator=partial(sqlite3.connect, database), poolclass=sa.NullPool
    )
    with engine.connect() as connection:
        yield connection


def check_file(database: Path) -> None:
    """Raise `Corrupt` unless a database file, which nobody else uses, is whole."""
    with _file_errors(database), closing(sqlite3.connect(database, isolation_level=None)) as link:
        # Without a write-ahead log, so that the copy is one file.
        link.execute("PRAGMA journal_mode=DELETE")
        _check_integrity(link, database)


def check_live_file(database: Path) -> None:
    """Check a database file that a daemon may be using.

    Raises `Corrupt` if it is damaged, and `Temporary` if it cannot be read now.
    """
    place = f"{database.as_uri()}?mode=ro"
    with _file_errors(database), closing(sqlite3.connect(place, uri=True)) as link:
        _check_integrity(link, database)


def _check_integrity(link: sqlite3.Connection, database: Path) -> None:
    found = link.execute("PRAGMA integrity_check").fetchone()[0]
    orphans = link.execute("PRAGMA foreign_key_check").fetchall()
    if found != "ok" or orphans:
        raise Corrupt(f"{database} {_NOT_WHOLE}", detail=f"{found}; {orphans!r}")


@contextmanager
def _file_errors(database: Path, sentence: str = _NOT_WHOLE) -> Iterator[None]:
    """Raise `Temporary` for passing errors such as a full disk, `Corrupt` for SQLite's others."""
    try:
        yield
    except sqlite3.Error as fault:
        if isinstance(error := database_error(fault), Temporary):
            raise error from fault
        raise Corrupt(f"{database} {sentence}", detail=str(fault)) from fault


def salvage(database: Path, copy: Path) -> dict[str, int]:
    """Copy all readable rows to a new file; returns the number of lost rows by table."""
    pages = copy.with_name(f"{copy.name}.pages")
    pages.unlink(missing_ok=True)
    try:
        with _file_errors(database, _TOO_DAMAGED):
            copy_pages(database, pages)
            lost = _copy_rows(pages, copy)
    finally:
        pages.unlink(missing_ok=True)
    return {table: rows for table, rows in lost.items() if rows}


def _copy_rows(pages: Path, copy: Path) -> dict[str, int]:
    with closing(sqlite3.connect(copy, isolation_level=None)) as made:
        with closing(sqlite3.connect(pages)) as old:
            tables, indexes = _schema(old, "table"), _schema(old, "index")
        made.execute("BEGIN")
        for sql in tables.values():
            made.execute(sql)
        lost = {table: _copy_table(pages, made, table) for table in tables}
        numbers = "SELECT seq FROM sqlite_sequence WHERE name = 'game'"
        _repair_references(made, _read_number(pages, numbers, 0))
        for sql in indexes.values():
            made.execute(sql)
        made.execute("COMMIT")
    return lost


def _schema(old: sqlite3.Connection, kind: str) -> dict[str, str]:
    query = "SELECT name, sql FROM sqlite_master WHERE type = ? AND sql IS NOT NULL"
    found = old.execute(query, (kind,)).fetchall()
    return {name: sql for name, sql in found if not name.startswith("sqlite_")}


def _copy_table(pages: Path, made: sqlite3.Connection, table: str) -> int:
    """Copy a table's rows; returns the number of unreadable rows."""
    query = f"SELECT * FROM {table} NOT INDEXED WHERE rowid BETWEEN ? AND ?"  # noqa: S608
    width = len(made.execute(f"PRAGMA table_info({table})").fetchall())
    insert = f"INSERT OR IGNORE INTO {table} VALUES ({', '.join('?' * width)})"  # noqa: S608
    lost = 0
    failures = 0
    highest = f"SELECT max(rowid) FROM {table} NOT INDEXED"  # noqa: S608
    ranges = [(0, min(_read_number(pages, highest, _MAX_ROWID), _MAX_ROWID))]
    while ranges:
        first, last = ranges.pop()
        try:
            # After a damaged page, a connection reports damage everywhere.
            with closing(sqlite3.connect(pages)) as old:
                made.executemany(insert, old.execute(query, (first, last)))
        except sqlite3.DatabaseError:
            failures += 1
            if failures > _MAX_UNREADABLE:
                raise
            if first == last:
                lost += 1
            else:
                middle = (first + last) // 2
                ranges += [(first, middle), (middle + 1, last)]
    return lost


def _read_number(pages: Path, query: str, unreadable: int) -> int:
    """The number that a query finds: 0 for none, `unreadable` if its pages are damaged."""
    with suppress(sqlite3.DatabaseError, ValueError), closing(sqlite3.connect(pages)) as old:
        row = old.execute(query).fetchone()
        return int(row[0] or 0) if row else 0
    return unreadable


def _repair_references(made: sqlite3.Connection, last: int) -> None:
    """Set games with lost rows aside, and delete rows that refer to lost rows."""
    games = {number for (number,) in made.execute("SELECT id FROM game")}
    for game in set(range(1, min(last, len(games) + _MAX_GAPS) + 1)) - games:
        statement = "INSERT INTO game (id, events, digest, damaged) VALUES (?, 0, '', ?)"
        made.execute(statement, (game, "its row cannot be read"))
    for table, row, *_ in made.execute("PRAGMA foreign_key_check").fetchall():
        made.execute(f"DELETE FROM {table} WHERE rowid = ?", (row,))  # noqa: S608
