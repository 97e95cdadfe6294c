"""What a player says of themselves, and the name under which they are on the list of players."""

from __future__ import annotations

from godaemon.storage.migrations.steps import make_profiles, same

revision = "0015"
down_revision = "0014"


_BEFORE = "address zone digest_at digest_due name plain vacations weekends_off away_by_itself"


def upgrade() -> None:
    """Make the profiles anew, with two columns more."""
    make_profiles(f"{_BEFORE} line listed", same(_BEFORE))
