"""Brings the tables of a store up to date before anybody uses it.

A SQLite store is copied to FILE.schema-REVISION before it is migrated, in one transaction. On a
server one program migrates at a time, and only while no daemon uses the database: each daemon
holds a lock (`locks.share_tables`), and ends when it is asked to leave. So no daemon ever sees
tables or values that it does not know. The steps are in `storage.migrations`.

Raises `ConfigError` for a store newer than the program, or older than the first release, `Busy`
if other daemons do not leave, `Corrupt` for tables that do not match their revision.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection
from sqlalchemy.exc import DBAPIError, OperationalError

from godaemon.errors import Busy, ConfigError, Corrupt
from godaemon.storage import migrations
from godaemon.storage.connections import connect, database_error
from godaemon.storage.migrations import FIRST, STEPS, VERSION
from godaemon.storage.sqlite_copy import copy_database
from godaemon.storage.tables import SCHEMA
from godaemon.system.durable_files import hand_over

CHANNEL = "godaemon"
"""The channel of the daemons on one server (PostgreSQL 15, SQL commands: NOTIFY)."""
LEAVE = "leave"
"""The message that asks all daemons to leave, so that tables can be changed."""
PRESENT = int.from_bytes(b"godaemon")
"""The advisory lock that each daemon holds (PostgreSQL 15, 9.27.10)."""
_MIGRATING = PRESENT + 1
"""The lock of the program that waits for them to leave."""
_LOCK_TIMEOUT = "60s"
_OTHERS = (
    "The database's tables are to be changed for this version, but another godaemon goes on using"
    " them. Stop that one first."
)


def migrate(place: URL, file: Path | None) -> None:
    """Bring the tables to `SCHEMA`; `file` is the SQLite file, if there is one."""
    # A table that others refer to can only be rebuilt without foreign keys; they are checked after.
    engine = connect(place, foreign_keys=False)
    try:
        with engine.connect() as connection:
            found = read_revision(connection)
        if found == SCHEMA:
            return
        if file is None:
            _migrate_server(engine)
        else:
            _change_tables(engine, found, file)
    finally:
        engine.dispose()


def read_revision(connection: Connection) -> str | None:
    """The revision of a store's tables; None for an empty store."""
    if not sa.inspect(connection).has_table(VERSION.name):
        return None
    found: str | None = connection.execute(sa.select(VERSION.c.version_num)).scalar()
    return found


def require_current(connection: Connection) -> None:
    """Raise `ConfigError` unless the tables are those of this program."""
    found = read_revision(connection)
    require_known(found)
    if found != SCHEMA:
        raise ConfigError(
            f"The store's tables are at {found}, and this godaemon needs {SCHEMA}: start the"
            " daemon, which brings them up to date."
        )


def require_known(found: str | None) -> None:
    """Raise `ConfigError` for a revision that this program cannot start from."""
    if found is None or found in {SCHEMA, FIRST, *STEPS}:
        return
    if found < FIRST:
        raise ConfigError(
            "The store is of a development version before the first release: its tables are at"
            f" {found}, and releases open stores from {FIRST} on. Only the program that made"
            " it opens it: write its games out with that (`godaemon sgf N`), and begin a new store."
        )
    raise ConfigError(
        f"The store was written by a newer godaemon: its tables are at {found}, and this"
        f" program knows them up to {SCHEMA}. Install that version again, or restore a backup"
        " that was made before it."
    )


def take_lock(connection: Connection, number: int, why: str, *, shared: bool = False) -> None:
    """Take an advisory lock until the connection ends; raises `Busy` with `why` after a minute."""
    function = f"pg_advisory_lock{'_shared' if shared else ''}"
    try:
        connection.exec_driver_sql(f"SET lock_timeout = '{_LOCK_TIMEOUT}'")
        connection.exec_driver_sql(f"SELECT {function}({number})")
    except OperationalError as fault:
        if getattr(fault.orig, "sqlstate", "") != "55P03":  # lock_not_available
            raise
        raise Busy(why) from fault


def wait_long(connection: Connection) -> None:
    """Let this transaction on a server wait a minute for each lock, since nothing runs it again."""
    if connection.dialect.name != "sqlite":
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{_LOCK_TIMEOUT}'")


def _migrate_server(engine: sa.Engine) -> None:
    with migration_lock(engine) as connection:
        found = read_revision(connection)
        if found != SCHEMA:  # else another program that started with us was quicker
            require_known(found)
            connection.exec_driver_sql(f"NOTIFY {CHANNEL}, '{LEAVE}'")
            take_lock(connection, PRESENT, _OTHERS)
            _change_tables(engine, found, None)


@contextmanager
def migration_lock(engine: sa.Engine) -> Iterator[Connection]:
    """Let no other program make or change tables of a server; raises `Busy`."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        try:
            take_lock(
                connection, _MIGRATING, "Another godaemon is changing the tables of the database."
            )
            yield connection
        finally:
            connection.invalidate()  # the locks go with it


def _change_tables(engine: sa.Engine, found: str | None, file: Path | None) -> None:
    require_known(found)
    if found is not None and file is not None:
        copy = file.with_name(f"{file.name}.schema-{found}")
        copy_database(file, copy)
        hand_over(copy, file.parent)
    try:
        with engine.begin() as connection:
            wait_long(connection)
            if found is None:
                migrations.create_tables(connection)
            else:
                migrations.run_steps(connection, found)
    except DBAPIError as fault:
        odd = "The store's tables are not those that it says it has."
        raise database_error(fault) or Corrupt(odd, detail=str(fault)) from fault
