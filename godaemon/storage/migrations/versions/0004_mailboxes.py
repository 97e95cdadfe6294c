"""Mailboxes that refuse our letters, who invites whom no more, and seats on their way."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "mailbox",
        sa.Column("address", sa.Text, primary_key=True),
        sa.Column("score", sa.REAL, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("error", sa.Text, nullable=False),
        sa.Column("suspended", sa.Text),
        sqlite_strict=True,
    )
    op.create_table(
        "block",
        sa.Column("address", sa.Text, primary_key=True),
        sa.Column("other", sa.Text, primary_key=True),
        sqlite_strict=True,
    )
    op.create_table(
        "transfer",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("game", sa.Integer, sa.ForeignKey("game.id")),
        sa.Column("old", sa.Text, nullable=False),
        sa.Column("new", sa.Text, nullable=False),
        sa.Column("nonce", sa.Text, nullable=False),
        sa.Column("old_agreed", sa.Integer, nullable=False),
        sa.Column("new_agreed", sa.Integer, nullable=False),
        sa.CheckConstraint("old_agreed IN (0, 1)", name="old_agreed"),
        sa.CheckConstraint("new_agreed IN (0, 1)", name="new_agreed"),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
