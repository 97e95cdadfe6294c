"""Keys to seats, for Go programs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from godaemon.storage.columns import STRICT, one_of

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the table of keys."""
    op.create_table(
        "gui_key",
        sa.Column("game", sa.Integer, sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("color", sa.Text, primary_key=True),
        sa.Column("generation", sa.Integer, nullable=False),
        sa.Column("enabled", sa.Integer, nullable=False),
        one_of("color", "black", "white"),
        sa.CheckConstraint("generation >= 1", name="generation"),
        sa.CheckConstraint("enabled IN (0, 1)", name="enabled"),
        **STRICT,
    )
