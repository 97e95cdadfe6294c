"""One email a day, and what players have told us of themselves."""

from __future__ import annotations

import sqlalchemy as sa

from godaemon.storage.columns import STRICT, not_negative, one_of
from godaemon.storage.migrations.steps import make_anew, make_profiles, same

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Make the players anew, who may want one email a day, and the table of profiles."""
    make_anew(
        "player",
        same("address game receipts receipts_sent emails reviews"),
        sa.Column("address", sa.Text, primary_key=True),
        sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("receipts", sa.Integer),
        sa.Column("receipts_sent", sa.Integer, nullable=False),
        sa.Column("emails", sa.Text),
        sa.Column("reviews", sa.Integer),
        sa.CheckConstraint("receipts IN (0, 1)", name="receipts"),
        not_negative("receipts_sent"),
        one_of("emails", "all", "my-turn", "daily", "none"),
        sa.CheckConstraint("reviews IN (0, 1)", name="reviews"),
        **STRICT,
    )
    make_profiles("address zone digest_at digest_due plain")
