"""Letters that came long ago are known by a hash alone; the others are found by when they came."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from godaemon.storage.columns import STRICT

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Make the table of such hashes, and the index."""
    op.create_table(
        "old_inbox",
        sa.Column("fingerprint", sa.LargeBinary, primary_key=True),
        **STRICT,
    )
    op.create_index("ix_inbox_at", "inbox", ["at"])
