"""Who wants a look back on a game when it is over."""

from __future__ import annotations

from godaemon.storage.migrations.steps import make_players, same

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Make the players anew, with a column more."""
    known = same("address game receipts receipts_sent emails")
    make_players(known, "all", "my-turn", "none")
