"""The logs of games that were over long ago are packed, when `prune` comes to them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    """Make the table of them."""
    op.create_table(
        "old_log",
        sa.Column("game", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("events", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.id"], name="fk_old_log_game_game"),
        sa.PrimaryKeyConstraint("game", name="pk_old_log"),
        sqlite_strict=True,
    )
