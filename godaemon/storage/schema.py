"""Brings a store's tables up to this program's, from whatever revision they are at.

Run by `open_database` and by nothing else. A SQLite store that holds anything is copied first, to
FILE.schema-REVISION beside it; all the steps are one transaction. Raises `ConfigError` for a store
that is newer than the program.
"""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection

from godaemon.errors import ConfigError
from godaemon.storage.connections import connect
from godaemon.storage.sqlite_copy import copy_database
from godaemon.storage.tables import SCHEMA


def migrate(place: URL, file: Path | None) -> None:
    """Have the tables at `SCHEMA`; `file` is the SQLite file, if it is one."""
    # Rebuilding a table that others refer to is only possible while nobody looks; we look after.
    engine = connect(place, foreign_keys=False)
    try:
        with engine.connect() as connection:
            found = revision(connection)
        if found != SCHEMA:
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


def hold_known(found: str) -> None:
    """Hold a revision to be one that this program can start from; raises `ConfigError`."""
    # Most starts have nothing to migrate and need not wait for Alembic to load.
    from godaemon.storage.migrations import known  # noqa: PLC0415

    if found != SCHEMA and found not in known():
        raise ConfigError(
            f"The store was written by a newer godaemon: its tables are at {found}, and this"
            f" program knows them up to {SCHEMA}. Install that version again, or restore a backup"
            " that was made before it."
        )


def _change(engine: sa.Engine, found: str | None, file: Path | None) -> None:
    from godaemon.storage.migrations import upgrade  # noqa: PLC0415 - see above

    if found is not None:
        hold_known(found)
    if found is not None and file is not None:
        copy_database(file, file.with_name(f"{file.name}.schema-{found}"))
    with engine.begin() as connection:
        upgrade(connection)
