"""A question whether seats shall move, or somebody be forgotten, says when it was asked."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from godaemon.storage.columns import stamp
from godaemon.system.clock import SystemClock

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    """Add the moment; those that wait already are as if they were asked now."""
    op.add_column("transfer", sa.Column("begun_at", sa.Text))
    transfer = sa.table("transfer", sa.column("begun_at", sa.Text))
    op.execute(transfer.update().values(begun_at=stamp(SystemClock().now())))
