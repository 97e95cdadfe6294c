"""Which address of ours a letter is from, and which ones people are answered from."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from godaemon.storage.columns import STRICT
from godaemon.storage.migrations.steps import texts

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Add the column, which nobody has yet, and the table."""
    op.add_column("outbox", *texts("ours", nullable=True))
    op.create_table(
        "answered_from",
        sa.Column("address", sa.Text, primary_key=True),
        sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),
        *texts("ours"),
        **STRICT,
    )
