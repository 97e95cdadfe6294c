"""When the flag of a game's player falls, and when something is to happen in it by itself."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from godaemon.storage.columns import NUMBERED, not_negative
from godaemon.storage.migrations.steps import make_anew, of_games, same, texts

revision = "0011"
down_revision = "0010"

_BEFORE = (
    "id phase size rules black white black_name white_name move_number to_move result updated"
    " events digest damaged"
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
    make_anew(
        "game",
        same(_BEFORE),
        sa.Column("id", sa.Integer, primary_key=True),
        *texts("phase size rules black white black_name white_name", nullable=True),
        sa.Column("move_number", sa.Integer),
        *texts("to_move result updated deadline alarm", nullable=True),
        sa.Column("events", sa.Integer, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("damaged", sa.Text),
        *of_games(),
        not_negative("events"),
        **NUMBERED,
    )
    op.create_index("ix_game_phase_updated", "game", ["phase", "updated"])
    _index("damaged")


def _index(column: str) -> None:
    there = sa.text(f"{column} IS NOT NULL")
    op.create_index(
        f"ix_game_{column}", "game", [column], sqlite_where=there, postgresql_where=there
    )
