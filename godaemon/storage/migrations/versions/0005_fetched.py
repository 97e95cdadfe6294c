"""The letters of an IMAP mailbox that have been looked at."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from godaemon.storage.columns import STRICT, one_of
from godaemon.storage.migrations.steps import texts

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the table of what was fetched."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "fetched",
        sa.Column("box", sa.Text, primary_key=True),
        sa.Column("validity", number, primary_key=True, autoincrement=False),
        sa.Column("uid", number, primary_key=True, autoincrement=False),
        *texts("message_id filed at"),
        one_of("filed", "owed", "done", "left"),
        **STRICT,
    )
