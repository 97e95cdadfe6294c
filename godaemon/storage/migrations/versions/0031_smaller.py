"""Smaller rows for letters of long ago; no more keys and numbers of daemons in the database."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    """Keep the first 64 bits of each hash."""
    op.drop_table("next_key")
    op.drop_table("holder")
    if op.get_bind().dialect.name != "sqlite":
        bits = "('x' || encode(substring(fingerprint, 1, 8), 'hex'))::bit(64)::bigint"
        op.execute(f"ALTER TABLE old_inbox ALTER COLUMN fingerprint TYPE BIGINT USING {bits}")
        return
    op.rename_table("old_inbox", "old_hashes")
    number = sa.Column("fingerprint", sa.Integer, primary_key=True, autoincrement=False)
    op.create_table("old_inbox", number, sqlite_strict=True)
    bound: Any = op.get_bind()
    bound.connection.driver_connection.create_function(
        "first_bits", 1, first_bits, deterministic=True
    )
    op.execute(
        "INSERT OR IGNORE INTO old_inbox SELECT first_bits(fingerprint) FROM old_hashes ORDER BY 1"
    )
    op.drop_table("old_hashes")


def first_bits(hash_: bytes) -> int:
    """The first 64 bits of a hash as a number with a sign."""
    return int.from_bytes(hash_[:8], signed=True)
