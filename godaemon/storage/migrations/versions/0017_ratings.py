"""What rated games have made of their players' ratings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from godaemon.storage.columns import DOUBLE, STRICT

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Make the table of what rated games have made of ratings."""
    op.create_table(
        "rated_game",
        sa.Column("address", sa.Text, primary_key=True),
        sa.Column("game", sa.Integer, sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("value", DOUBLE, nullable=False),
        sa.Column("deviation", DOUBLE, nullable=False),
        sa.Column("volatility", DOUBLE, nullable=False),
        **STRICT,
    )
    op.create_index("ix_rated_game_at_game", "rated_game", ["at", "game"])
