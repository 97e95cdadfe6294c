"""Games without a clock are looked at now and then, however often somebody writes in them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"

_GAMES = sa.table("game", sa.column("phase"), sa.column("alarm"), sa.column("updated"))


def upgrade() -> None:
    """Have all of them looked at soon; that tells each when to be looked at next."""
    going = _GAMES.c.phase.in_(["playing", "scoring"]) & _GAMES.c.alarm.is_(None)
    op.execute(sa.update(_GAMES).where(going).values(alarm=_GAMES.c.updated))
