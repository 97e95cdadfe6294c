"""How a player would have boards look in their letters."""

from __future__ import annotations

from godaemon.storage.migrations.steps import make_profiles, same

revision = "0018"
down_revision = "0017"


_BEFORE = (
    "address zone digest_at digest_due name plain vacations weekends_off away_by_itself line listed"
)


def upgrade() -> None:
    """Make the profiles anew, with a column more."""
    make_profiles(f"{_BEFORE} boards", same(_BEFORE))
