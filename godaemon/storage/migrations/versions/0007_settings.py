"""Which letters a player wants, in one game or in all, and those that a seat's program spares."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from godaemon.storage.columns import STRICT, one_of
from godaemon.storage.migrations.steps import make_players, same

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the players anew, with a row for each game, and the table of what is kept."""
    values = {"game": "0", **same("address receipts receipts_sent")}
    make_players(values, "all", "my-turn", "none", reviews=False)
    # The letter about receipts has become the one about all settings.
    op.execute("UPDATE outbox SET kind = 'settings' WHERE status = 'waiting' AND kind = 'receipts'")
    op.create_table(
        "kept",
        sa.Column("game", sa.Integer, sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("color", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("since", sa.Integer, nullable=False),
        sa.Column("until", sa.Integer, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        one_of("color", "black", "white"),
        **STRICT,
    )
