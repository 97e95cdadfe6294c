"""The tables of a store: created in their present form, or migrated step by step.

An empty store gets all tables of `tables` at once. An older store is migrated by the steps after
its revision, each a function of Alembic's operations (`op`, as its documentation calls them).
`migrating` calls both, inside a transaction, after it has had other daemons leave. Raises `Corrupt`
if a step would leave rows that refer to missing ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from godaemon.errors import Corrupt
from godaemon.storage.columns import METADATA
from godaemon.storage.tables import SCHEMA

if TYPE_CHECKING:  # loaded only for stores that have to be migrated
    from alembic.operations import Operations

FIRST = "0030"
"""The tables of the first release, to which no step leads."""
VERSION = sa.Table(
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""The table with the store's revision."""


def _shorten_hashes(op: Operations) -> None:
    """Keep 64 bits of each old letter's hash; no more keys and numbers of daemons are stored."""
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
    """The first 64 bits of a hash as a number with a sign."""
    return int.from_bytes(hash_[:8], signed=True)


STEPS: dict[str, Callable[[Operations], None]] = {"0031": _shorten_hashes}
"""The step to each revision from the one before; the last leads to `SCHEMA`."""


def create_tables(connection: Connection) -> None:
    """Make all tables in an empty store."""
    for table in METADATA.tables.values():
        for index in table.indexes:
            # Options for PostgreSQL in `tables` would load its dialect even for SQLite.
            options = index.dialect_options
            options[connection.dialect.name]["where"] = options["sqlite"]["where"]
    METADATA.create_all(connection)
    VERSION.create(connection)
    connection.execute(sa.insert(VERSION).values(version_num=SCHEMA))


def run_steps(connection: Connection, found: str) -> None:
    """Run the steps that lead from a revision to the newest."""
    from alembic.operations import Operations  # noqa: PLC0415 - most starts migrate nothing
    from alembic.runtime.migration import MigrationContext  # noqa: PLC0415

    # The steps use the naming convention of the metadata.
    context = MigrationContext.configure(connection, opts={"target_metadata": METADATA})
    for revision, step in STEPS.items():
        if revision > found:
            step(Operations(context))
            connection.execute(sa.update(VERSION).values(version_num=revision))
    if connection.dialect.name == "sqlite":
        orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
        if orphans:
            raise Corrupt(
                "The store was not migrated, because rows of it refer to others that are not there."
                " Nothing was changed.",
                detail=repr(orphans),
            )
