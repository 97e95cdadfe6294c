"""The steps from one revision of the tables to the next, run by Alembic without a file of its own.

`versions/` holds one module for each revision; `env.py` is how Alembic reaches the store. Raises
`Corrupt` where a step would leave rows that refer to nothing.
"""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy.engine import Connection

from godaemon.errors import Corrupt


def known() -> frozenset[str]:
    """The revisions that this program can start from."""
    return frozenset(
        one.revision for one in ScriptDirectory.from_config(_config()).walk_revisions()
    )


def upgrade(connection: Connection, to: str = "head") -> None:
    """Run the steps up to a revision, inside the connection's transaction."""
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, to)
    if connection.dialect.name == "sqlite":
        orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
        if orphans:
            raise Corrupt(
                "The store was not migrated, because rows of it refer to others that are not there."
                " Nothing was changed.",
                detail=repr(orphans),
            )


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
