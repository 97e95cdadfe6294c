"""A whole site in one file that no database need know, to move it from one kind to another.

Lines of JSON: what it is; the keys; of each table its name, columns and last number, then its rows
in the order of their keys, as they are stored; at the end how many rows there are, and the SHA-256
of all lines before. The same site is the same file, whichever database it was in. Tables are those
of the metadata, so that none is forgotten; what daemons had in hand (`holder`) is nobody's now.

Written and read row by row, while no daemon works there. A file that was cut short or changed is
refused before anything is read from it, and one that is read goes into an empty store, all of it in
one step, with its logs checked. Raises `Refusal`s, `Busy`, `Corrupt`, `ConfigError`, `Temporary`.
"""

from __future__ import annotations

import base64
import errno
import hashlib
import json
import os
import shutil
import struct
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from godaemon.errors import Busy, ConfigError, Corrupt, Refusal, Temporary
from godaemon.storage.backup import RESTORING, Backup, of_contents
from godaemon.storage.columns import METADATA
from godaemon.storage.connections import read_url
from godaemon.storage.contents import Contents, contents, opened, put_aside
from godaemon.storage.database import FILE, open_database, store_url
from godaemon.storage.database_errors import explained
from godaemon.storage.identity import older, open_store
from godaemon.storage.lock import StateLock
from godaemon.storage.restore import finish, hold_new, make_ready, restore
from godaemon.storage.schema import PRESENT
from godaemon.storage.tables import SCHEMA, HolderRow
from godaemon.system.clock import FILE as CLOCK
from godaemon.system.durable_files import sync, write_file
from godaemon.system.signing_keys import FILE as KEY
from godaemon.system.signing_keys import OLD as OLD_KEYS

_LEFT = 1
"""The holder, on a server, of what was in hand: a dead one, so that the next takes it over."""
_AT_ONCE = 1000
"""So many rows are in memory at once."""
_READ = 2**20
_OWN = "holder"


def tables() -> list[sa.Table]:
    """The tables of a file, those first that others refer to."""
    return [table for table in METADATA.sorted_tables if table.name != HolderRow.__tablename__]


def columns(table: sa.Table) -> list[sa.Column[Any]]:
    """The columns of a table in a file."""
    return [column for column in table.columns if not _in_hand(column)]


def _in_hand(column: sa.Column[Any]) -> bool:
    """True where it says who has something in hand, and not who has counted."""
    return column.name == _OWN and not column.primary_key


# -- writing -----------------------------------------------------------------------------------
def export(url: str, state: Path, file: Path) -> Contents:
    """Write the site of a state folder to a file that is not there yet; what is in it."""
    if file.exists():
        raise Refusal(f"{file} is there already. Name a file that is not, and nothing is lost.")
    rough, begun = file.with_name(f".{file.name}.partial"), False
    try:
        with explained(), StateLock(state):
            finish(state)
            if why := older(url):
                raise Refusal(why)
            with closing(open_store(url, state)) as database, database.connect() as connection:
                _hold_alone(connection)
                found = put_aside(connection)
                begun = True
                rough.unlink(missing_ok=True)
                handle = os.open(rough, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
                with os.fdopen(handle, "wb", _READ) as out:
                    _write(connection, state, out)
        sync(rough)
        rough.rename(file)
        sync(file.absolute().parent)
    except OSError as fault:
        if fault.errno not in {errno.ENOSPC, errno.EDQUOT}:
            raise
        raise Temporary(f"{file} could not be written: {fault.strerror}.") from fault
    finally:
        if begun:  # else it is another's
            rough.unlink(missing_ok=True)
    return found


def _hold_alone(connection: Connection) -> None:
    """Raise `Busy` where a daemon works on the same server, and let none begin."""
    if connection.dialect.name == "sqlite":
        return
    if not connection.exec_driver_sql(f"SELECT pg_try_advisory_lock({PRESENT})").scalar():
        raise Busy(
            "A godaemon is at work on the database. Stop all of them first: what is played from"
            " now on would not be in the file."
        )


_BESIDE = (KEY, OLD_KEYS, CLOCK)
"""The files of a state folder that go along, and no others."""


def _write(connection: Connection, state: Path, out: BinaryIO) -> None:
    seen = hashlib.sha256()

    def _line(value: object) -> None:
        line = _ENCODE(value).encode() + b"\n"
        seen.update(line)
        out.write(line)

    _line({"godaemon": "export", "schema": SCHEMA})
    for name in _BESIDE:
        if (state / name).exists():
            _line({"file": name, "content": _as_text((state / name).read_bytes())})
    rows = 0
    for table in tables():
        names = [column.name for column in columns(table)]
        _line({"table": table.name, "columns": names, "last": _last(connection, table)})
        for row in _rows(connection, table):
            _line(row)
            rows += 1
    _line({"rows": rows, "sha256": seen.hexdigest()})


_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _as_text(value: bytes) -> str:
    return base64.b64encode(value).decode("ascii")


def _half(value: float) -> float:
    """A number with the precision that a server keeps of a REAL."""
    return float(struct.unpack("f", struct.pack("f", value))[0])


def _coder(column: sa.Column[Any], of_bytes: Callable[[Any], Any]) -> Callable[[Any], Any] | None:
    """What turns a stored value into one of JSON, or back; None for most."""
    if isinstance(column.type, sa.LargeBinary):
        return of_bytes
    return _half if type(column.type) is sa.REAL else None


def _converted(
    table: sa.Table, rows: Iterator[Sequence[Any]], of_bytes: Callable[[Any], Any]
) -> Iterator[Sequence[Any]]:
    """Rows with some values turned."""
    coders = [(at, _coder(column, of_bytes)) for at, column in enumerate(columns(table))]
    turned = [(at, coder) for at, coder in coders if coder is not None]
    for row in rows:
        values = list(row)
        for at, coder in turned:
            values[at] = None if values[at] is None else coder(values[at])
        yield values


def _rows(connection: Connection, table: sa.Table) -> Iterator[Sequence[Any]]:
    quote = connection.dialect.identifier_preparer.quote
    bytewise = ' COLLATE "C"' if connection.dialect.name != "sqlite" else ""
    order = (
        quote(column.name) + bytewise * isinstance(getattr(column.type, "impl", None), sa.Text)
        for column in table.primary_key
    )
    names = ", ".join(quote(column.name) for column in columns(table))
    query = f"SELECT {names} FROM {table.name} ORDER BY {', '.join(order)}"  # noqa: S608
    streamed = {"yield_per": _AT_ONCE}
    found = connection.exec_driver_sql(query, execution_options=streamed)
    return _converted(table, iter(found), _as_text)


# -- the last numbers that were given ----------------------------------------------------------
def _numbered(table: sa.Table) -> bool:
    return bool(table.dialect_options["sqlite"]["autoincrement"])


def _last(connection: Connection, table: sa.Table) -> int:
    """The last number given to a row, which none gets again; 0 where rows are not numbered."""
    if not _numbered(table):
        return 0
    query = f"SELECT seq FROM sqlite_sequence WHERE name = '{table.name}'"  # noqa: S608
    if connection.dialect.name != "sqlite":
        sequence = connection.exec_driver_sql(_SEQUENCE.format(table.name)).scalar_one()
        query = f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {sequence}"  # noqa: S608
    return int(connection.exec_driver_sql(query).scalar() or 0)


_SEQUENCE = "SELECT pg_get_serial_sequence('{0}', 'id')"


def _go_on_from(connection: Connection, table: sa.Table, last: int) -> None:
    if not last:
        return
    if connection.dialect.name != "sqlite":
        sequence = connection.exec_driver_sql(_SEQUENCE.format(table.name)).scalar_one()
        connection.exec_driver_sql(f"SELECT setval('{sequence}', {last:d})")
        return
    connection.exec_driver_sql("DELETE FROM sqlite_sequence WHERE name = ?", (table.name,))
    connection.exec_driver_sql("INSERT INTO sqlite_sequence VALUES (?, ?)", (table.name, last))


# -- reading -----------------------------------------------------------------------------------
def take_in(file: Path, url: str, state: Path, now: datetime) -> Backup:
    """Make a new store of a file, in a state folder where there is none; what is in it."""
    place = read_url(url)
    try:
        with explained(), file.open("rb") as lines:
            rows = _hold_whole(file, lines)
            state.mkdir(mode=0o700, parents=True, exist_ok=True)
            hold_new(state)
            with tempfile.TemporaryDirectory(prefix=".import-", dir=state) as name:
                if place.get_backend_name() != "sqlite":
                    return _into_server(url, state, Path(name), lines, rows)
                _into_file(Path(name), lines, rows)
                return restore(Path(name), state, now).backup
    except OSError as fault:
        raise Temporary(f"{fault.filename or file}: {fault.strerror}.") from fault


def _hold_whole(file: Path, lines: BinaryIO) -> int:
    """How many rows a file has; raises `Refusal` for no such file, `Corrupt` for a changed one."""
    if not lines.readline(_READ).startswith(b'{"godaemon":"export"'):
        raise Refusal(f"{file} is not what `godaemon export` has written.")
    lines.seek(0)
    seen, last = hashlib.sha256(), b""
    for line in lines:
        seen.update(last)
        last = line
    lines.seek(0)
    try:
        end = json.loads(last)
        rows, digest = int(end["rows"]), end["sha256"]
    except (ValueError, TypeError, KeyError):
        raise _changed(file) from None
    if digest != seen.hexdigest():
        raise _changed(file)
    return rows


def _changed(file: Path) -> Corrupt:
    return Corrupt(
        f"{file} was cut short or changed since it was written. Nothing is read from it."
    )


def _into_file(folder: Path, lines: BinaryIO, rows: int) -> None:
    """Make a backup of a file: a SQLite store with its keys."""
    open_database(store_url(folder)).close()
    with opened(folder / FILE) as connection:
        # It is thrown away where it is not finished.
        for pragma in ("journal_mode=OFF", "synchronous=OFF"):
            connection.exec_driver_sql(f"PRAGMA {pragma}")
        _read(connection, folder, lines, rows)
        connection.commit()
    sync(folder / FILE)


def _into_server(url: str, state: Path, folder: Path, lines: BinaryIO, rows: int) -> Backup:
    with (
        StateLock(state),
        closing(open_database(url)) as database,
        database.connect() as connection,
    ):
        _hold_alone(connection)
        _hold_no_rows(connection)
        _read(connection, folder, lines, rows)
        connection.execute(sa.insert(HolderRow).values(id=_LEFT))
        found = of_contents(folder, contents(connection))
        if found.damaged:
            raise Corrupt(f"Game {found.damaged[0][0]} is damaged in the file.")
        make_ready(found, state)
        try:
            connection.commit()
        except BaseException:
            shutil.rmtree(state / RESTORING[0])
            raise
        finish(state)
        return found


def _hold_no_rows(connection: Connection) -> None:
    for table in METADATA.sorted_tables:
        if connection.scalar(sa.select(sa.exists(sa.select(table)))):
            raise Refusal(
                f"The database is not empty: there are rows in {table.name}. Make a new one"
                " (createdb) and name that (database_url), and nothing is lost."
            )


class _Lines:
    """The lines of a file: heads, which are objects, each followed by its rows, which are lists."""

    def __init__(self, lines: BinaryIO) -> None:
        self._lines = lines
        self.head: dict[str, Any] = json.loads(next(lines))
        self._ahead = next(lines)
        self.rows = 0

    def step(self) -> dict[str, Any]:
        """Go to the next head, and return it."""
        self.head = json.loads(self._ahead)
        self._ahead = next(self._lines, b"")
        return self.head

    def under(self) -> Iterator[Sequence[Any]]:
        """The rows of a head."""
        while self._ahead.startswith(b"["):
            self.rows += 1
            yield json.loads(self._ahead)
            self._ahead = next(self._lines)


def _read(connection: Connection, folder: Path, lines: BinaryIO, rows: int) -> None:
    """Take in all lines, which are those that were written."""
    reader = _Lines(lines)
    if (schema := reader.head.get("schema")) != SCHEMA:
        raise ConfigError(
            f"The file was written by a godaemon whose tables are at {schema}, and those of this"
            f" one are at {SCHEMA}. Let both be of one version, and export once more."
        )
    known = {table.name: table for table in tables()}
    while "rows" not in (head := reader.step()):
        if "file" in head:
            if head["file"] not in _BESIDE:
                raise Corrupt(f"The file holds one named {head['file']}, which is none of ours.")
            write_file(folder / head["file"], base64.b64decode(head["content"]))
        else:
            table, before = known.pop(head["table"]), reader.rows
            _fill(connection, table, reader.under())
            _hold_count(connection, table, reader.rows - before)
            _go_on_from(connection, table, head["last"])
    if known or reader.rows != rows:
        raise Corrupt(f"The file has {reader.rows} of {rows} rows, and lacks {sorted(known)}.")


def _fill(connection: Connection, table: sa.Table, found: Iterator[Sequence[Any]]) -> None:
    """Insert rows by the driver's quickest way, as they come."""
    quote = connection.dialect.identifier_preparer.quote
    names = [quote(column.name) for column in columns(table)]
    rows = _converted(table, found, base64.b64decode)
    driver: Any = connection.connection.driver_connection
    if connection.dialect.name == "sqlite":
        marks = ", ".join("?" * len(names))
        into = f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({marks})"  # noqa: S608
        driver.executemany(into, rows)
        return
    left = []
    if any(map(_in_hand, table.columns)):
        names, left = [*names, _OWN], [_LEFT]
    with driver.cursor().copy(f"COPY {table.name} ({', '.join(names)}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row([*row, *left])


def _hold_count(connection: Connection, table: sa.Table, rows: int) -> None:
    there = connection.scalar(sa.select(sa.func.count()).select_from(table))
    if there != rows:
        raise Corrupt(f"Of {rows} rows of {table.name}, {there} have arrived.")
