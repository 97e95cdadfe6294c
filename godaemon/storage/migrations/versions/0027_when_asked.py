"""A question whether seats shall move, or somebody be forgotten, says when it was asked."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    """Add the moment; those that wait already may be answered at any time."""
    op.add_column("transfer", sa.Column("begun_at", sa.Text))
