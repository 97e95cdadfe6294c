"""What a player says of themselves, and the name under which they are on the list of players."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("CREATE TABLE old_profile AS SELECT * FROM profile")
    op.drop_table("profile")
    op.create_table(
        "profile",
        sa.Column("address", sa.Text, primary_key=True),
        sa.Column("zone", sa.Text, nullable=False),
        sa.Column("digest_at", sa.Integer),
        sa.Column("digest_due", sa.Text),
        sa.Column("name", sa.Text),
        sa.Column("plain", sa.Integer, nullable=False),
        sa.Column("vacations", sa.Text, nullable=False),
        sa.Column("weekends_off", sa.Integer, nullable=False),
        sa.Column("away_by_itself", sa.Integer, nullable=False),
        sa.Column("line", sa.Text),
        sa.Column("listed", sa.Text),
        sa.CheckConstraint("digest_at BETWEEN 0 AND 1439", name="digest_at"),
        sa.CheckConstraint("plain IN (0, 1)", name="plain"),
        sa.CheckConstraint("weekends_off IN (0, 1)", name="weekends_off"),
        sa.CheckConstraint("away_by_itself IN (0, 1)", name="away_by_itself"),
        sqlite_strict=True,
    )
    op.create_index("ix_profile_digest_due", "profile", ["digest_due"])
    op.execute("INSERT INTO profile SELECT *, NULL, NULL FROM old_profile")
    op.drop_table("old_profile")
