"""What was spent of the quotas of letters to strangers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from godaemon.storage.columns import STRICT, not_negative

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Make the table of counters."""
    op.create_table(
        "quota",
        sa.Column("hour", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("spent", sa.Integer, nullable=False),
        not_negative("spent"),
        **STRICT,
    )
