"""Mailboxes that refuse our letters, who invites whom no more, and seats on their way."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from godaemon.storage.columns import NUMBERED, STRICT
from godaemon.storage.migrations.steps import texts

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the three tables."""
    op.create_table(
        "mailbox",
        sa.Column("address", sa.Text, primary_key=True),
        sa.Column("score", sa.REAL, nullable=False),
        *texts("at error"),
        sa.Column("suspended", sa.Text),
        **STRICT,
    )
    op.create_table(
        "block",
        sa.Column("address", sa.Text, primary_key=True),
        sa.Column("other", sa.Text, primary_key=True),
        **STRICT,
    )
    op.create_table(
        "transfer",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("game", sa.Integer, sa.ForeignKey("game.id")),
        *texts("old new nonce"),
        sa.Column("old_agreed", sa.Integer, nullable=False),
        sa.Column("new_agreed", sa.Integer, nullable=False),
        sa.CheckConstraint("old_agreed IN (0, 1)", name="old_agreed"),
        sa.CheckConstraint("new_agreed IN (0, 1)", name="new_agreed"),
        **NUMBERED,
    )
