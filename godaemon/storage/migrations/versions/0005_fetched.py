"""The letters of an IMAP mailbox that have been looked at."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "fetched",
        sa.Column("box", sa.Text, primary_key=True),
        sa.Column("validity", number, primary_key=True, autoincrement=False),
        sa.Column("uid", number, primary_key=True, autoincrement=False),
        sa.Column("message_id", sa.Text, nullable=False),
        sa.Column("filed", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.CheckConstraint("filed IN ('owed', 'done', 'left')", name="filed"),
        sqlite_strict=True,
    )
