"""The part of a transaction that looks at all games and letters at once: for lists and counts.

Runs on the writer's thread, inside its transaction, where everybody waits meanwhile: nothing here
reads the rows of all games, letters or players, however many there are.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.engine import Connection
from sqlmodel import col

from godaemon.games.model import ENGINE, Phase
from godaemon.games.ports import GameSummary
from godaemon.storage.game_store import SUMMARY_COLUMNS, summary_of
from godaemon.storage.tables import GameAddressRow, GameRow, MailboxRow, QuarantineRow

_GOING = [phase.value for phase in Phase if not phase.over]


class SqlOverview:
    """All games, in one transaction."""

    _connection: Connection

    def page(self, before: int | None, most: int | None) -> Sequence[GameSummary]:
        """The newest games, of those with lower numbers than `before` if told; `most` of them."""
        query = select(*SUMMARY_COLUMNS).where(col(GameRow.phase).is_not(None))
        if before is not None:
            query = query.where(col(GameRow.id) < before)
        rows = self._connection.execute(query.order_by(col(GameRow.id).desc()).limit(most))
        return [summary_of(row) for row in rows.mappings()]

    def engine_games(self) -> Sequence[int]:
        """The games that are not over and in which a program has a seat; asked at the start only.

        All addresses are read, in their index: what comes after what is for a server's locale to
        say, and a range of them would not hold there.
        """
        owner = col(GameAddressRow.address)
        query = (
            select(col(GameAddressRow.game))
            .join(GameRow, col(GameRow.id) == col(GameAddressRow.game))
            .where(owner.startswith(ENGINE), col(GameRow.phase).in_(_GOING))
        )
        return sorted(set(self._connection.execute(query).scalars()))

    def quarantined_count(self) -> int:
        """How many letters are in quarantine."""
        return self._count(col(QuarantineRow.id).is_not(None))

    def suspended_count(self) -> int:
        """How many addresses nothing is sent to."""
        return self._count(col(MailboxRow.suspended).is_not(None))

    def _count(self, which: ColumnElement[bool]) -> int:
        return self._connection.execute(select(func.count()).where(which)).scalar_one()
