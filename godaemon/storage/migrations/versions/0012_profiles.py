"""One email a day, and what players have told us of themselves."""

from __future__ import annotations

from godaemon.storage.migrations.steps import make_players, make_profiles, same

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Make the players anew, who may want one email a day, and the table of profiles."""
    known = same("address game receipts receipts_sent emails reviews")
    make_players(known, "all", "my-turn", "daily", "none")
    make_profiles("address zone digest_at digest_due plain")
