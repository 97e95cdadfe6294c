"""What a player wants to be called."""

from __future__ import annotations

from godaemon.storage.migrations.steps import make_profiles, same

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Make the profiles anew, with a column more."""
    known = same("address zone digest_at digest_due plain")
    make_profiles("address zone digest_at digest_due name plain", known)
