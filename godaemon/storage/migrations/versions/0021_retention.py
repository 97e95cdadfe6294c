"""Letters that came long ago are known by a hash alone; the others are found by when they came."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Make the table of such hashes, and the index."""
    op.create_table(
        "old_inbox",
        sa.Column("fingerprint", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("fingerprint", name="pk_old_inbox"),
        sqlite_strict=True,
    )
    op.create_index("ix_inbox_at", "inbox", ["at"])
