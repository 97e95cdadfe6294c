"""A copy of a damaged SQLite database, with all of it that can still be read.

It is made anew, row by row: what a broken page holds is left out, indexes are built again, and rows
that refer to what is not there any more go. Which games are whole their chains tell
(`event_chain`); one of whose row nothing is left is put aside. Raises `Corrupt` where there is
nothing to go by.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from godaemon.storage.sqlite_copy import copy_pages, fault_of

_GIVE_UP = 20_000
"""So many ranges of rows that cannot be read are no damage of a part."""
_FAR = 2**40
"""No table has a row beyond it."""
_GAPS = 1_000
"""No more games than that are missed at once: the count of them is what is damaged."""


def salvage(database: Path, copy: Path) -> dict[str, int]:
    """Copy what can be read to a new file; how many rows of each table could not be."""
    pages = copy.with_name(f"{copy.name}.pages")
    try:
        pages.unlink(missing_ok=True)
        copy_pages(database, pages)
        with closing(sqlite3.connect(copy, isolation_level=None)) as made:
            with closing(sqlite3.connect(pages)) as old:
                tables, indexes = _schema(old, "table"), _schema(old, "index")
            made.execute("BEGIN")
            for sql in tables.values():
                made.execute(sql)
            lost = {table: _copy(pages, made, table) for table in tables}
            _put_right(made, _games_given(pages))
            for sql in indexes.values():
                made.execute(sql)
            made.execute("COMMIT")
    except sqlite3.DatabaseError as fault:
        words = (
            "is too damaged to be copied. Stop the daemon, then `godaemon restore BACKUP"
            " --move-aside` brings the last backup back that is whole."
        )
        raise fault_of(database, fault, words) from fault
    finally:
        pages.unlink(missing_ok=True)
    return {table: rows for table, rows in lost.items() if rows}


def _schema(old: sqlite3.Connection, kind: str) -> dict[str, str]:
    query = "SELECT name, sql FROM sqlite_master WHERE type = ? AND sql IS NOT NULL"
    found = old.execute(query, (kind,)).fetchall()
    return {name: sql for name, sql in found if not name.startswith("sqlite_")}


def _copy(pages: Path, made: sqlite3.Connection, table: str) -> int:
    """Copy a table's rows; how many could not be read."""
    query = f"SELECT * FROM {table} NOT INDEXED WHERE rowid BETWEEN ? AND ?"  # noqa: S608
    width = len(made.execute(f"PRAGMA table_info({table})").fetchall())
    insert = f"INSERT OR IGNORE INTO {table} VALUES ({', '.join('?' * width)})"  # noqa: S608
    lost, failures, ranges = 0, 0, [(0, _end(pages, table))]
    while ranges:
        first, last = ranges.pop()
        try:
            # One that has met damage finds it everywhere from then on.
            with closing(sqlite3.connect(pages)) as old:
                made.executemany(insert, old.execute(query, (first, last)))
        except sqlite3.DatabaseError:
            failures += 1
            if failures > _GIVE_UP:
                raise
            if first == last:
                lost += 1
            else:
                middle = (first + last) // 2
                ranges += [(first, middle), (middle + 1, last)]
    return lost


def _end(pages: Path, table: str) -> int:
    query = f"SELECT max(rowid) FROM {table} NOT INDEXED"  # noqa: S608
    try:
        with closing(sqlite3.connect(pages)) as old:
            return min(old.execute(query).fetchone()[0] or 0, _FAR)
    except sqlite3.DatabaseError:
        return _FAR


def _games_given(pages: Path) -> int:
    """The last number that was given to a game."""
    query = "SELECT seq FROM sqlite_sequence WHERE name = 'game'"
    try:
        with closing(sqlite3.connect(pages)) as old:
            return int((old.execute(query).fetchone() or (0,))[0])
    except (sqlite3.DatabaseError, ValueError):
        return 0


def _put_right(made: sqlite3.Connection, given: int) -> None:
    """Put games aside of whose rows nothing is left, and let go what refers to nothing."""
    there = {number for (number,) in made.execute("SELECT id FROM game")}
    for game in set(range(1, min(given, len(there) + _GAPS) + 1)) - there:
        statement = "INSERT INTO game (id, events, digest, damaged) VALUES (?, 0, '', ?)"
        made.execute(statement, (game, "its row cannot be read"))
    for table, row, *_ in made.execute("PRAGMA foreign_key_check").fetchall():
        made.execute(f"DELETE FROM {table} WHERE rowid = ?", (row,))  # noqa: S608
