"""Copies a server's database into a SQLite file, and a SQLite file into a server's database.

It copies all tables of the metadata. Leases and pending moves have no holder in a SQLite copy; on a
server their holder is a dead daemon, so that the next daemon takes them over. Raises `Busy` while
daemons use the database, `Refusal` if it is not empty, `ConfigError` for another revision.
"""

from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection

from godaemon.errors import Refusal
from godaemon.storage.columns import METADATA
from godaemon.storage.connections import session
from godaemon.storage.database import open_database
from godaemon.storage.locks import keep_daemons_off
from godaemon.storage.migrations import require_current
from godaemon.storage.sqlite_copy import open_alone

_DEAD_DAEMON = 1
"""The number of a daemon that does not exist."""
_ROWS_IN_MEMORY = 1000
_SEQUENCE = "pg_get_serial_sequence('{0}', 'id')"


def copy_from_server(place: URL, file: Path) -> None:
    """Copy a snapshot of a server's database to a new SQLite file."""
    open_database(URL.create("sqlite", database=str(file)).render_as_string()).close()
    with session(place) as source, open_alone(file) as copy:
        require_current(source)
        for pragma in ("journal_mode=OFF", "synchronous=OFF"):  # an unfinished copy is deleted
            copy.exec_driver_sql(f"PRAGMA {pragma}")
        _copy_rows(source, copy, None)
        copy.commit()


def copy_to_server(file: Path, connection: Connection) -> None:
    """Copy a SQLite file with current tables into an empty database; does not commit."""
    keep_daemons_off(connection)
    for table in METADATA.sorted_tables:
        if connection.scalar(sa.select(sa.exists(sa.select(table)))):
            raise Refusal(
                f"The database is not empty: there are rows in {table.name}. Create a new one"
                " (createdb), and name that (database_url)."
            )
    with open_alone(file) as source:
        _copy_rows(source, connection, _DEAD_DAEMON)


def _copy_rows(source: Connection, copy: Connection, holder: int | None) -> None:
    for table in METADATA.sorted_tables:
        held = "holder" in table.columns and not table.columns["holder"].primary_key
        change, names = {"holder": holder} if held else {}, table.columns.keys()
        result = source.execute(sa.select(table), execution_options={"yield_per": _ROWS_IN_MEMORY})
        for rows in result.partitions():
            copied = [{**dict(zip(names, row, strict=True)), **change} for row in rows]
            copy.execute(sa.insert(table), copied)
        if table.dialect_options["sqlite"]["autoincrement"]:
            _set_last_number(copy, table.name, _last_number(source, table.name))


def _last_number(connection: Connection, table: str) -> int:
    """The last number given to a row; such numbers are never reused."""
    query = f"SELECT seq FROM sqlite_sequence WHERE name = '{table}'"  # noqa: S608
    if connection.dialect.name != "sqlite":
        sequence = connection.exec_driver_sql(f"SELECT {_SEQUENCE.format(table)}").scalar_one()
        query = f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {sequence}"  # noqa: S608
    return int(connection.exec_driver_sql(query).scalar() or 0)


def _set_last_number(connection: Connection, table: str, last: int) -> None:
    if not last:
        return
    if connection.dialect.name != "sqlite":
        connection.exec_driver_sql(f"SELECT setval({_SEQUENCE.format(table)}, {last:d})")
        return
    connection.exec_driver_sql("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
    connection.exec_driver_sql("INSERT INTO sqlite_sequence VALUES (?, ?)", (table, last))
