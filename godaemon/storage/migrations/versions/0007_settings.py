"""Which letters a player wants, in one game or in all, and those that a seat's program spares."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("CREATE TABLE old_player AS SELECT * FROM player")
    op.drop_table("player")
    op.create_table(
        "player",
        sa.Column("address", sa.Text, primary_key=True),
        sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("receipts", sa.Integer),
        sa.Column("receipts_sent", sa.Integer, nullable=False),
        sa.Column("emails", sa.Text),
        sa.CheckConstraint("receipts IN (0, 1)", name="receipts"),
        sa.CheckConstraint("receipts_sent >= 0", name="receipts_sent"),
        sa.CheckConstraint("emails IN ('all', 'my-turn', 'none')", name="emails"),
        sqlite_strict=True,
    )
    op.execute(
        "INSERT INTO player (address, game, receipts, receipts_sent)"
        " SELECT address, 0, receipts, receipts_sent FROM old_player"
    )
    op.drop_table("old_player")
    # The letter about receipts has become the one about all settings.
    op.execute("UPDATE outbox SET kind = 'settings' WHERE status = 'waiting' AND kind = 'receipts'")
    op.create_table(
        "kept",
        sa.Column("game", sa.Integer, sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("color", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("since", sa.Integer, nullable=False),
        sa.Column("until", sa.Integer, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.CheckConstraint("color IN ('black', 'white')", name="color"),
        sqlite_strict=True,
    )
