"""Who wants a look back on a game when it is over."""

from __future__ import annotations

import sqlalchemy as sa

from godaemon.storage.columns import STRICT, not_negative, one_of
from godaemon.storage.migrations.steps import make_anew, same

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Make the players anew, with a column more."""
    make_anew(
        "player",
        same("address game receipts receipts_sent emails"),
        sa.Column("address", sa.Text, primary_key=True),
        sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("receipts", sa.Integer),
        sa.Column("receipts_sent", sa.Integer, nullable=False),
        sa.Column("emails", sa.Text),
        sa.Column("reviews", sa.Integer),
        sa.CheckConstraint("receipts IN (0, 1)", name="receipts"),
        not_negative("receipts_sent"),
        one_of("emails", "all", "my-turn", "none"),
        sa.CheckConstraint("reviews IN (0, 1)", name="reviews"),
        **STRICT,
    )
