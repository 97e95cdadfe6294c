"""The logs of games that were over long ago are packed, when `prune` comes to them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from godaemon.storage.columns import STRICT

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    """Make the table of them."""
    op.create_table(
        "old_log",
        sa.Column(
            "game", sa.Integer, sa.ForeignKey("game.id"), primary_key=True, autoincrement=False
        ),
        sa.Column("events", sa.LargeBinary, nullable=False),
        **STRICT,
    )
