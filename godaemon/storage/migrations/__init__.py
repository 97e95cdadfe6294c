"""The tables of a store: created in their present form, or migrated step by step.

An empty store gets all tables of `tables` at once. An older store is migrated by Alembic (without
alembic.ini): `versions/` holds one module for each revision, and `env.py` connects Alembic to the
store. `storage.database` calls it, after it has had other daemons leave. Raises `Corrupt` if a step
would leave rows that refer to missing ones.
"""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy.engine import Connection

from godaemon.errors import Corrupt
from godaemon.storage import tables  # noqa: F401 - fills the metadata
from godaemon.storage.columns import METADATA

FOLDER = Path(__file__).parent
"""Where Alembic finds `env.py` and the steps."""


def known_revisions() -> frozenset[str]:
    """The revisions that this program can start from."""
    return frozenset(
        one.revision for one in ScriptDirectory.from_config(_config()).walk_revisions()
    )


def create_tables(connection: Connection) -> None:
    """Make all tables in an empty store, inside the connection's transaction."""
    for table in METADATA.tables.values():
        for index in table.indexes:
            # Options for PostgreSQL in `tables` would load its dialect even for SQLite.
            options = index.dialect_options
            options[connection.dialect.name]["where"] = options["sqlite"]["where"]
    METADATA.create_all(connection)
    command.stamp(_config(connection), "head")


def run_steps(connection: Connection) -> None:
    """Run the steps to the newest revision, inside the connection's transaction."""
    command.upgrade(_config(connection), "head")
    if connection.dialect.name == "sqlite":
        orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
        if orphans:
            raise Corrupt(
                "The store was not migrated, because rows of it refer to others that are not there."
                " Nothing was changed.",
                detail=repr(orphans),
            )


def _config(connection: Connection | None = None) -> Config:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
