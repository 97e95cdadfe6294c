"""Who wants a look back on a game when it is over."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
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
        sa.Column("reviews", sa.Integer),
        sa.CheckConstraint("receipts IN (0, 1)", name="receipts"),
        sa.CheckConstraint("receipts_sent >= 0", name="receipts_sent"),
        sa.CheckConstraint("emails IN ('all', 'my-turn', 'none')", name="emails"),
        sa.CheckConstraint("reviews IN (0, 1)", name="reviews"),
        sqlite_strict=True,
    )
    names = "address, game, receipts, receipts_sent, emails"
    op.execute(f"INSERT INTO player ({names}) SELECT {names} FROM old_player")  # noqa: S608 - our own names
    op.drop_table("old_player")
