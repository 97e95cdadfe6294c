"""Migrates the tables of a store before anybody uses it.

An empty store gets all tables of `tables`. An older store is migrated in one transaction by the
steps after its revision; a step is a function of Alembic's operations (`op` in its documentation).
A SQLite store is first copied to FILE.schema-REVISION. On a server one program migrates at a time,
and only while no daemon uses the database: each daemon holds a lock (`locks.share_tables`), and
ends when it is asked to leave. So no daemon ever sees tables or values that it does not know.

Raises `ConfigError` for a store newer than the program or older than the first release, `Busy` if
other daemons do not leave, and `Corrupt` for tables that do not match their revision, or if a step
would leave rows that refer to missing rows.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection
from sqlalchemy.exc import DBAPIError, OperationalError

from godaemon.errors import Busy, ConfigError, Corrupt
from godaemon.storage import mail_tables  # noqa: F401 - creates its tables, too
from godaemon.storage.columns import METADATA
from godaemon.storage.connections import connect, database_error
from godaemon.storage.sqlite_copy import copy_database
from godaemon.storage.tables import SCHEMA
from godaemon.system.durable_files import give_to_owner

if TYPE_CHECKING:  # loaded only for stores that have to be migrated
    from alembic.operations import Operations

FIRST = "0030"
"""The revision of the first release; no step leads to it."""
VERSION = sa.Table(
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""The table with the store's revision."""
CHANNEL = "godaemon"
"""The channel of the daemons on one server (PostgreSQL 15, SQL commands: NOTIFY)."""
LEAVE = "leave"
"""The message that asks all daemons to leave before a migration."""
PRESENT = int.from_bytes(b"godaemon")
"""The advisory lock that each daemon holds (PostgreSQL 15, 9.27.10)."""
_MIGRATING = PRESENT + 1
"""The advisory lock of the program that migrates."""
_LOCK_TIMEOUT = "60s"
MIGRATED_ELSEWHERE = "Another godaemon is changing the tables of the database."
_OTHERS = (
    "The database's tables must be changed for this version, but another godaemon is still using"
    " them. Stop that one first."
)


def _shorten_hashes(op: Operations) -> None:
    """Keep 64 bits of each old letter's hash; drop two tables that are no longer used."""
    op.drop_table("next_key")
    op.drop_table("holder")
    bound: Any = op.get_bind()
    if bound.dialect.name != "sqlite":
        bits = "('x' || encode(substring(fingerprint, 1, 8), 'hex'))::bit(64)::bigint"
        op.execute(f"ALTER TABLE old_inbox ALTER COLUMN fingerprint TYPE BIGINT USING {bits}")
        return
    op.rename_table("old_inbox", "old_hashes")
    number = sa.Column("fingerprint", sa.Integer, primary_key=True, autoincrement=False)
    op.create_table("old_inbox", number, sqlite_strict=True)
    bound.connection.driver_connection.create_function(
        "first_bits", 1, _first_bits, deterministic=True
    )
    op.execute(
        "INSERT OR IGNORE INTO old_inbox SELECT first_bits(fingerprint) FROM old_hashes ORDER BY 1"
    )
    op.drop_table("old_hashes")


def _first_bits(hash_: bytes) -> int:
    """The first 64 bits of a hash as a signed number."""
    return int.from_bytes(hash_[:8], signed=True)


STEPS: dict[str, Callable[[Operations], None]] = {"0031": _shorten_hashes}
"""The step to each revision from the revision before; the last step leads to `SCHEMA`."""


def migrate(place: URL, file: Path | None) -> None:
    """Migrate the tables to `SCHEMA`; `file` is the SQLite file, or None on a server."""
    # SQLite rebuilds a referenced table only without foreign keys; `run_steps` checks them.
    engine = connect(place, foreign_keys=False)
    try:
        with engine.connect() as connection:
            revision = read_revision(connection)
        if revision == SCHEMA:
            return
        if file is None:
            _migrate_server(engine)
        else:
            _change_tables(engine, revision, file)
    finally:
        engine.dispose()


def read_revision(connection: Connection) -> str | None:
    """The revision of a store's tables; None for an empty store."""
    if not sa.inspect(connection).has_table(VERSION.name):
        return None
    revision: str | None = connection.execute(sa.select(VERSION.c.version_num)).scalar()
    return revision


def require_current(connection: Connection) -> None:
    """Raise `ConfigError` unless the tables have this program's revision."""
    revision = read_revision(connection)
    require_known(revision)
    if revision != SCHEMA:
        raise ConfigError(
            f"The store's tables are at {revision}, and this godaemon needs {SCHEMA}: start the"
            " daemon, which brings them up to date."
        )


def require_known(revision: str | None) -> None:
    """Raise `ConfigError` for a revision that this program cannot migrate."""
    if revision is None or revision in {SCHEMA, FIRST, *STEPS}:
        return
    raise ConfigError(
        "The store was written by a newer godaemon, or before the first release: its tables are at"
        f" {revision}, and this program knows them from {FIRST} to {SCHEMA}. Use the program that"
        " wrote it, or restore a backup that this one can read."
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
    """Let a transaction on a server wait a minute for each lock, because it is not retried."""
    if connection.dialect.name != "sqlite":
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{_LOCK_TIMEOUT}'")


def _migrate_server(engine: sa.Engine) -> None:
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        try:
            take_lock(connection, _MIGRATING, MIGRATED_ELSEWHERE)
            revision = read_revision(connection)
            if revision != SCHEMA:  # else another program has just migrated it
                require_known(revision)
                connection.exec_driver_sql(f"NOTIFY {CHANNEL}, '{LEAVE}'")
                take_lock(connection, PRESENT, _OTHERS)
                _change_tables(engine, revision, None)
        finally:
            connection.invalidate()  # releases the locks


def _change_tables(engine: sa.Engine, revision: str | None, file: Path | None) -> None:
    require_known(revision)
    if revision is not None and file is not None:
        copy = file.with_name(f"{file.name}.schema-{revision}")
        copy_database(file, copy)
        give_to_owner(copy, file.parent)
    try:
        with engine.begin() as connection:
            wait_long(connection)
            if revision is None:
                _create_tables(connection)
            else:
                run_steps(connection, revision)
    except DBAPIError as fault:
        why = "The store's tables do not match their revision."
        raise database_error(fault) or Corrupt(why, detail=str(fault)) from fault


def _create_tables(connection: Connection) -> None:
    """Create all tables in an empty store."""
    for table in METADATA.tables.values():
        for index in table.indexes:
            # Set here, because PostgreSQL's options in `tables` would load its dialect for SQLite.
            options = index.dialect_options
            options[connection.dialect.name]["where"] = options["sqlite"]["where"]
    METADATA.create_all(connection)
    VERSION.create(connection)
    connection.execute(sa.insert(VERSION).values(version_num=SCHEMA))


def run_steps(connection: Connection, present: str) -> None:
    """Run the steps from a revision to the newest one."""
    from alembic.operations import Operations  # noqa: PLC0415 - most starts migrate nothing
    from alembic.runtime.migration import MigrationContext  # noqa: PLC0415

    # The steps use the naming convention of the metadata.
    context = MigrationContext.configure(connection, opts={"target_metadata": METADATA})
    for revision, step in STEPS.items():
        if revision > present:
            step(Operations(context))
            connection.execute(sa.update(VERSION).values(version_num=revision))
    if connection.dialect.name == "sqlite":
        orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
        if orphans:
            raise Corrupt(
                "The store was not migrated, because some of its rows refer to missing rows."
                " Nothing was changed.",
                detail=repr(orphans),
            )
