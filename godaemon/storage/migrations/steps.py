"""The words that steps have in common. What the steps make is held, word for word, to the tables.

Used inside a step alone, where Alembic's `op` is.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

PHASES = ("proposed", "playing", "scoring", "finished", "declined", "withdrawn", "expired")


def texts(names: str, *, nullable: bool = False) -> tuple[sa.Column[str], ...]:
    """Columns of text with those names."""
    return tuple(sa.Column(name, sa.Text, nullable=nullable) for name in names.split())


def make_anew(table: str, values: dict[str, str], *columns: Any, **options: Any) -> None:  # noqa: ANN401 - Alembic's
    """Give a table other columns; `values` are those that each row has already, and of what.

    SQLite cannot add a CHECK to a table that is there.
    """
    op.execute(f"CREATE TABLE old_{table} AS SELECT * FROM {table}")  # noqa: S608 - our own names
    op.drop_table(table)
    op.create_table(table, *columns, **options)
    names, found = ", ".join(values), ", ".join(values.values())
    op.execute(f"INSERT INTO {table} ({names}) SELECT {found} FROM old_{table}")  # noqa: S608 - our own names
    op.drop_table(f"old_{table}")
