"""The part of a transaction that concerns games: their logs, and a row of each for lists.

Runs on the writer's thread, inside its transaction. Raises `Unknown`, `Stale`, `Corrupt`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from datetime import datetime

from sqlalchemy import BindParameter, bindparam, delete, func, insert, select, update
from sqlalchemy.engine import Connection, RowMapping
from sqlalchemy.exc import IntegrityError
from sqlmodel import col

from godaemon.errors import Stale, Unknown
from godaemon.games import events
from godaemon.games.events import LogEntry
from godaemon.games.model import ENGINE, Phase
from godaemon.games.store_protocols import GameSummary
from godaemon.storage.columns import numbered
from godaemon.storage.tables import EventRow, GameAddressRow, GameRow

_SUMMARY_FIELDS = tuple(field.name for field in fields(GameSummary))
_SUMMARY = tuple(col(getattr(GameRow, name)) for name in _SUMMARY_FIELDS)
_EVENT = (
    col(EventRow.kind),
    col(EventRow.version),
    col(EventRow.payload),
    col(EventRow.at),
    col(EventRow.cause),
)
# What every move needs is built once: building a statement takes as long as running it.
_GAME: BindParameter[int] = bindparam("of_game")
_LOG = (
    select(*_EVENT)
    .where(col(EventRow.game) == _GAME, col(EventRow.number) >= bindparam("first"))
    .order_by(col(EventRow.number))
)
_LAST = select(func.max(EventRow.number)).where(col(EventRow.game) == _GAME)
_APPEND = insert(EventRow)
_THERE = select(col(GameRow.id)).where(col(GameRow.id) == _GAME)
_WRITE_SUMMARY = update(GameRow).where(col(GameRow.id) == _GAME)
_OWNERS = select(col(GameAddressRow.address)).where(col(GameAddressRow.game) == _GAME)
_GOING = [phase.value for phase in Phase if not phase.over]


class SqlGames:
    """Games, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.grown: set[int] = set()
        """The games whose logs have grown in this transaction."""
        self._lengths: dict[int, int] = {}
        """How long the logs are that this transaction has read to their end."""

    def create(self) -> int:
        """A new game's number; its log is empty."""
        return numbered(self._connection, insert(GameRow).values(phase=None))

    def log(self, game: int, after: int = 0) -> Sequence[LogEntry]:
        """The events of a game from number `after` on (0 is the first); raises `Unknown`."""
        if after >= self._lengths.get(game, after + 1):
            return []
        rows = self._connection.execute(_LOG, {"of_game": game, "first": after}).all()
        if rows:
            self._lengths[game] = after + len(rows)
        else:
            self._length(game)
        return [
            LogEntry(events.decode(kind, version, payload), at, cause)
            for kind, version, payload, at, cause in rows
        ]

    def append(self, game: int, at: int, entries: Sequence[LogEntry]) -> None:
        """Add events to a log that holds `at` of them; raises `Stale` if it holds others by now."""
        if self._length(game) != at:
            raise _stale(game)
        if not entries:
            return
        rows = [_event(game, number, entry) for number, entry in enumerate(entries, at)]
        try:
            self._connection.execute(_APPEND, rows)
        except IntegrityError as fault:
            # Another process was quicker; only a database server lets it come to this.
            raise _stale(game) from fault
        self._lengths[game] = at + len(rows)
        self.grown.add(game)

    def _length(self, game: int) -> int:
        known = self._lengths.get(game)
        if known is not None:
            return known
        last: int | None = self._connection.execute(_LAST, {"of_game": game}).scalar()
        if last is None:
            self._exists(game)
        self._lengths[game] = length = 0 if last is None else last + 1
        return length

    def _exists(self, game: int) -> None:
        if self._connection.execute(_THERE, {"of_game": game}).scalar() is None:
            raise Unknown(f"There is no game {game}.")

    def set_summary(self, summary: GameSummary, addresses: Iterable[str]) -> None:
        """Write a game's row for lists, and the addresses (as given) whose game it is."""
        row = {name: getattr(summary, name) for name in _SUMMARY_FIELDS if name != "id"}
        row |= {"of_game": summary.id, "phase": summary.phase.value}
        changed = self._connection.execute(_WRITE_SUMMARY, row)
        if not changed.rowcount:
            raise Unknown(f"There is no game {summary.id}.")
        self._belongs(summary.id, {address.casefold() for address in addresses})

    def _belongs(self, game: int, addresses: set[str]) -> None:
        known = set(self._connection.execute(_OWNERS, {"of_game": game}).scalars())
        if gone := known - addresses:
            mine = col(GameAddressRow.game) == game
            self._connection.execute(
                delete(GameAddressRow).where(mine, col(GameAddressRow.address).in_(gone))
            )
        if new := addresses - known:
            self._connection.execute(
                insert(GameAddressRow), [{"game": game, "address": one} for one in sorted(new)]
            )

    def summaries(self, address: str | None = None) -> Sequence[GameSummary]:
        """The games of an address (case does not count), or all; the newest first."""
        query = select(*_SUMMARY).where(col(GameRow.phase).is_not(None))
        if address is not None:
            query = query.join(GameAddressRow, col(GameAddressRow.game) == col(GameRow.id)).where(
                col(GameAddressRow.address) == address.casefold()
            )
        rows = self._connection.execute(query.order_by(col(GameRow.id).desc())).mappings()
        return [_summary(row) for row in rows]

    def page(self, before: int | None, most: int | None) -> Sequence[GameSummary]:
        """The newest games, of those with lower numbers than `before` if told; `most` of them."""
        query = select(*_SUMMARY).where(col(GameRow.phase).is_not(None))
        if before is not None:
            query = query.where(col(GameRow.id) < before)
        rows = self._connection.execute(query.order_by(col(GameRow.id).desc()).limit(most))
        return [_summary(row) for row in rows.mappings()]

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

    def proposals_before(self, moment: datetime) -> Sequence[int]:
        """The games still in phase `proposed` whose row was last written before a moment."""
        query = (
            select(col(GameRow.id))
            .where(col(GameRow.phase) == Phase.PROPOSED.value, col(GameRow.updated) < moment)
            .order_by(col(GameRow.id))
        )
        return [number for number in self._connection.execute(query).scalars() if number]

    def phases(self) -> dict[str, int]:
        """How many games there are in each phase."""
        query = (
            select(col(GameRow.phase), func.count())
            .where(col(GameRow.phase).is_not(None))
            .group_by(col(GameRow.phase))
        )
        return {str(phase): count for phase, count in self._connection.execute(query)}


def _event(game: int, number: int, entry: LogEntry) -> dict[str, object]:
    return {
        "game": game,
        "number": number,
        "kind": events.name(entry.event),
        "version": events.VERSION,
        "payload": events.encode(entry.event),
        "at": entry.at,
        "cause": entry.cause,
    }


def _summary(row: RowMapping) -> GameSummary:
    """A game's row for lists."""
    return GameSummary(**{**row, "phase": Phase(row["phase"])})


def _stale(game: int) -> Stale:
    return Stale(f"Game {game} has changed in the meantime.")
