"""An index on the game of letters that wait for a yes: some are never answered, and stay."""

from __future__ import annotations

from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the index."""
    op.create_index("ix_held_game", "held", ["game"])
