"""Free boards that outlive their sessions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from godaemon.storage.columns import NUMBERED, not_negative
from godaemon.storage.migrations.steps import texts

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table of boards."""
    op.create_table(
        "board",
        sa.Column("id", sa.Integer, primary_key=True),
        *texts("sgf size"),
        sa.Column("move_number", sa.Integer, nullable=False),
        *texts("opened updated"),
        not_negative("move_number"),
        **NUMBERED,
    )
    op.create_index("ix_board_updated", "board", ["updated"])
