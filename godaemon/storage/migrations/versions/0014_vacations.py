"""When a player is on vacation, and whether their weekends are off."""

from __future__ import annotations

from godaemon.storage.migrations.steps import make_profiles, same

revision = "0014"
down_revision = "0013"


_BEFORE = "address zone digest_at digest_due name plain"


def upgrade() -> None:
    """Make the profiles anew, with three columns more."""
    new = {"vacations": "''", "weekends_off": "0", "away_by_itself": "0"}
    make_profiles(f"{_BEFORE} {' '.join(new)}", {**same(_BEFORE), **new})
