"""One email a day, and what players have told us of themselves."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
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
        sa.CheckConstraint("emails IN ('all', 'my-turn', 'daily', 'none')", name="emails"),
        sa.CheckConstraint("reviews IN (0, 1)", name="reviews"),
        sqlite_strict=True,
    )
    op.execute("INSERT INTO player SELECT * FROM old_player")
    op.drop_table("old_player")
    op.create_table(
        "profile",
        sa.Column("address", sa.Text, primary_key=True),
        sa.Column("zone", sa.Text, nullable=False),
        sa.Column("digest_at", sa.Integer),
        sa.Column("digest_due", sa.Text),
        sa.Column("plain", sa.Integer, nullable=False),
        sa.CheckConstraint("digest_at BETWEEN 0 AND 1439", name="digest_at"),
        sa.CheckConstraint("plain IN (0, 1)", name="plain"),
        sqlite_strict=True,
    )
    op.create_index("ix_profile_digest_due", "profile", ["digest_due"])
