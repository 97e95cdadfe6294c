"""Free boards that outlive their sessions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "board",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("sgf", sa.Text, nullable=False),
        sa.Column("size", sa.Text, nullable=False),
        sa.Column("move_number", sa.Integer, nullable=False),
        sa.Column("opened", sa.Text, nullable=False),
        sa.Column("updated", sa.Text, nullable=False),
        sa.CheckConstraint("move_number >= 0", name="move_number"),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
    op.create_index("ix_board_updated", "board", ["updated"])
