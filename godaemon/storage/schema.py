"""Makes a store's tables, or brings them up to this program's from the revision that they are at.

Run by `open_database` and by nothing else. A SQLite store that holds anything is copied first, to
FILE.schema-REVISION beside it; all the steps are one transaction. On a server one program migrates
at a time, and only once no daemon works there: each holds a lock as long as it does
(`server_lock`), and ends when it is asked to leave. So none ever meets tables, or words in them,
that it does not know. Raises `ConfigError` for a store that is newer than the program, or of before
the first release, `Busy` where others do not leave, and `Corrupt` for tables that are not what
their revision says.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection
from sqlalchemy.exc import DBAPIError, OperationalError

from godaemon.errors import Busy, ConfigError, Corrupt
from godaemon.storage.connections import connect
from godaemon.storage.database_errors import trouble
from godaemon.storage.sqlite_copy import copy_database
from godaemon.storage.tables import SCHEMA
from godaemon.system.file_ownership import hand_over

CHANNEL = "godaemon"
"""Where daemons on one server tell each other (PostgreSQL 15, SQL commands: NOTIFY)."""
LEAVE = "leave"
"""What is said there to all who work on tables that are to be changed."""
PRESENT = int.from_bytes(b"godaemon")
"""The advisory lock that each has who works there (PostgreSQL 15, 9.27.10)."""
_MIGRATING = PRESENT + 1
"""That of the one who waits for all of them to leave."""
_PATIENCE = "60s"
_OTHERS = (
    "The database's tables are to be changed for this version, but another godaemon goes on using"
    " them. Stop that one first."
)


def migrate(place: URL, file: Path | None) -> None:
    """Have the tables at `SCHEMA`; `file` is the SQLite file, if it is one."""
    # Rebuilding a table that others refer to is only possible while nobody looks; we look after.
    engine = connect(place, foreign_keys=False)
    try:
        with engine.connect() as connection:
            found = revision(connection)
        if found == SCHEMA:
            return
        if file is None:
            _change_server(engine)
        else:
            _change(engine, found, file)
    finally:
        engine.dispose()


def revision(connection: Connection) -> str | None:
    """The revision that a store is at; None for an empty one."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    version = sa.table("alembic_version", sa.column("version_num", sa.Text))
    found: str | None = connection.execute(sa.select(version.c.version_num)).scalar()
    return found


def hold_current(connection: Connection) -> None:
    """Hold a store to have the tables of this program; raises `ConfigError`."""
    found = revision(connection)
    hold_known(found)
    if found != SCHEMA:
        raise ConfigError(f"The store's tables are at {found}, and were not changed to {SCHEMA}.")


def hold_known(found: str | None) -> None:
    """Hold a revision to be one that this program can start from; raises `ConfigError`."""
    if found is None or found == SCHEMA:
        return
    # Most starts have nothing to migrate and need not wait for Alembic to load.
    from godaemon.storage.migrations import known  # noqa: PLC0415

    if found in (steps := known()):
        return
    if found < min(steps):
        raise ConfigError(
            "The store is of a development version before the first release: its tables are at"
            f" {found}, and releases open stores from {min(steps)} on. Only the program that made"
            " it opens it: write its games out with that (`godaemon sgf N`), and begin a new store."
        )
    raise ConfigError(
        f"The store was written by a newer godaemon: its tables are at {found}, and this"
        f" program knows them up to {SCHEMA}. Install that version again, or restore a backup"
        " that was made before it."
    )


def lock(connection: Connection, number: int, why: str, *, shared: bool = False) -> None:
    """Wait for an advisory lock, and have it until the connection ends; raises `Busy`: why."""
    function = f"pg_advisory_lock{'_shared' if shared else ''}"
    try:
        connection.exec_driver_sql(f"SET lock_timeout = '{_PATIENCE}'")
        connection.exec_driver_sql(f"SELECT {function}({number})")
    except OperationalError as fault:
        if getattr(fault.orig, "sqlstate", "") != "55P03":  # lock_not_available
            raise
        raise Busy(why) from fault


def _change_server(engine: sa.Engine) -> None:
    """Change the tables of a server while nobody works there."""
    with alone(engine) as connection:
        found = revision(connection)
        if found != SCHEMA:  # another that started with us has been quicker
            hold_known(found)
            connection.exec_driver_sql(f"NOTIFY {CHANNEL}, '{LEAVE}'")
            lock(connection, PRESENT, _OTHERS)
            _change(engine, found, None)


@contextmanager
def alone(engine: sa.Engine) -> Iterator[Connection]:
    """Be the only one who makes or changes tables of a server; raises `Busy`."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        try:
            lock(connection, _MIGRATING, "Another godaemon is changing the tables of the database.")
            yield connection
        finally:
            connection.invalidate()  # the locks go with it


def _change(engine: sa.Engine, found: str | None, file: Path | None) -> None:
    from godaemon.storage import migrations  # noqa: PLC0415 - see above

    hold_known(found)
    if found is not None and file is not None:
        copy = file.with_name(f"{file.name}.schema-{found}")
        copy_database(file, copy)
        hand_over(copy, file.parent)
    try:
        with engine.begin() as connection:
            if found is None:
                migrations.lay(connection)
            else:
                migrations.upgrade(connection)
    except DBAPIError as fault:
        odd = "The store's tables are not those that it says it has."
        raise trouble(fault) or Corrupt(odd, detail=str(fault)) from fault
