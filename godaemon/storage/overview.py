"""The part of a transaction that looks at all games and letters at once: for lists and counts.

Runs on the writer's thread, inside its transaction, where everybody waits meanwhile: nothing here
takes longer because there are more games, letters or players than before.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.engine import Connection
from sqlmodel import col

from godaemon.games.model import ENGINE, Phase
from godaemon.games.store import Headline
from godaemon.storage.logs import HEADLINE, headline_of
from godaemon.storage.tables import GameAddressRow, GameRow, MailboxRow, QuarantineRow

_GOING = [phase.value for phase in Phase if not phase.over]
_AFTER_ENGINE = ENGINE[:-1] + chr(ord(ENGINE[-1]) + 1)


class Overview:
    """All games, in one transaction."""

    _connection: Connection

    def page(self, before: int | None, most: int | None) -> Sequence[Headline]:
        """The newest games, of those with lower numbers than `before` if told; `most` of them."""
        query = select(*HEADLINE).where(col(GameRow.phase).is_not(None))
        if before is not None:
            query = query.where(col(GameRow.id) < before)
        rows = self._connection.execute(query.order_by(col(GameRow.id).desc()).limit(most))
        return [headline_of(row) for row in rows.mappings()]

    def engine_games(self) -> Sequence[int]:
        """The games that are not over and in which a program has a seat."""
        owner = col(GameAddressRow.address)
        query = (
            select(col(GameAddressRow.game))
            .join(GameRow, col(GameRow.id) == col(GameAddressRow.game))
            .where(owner >= ENGINE, owner < _AFTER_ENGINE, col(GameRow.phase).in_(_GOING))
        )
        return sorted(set(self._connection.execute(query).scalars()))

    def parked_count(self) -> int:
        """How many letters are in quarantine."""
        return self._count(col(QuarantineRow.id).is_not(None))

    def suspended_count(self) -> int:
        """How many addresses nothing is sent to."""
        return self._count(col(MailboxRow.suspended).is_not(None))

    def _count(self, which: ColumnElement[bool]) -> int:
        return self._connection.execute(select(func.count()).where(which)).scalar_one()
