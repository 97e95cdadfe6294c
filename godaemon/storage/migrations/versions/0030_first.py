"""The tables of the first release, to which no step leads; `create_tables` makes the newest."""

from __future__ import annotations

revision = "0030"
down_revision = None
