"""Who watches games of others."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from godaemon.storage.columns import STRICT, not_negative

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "watcher",
        sa.Column("game", sa.Integer, sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("told", sa.Text, nullable=False),
        sa.Column("since", sa.Integer, nullable=False),
        sa.Column("due", sa.Text),
        not_negative("since"),
        **STRICT,
    )
    for column in ("key", "due"):
        op.create_index(f"ix_watcher_{column}", "watcher", [column])
