"""What each of several daemons has spent: rows of its own, so that none waits for another."""

from __future__ import annotations

import sqlalchemy as sa

from godaemon.storage.columns import STRICT, not_negative
from godaemon.storage.migrations.steps import make_anew, same

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Give the counters a holder; who still runs without one counts for nobody."""
    make_anew(
        "quota",
        same("hour name spent"),
        sa.Column("hour", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("holder", sa.Integer, primary_key=True, autoincrement=False, server_default="0"),
        sa.Column("spent", sa.Integer, nullable=False),
        not_negative("spent"),
        **STRICT,
    )
