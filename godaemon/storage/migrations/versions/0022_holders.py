"""Whose a lease, a pending move and a kept notice is, where several daemons serve one database."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from godaemon.storage.columns import STRICT

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Add the columns, which nobody has yet, and the tables."""
    for table in ("outbox", "pencil", "kept"):
        op.add_column(table, sa.Column("holder", sa.Integer))
    op.create_table(
        "holder",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        **STRICT,
    )
    op.create_table(
        "next_key",
        sa.Column("replaced", sa.Text, primary_key=True),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("wrapped", sa.LargeBinary, nullable=False),
        **STRICT,
    )
