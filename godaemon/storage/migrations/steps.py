"""The words that steps have in common. What the steps make is held, word for word, to the tables.

Used inside a step alone, where Alembic's `op` is.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

from godaemon.storage.columns import STRICT, not_negative, one_of

_PHASES = ("proposed", "playing", "scoring", "finished", "declined", "withdrawn", "expired")


def of_games() -> tuple[sa.CheckConstraint, ...]:
    """What the table of games is held to; a constraint belongs to one table, so each has its own.

    What came later stands in the steps that brought it.
    """
    return (
        one_of("phase", *_PHASES),
        one_of("to_move", "black", "white"),
        not_negative("move_number"),
        sa.CheckConstraint(
            "phase IS NULL OR (size IS NOT NULL AND rules IS NOT NULL AND black IS NOT NULL"
            " AND white IS NOT NULL AND move_number IS NOT NULL AND updated IS NOT NULL)",
            name="headline",
        ),
    )


def texts(names: str, *, nullable: bool = False) -> tuple[sa.Column[str], ...]:
    """Columns of text with those names."""
    return tuple(sa.Column(name, sa.Text, nullable=nullable) for name in names.split())


def same(names: str) -> dict[str, str]:
    """The values of columns that stay as they are, for `make_anew`."""
    return {name: name for name in names.split()}


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


def make_players(values: dict[str, str], *levels: str, reviews: bool = True) -> None:
    """Make the table of players anew, with those levels of emails; at first without `reviews`."""
    parts: tuple[Any, ...] = (
        sa.Column("address", sa.Text, primary_key=True),
        sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("receipts", sa.Integer),
        sa.Column("receipts_sent", sa.Integer, nullable=False),
        sa.Column("emails", sa.Text),
        sa.CheckConstraint("receipts IN (0, 1)", name="receipts"),
        not_negative("receipts_sent"),
        one_of("emails", *levels),
    )
    if reviews:
        check = sa.CheckConstraint("reviews IN (0, 1)", name="reviews")
        parts += (sa.Column("reviews", sa.Integer), check)
    make_anew("player", values, *parts, **STRICT)


_SWITCHES = ("plain", "weekends_off", "away_by_itself")


def make_profiles(names: str, values: dict[str, str] | None = None) -> None:
    """Make the table of profiles with these columns; anew where there are `values` for it."""
    columns: list[Any] = [
        sa.Column(
            name,
            sa.Integer if name in ("digest_at", *_SWITCHES) else sa.Text,
            primary_key=name == "address",
            nullable=name not in ("address", "zone", "vacations", *_SWITCHES),
        )
        for name in names.split()
    ]
    columns.append(sa.CheckConstraint("digest_at BETWEEN 0 AND 1439", name="digest_at"))
    switches = [name for name in _SWITCHES if name in names.split()]
    columns += [sa.CheckConstraint(f"{name} IN (0, 1)", name=name) for name in switches]
    if values is None:
        op.create_table("profile", *columns, **STRICT)
    else:
        make_anew("profile", values, *columns, **STRICT)
    op.create_index("ix_profile_digest_due", "profile", ["digest_due"])
