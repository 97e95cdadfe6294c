"""No Message-IDs of letters that were fetched: nothing reads them, and they may name people."""

from __future__ import annotations

from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Take the column away."""
    op.drop_column("fetched", "message_id")
