"""When the flag of a game's player falls, and when something is to happen in it by itself."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_BEFORE = (
    *("id", "phase", "size", "rules", "black", "white", "black_name", "white_name", "move_number"),
    *("to_move", "result", "updated", "events", "digest", "damaged"),
)


def upgrade() -> None:
    """Add two columns; SQLite has to make the table anew for that."""
    if op.get_bind().dialect.name == "sqlite":
        _anew()
    else:
        op.add_column("game", sa.Column("deadline", sa.Text))
        op.add_column("game", sa.Column("alarm", sa.Text))
    _index("alarm")


def _anew() -> None:
    op.execute("CREATE TABLE old_game AS SELECT * FROM game")
    op.drop_table("game")
    op.create_table(
        "game",
        sa.Column("id", sa.Integer, primary_key=True),
        *(sa.Column(name, sa.Text) for name in _BEFORE[1:8]),
        sa.Column("move_number", sa.Integer),
        *(sa.Column(name, sa.Text) for name in ("to_move", "result", "updated")),
        sa.Column("deadline", sa.Text),
        sa.Column("alarm", sa.Text),
        sa.Column("events", sa.Integer, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("damaged", sa.Text),
        sa.CheckConstraint(
            "phase IN ('proposed', 'playing', 'scoring', 'finished', 'declined', 'withdrawn',"
            " 'expired')",
            name="phase",
        ),
        sa.CheckConstraint("to_move IN ('black', 'white')", name="to_move"),
        sa.CheckConstraint("move_number >= 0", name="move_number"),
        sa.CheckConstraint(
            "phase IS NULL OR (size IS NOT NULL AND rules IS NOT NULL AND black IS NOT NULL"
            " AND white IS NOT NULL AND move_number IS NOT NULL AND updated IS NOT NULL)",
            name="headline",
        ),
        sa.CheckConstraint("events >= 0", name="events"),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
    names = ", ".join(_BEFORE)
    op.execute(f"INSERT INTO game ({names}) SELECT {names} FROM old_game")  # noqa: S608 - our own names
    op.drop_table("old_game")
    op.create_index("ix_game_phase_updated", "game", ["phase", "updated"])
    _index("damaged")


def _index(column: str) -> None:
    there = sa.text(f"{column} IS NOT NULL")
    op.create_index(
        f"ix_game_{column}", "game", [column], sqlite_where=there, postgresql_where=there
    )
