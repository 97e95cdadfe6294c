"""The part of a transaction that concerns games: logs, headlines, and moves in pencil.

Runs on the writer's thread, inside its transaction. Raises `Unknown`, `Stale`, `Corrupt`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import BindParameter, bindparam, delete, func, insert, select, update
from sqlalchemy.engine import Connection, RowMapping
from sqlalchemy.exc import IntegrityError
from sqlmodel import col

from godaemon.errors import Stale, Unknown
from godaemon.games import events
from godaemon.games.events import LogEntry
from godaemon.games.model import Phase
from godaemon.games.ports import GameSummary
from godaemon.storage.columns import numbered
from godaemon.storage.tables import EventRow, GameAddressRow, GameRow, PencilRow

SUMMARY_COLUMNS = (
    col(GameRow.id),
    col(GameRow.phase),
    col(GameRow.size),
    col(GameRow.rules),
    col(GameRow.black),
    col(GameRow.white),
    col(GameRow.black_name),
    col(GameRow.white_name),
    col(GameRow.move_number),
    col(GameRow.to_move),
    col(GameRow.result),
    col(GameRow.updated),
)
"""The columns of a game's row for lists, of which `summary_of` makes a value."""
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
_WRITE_HEADLINE = update(GameRow).where(col(GameRow.id) == _GAME)
_OWNERS = select(col(GameAddressRow.address)).where(col(GameAddressRow.game) == _GAME)
_PENCIL = insert(PencilRow)
_RUB_OUT = delete(PencilRow).where(
    col(PencilRow.game) == _GAME, col(PencilRow.color) == bindparam("of_color")
)


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
        row = {
            "of_game": summary.id,
            "phase": summary.phase.value,
            "size": summary.size,
            "rules": summary.rules,
            "black": summary.black,
            "white": summary.white,
            "black_name": summary.black_name,
            "white_name": summary.white_name,
            "move_number": summary.move_number,
            "to_move": summary.to_move,
            "result": summary.result,
            "updated": summary.updated,
        }
        changed = self._connection.execute(_WRITE_HEADLINE, row)
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
        query = select(*SUMMARY_COLUMNS).where(col(GameRow.phase).is_not(None))
        if address is not None:
            query = query.join(GameAddressRow, col(GameAddressRow.game) == col(GameRow.id)).where(
                col(GameAddressRow.address) == address.casefold()
            )
        rows = self._connection.execute(query.order_by(col(GameRow.id).desc())).mappings()
        return [summary_of(row) for row in rows]

    def proposals_before(self, moment: datetime) -> Sequence[int]:
        """The games still in phase `proposed` whose row was last written before a moment."""
        query = (
            select(col(GameRow.id))
            .where(col(GameRow.phase) == Phase.PROPOSED.value, col(GameRow.updated) < moment)
            .order_by(col(GameRow.id))
        )
        return [number for number in self._connection.execute(query).scalars() if number]

    def save_pending_move(self, game: int, color: str, move: str | None, position_rev: int) -> None:
        """Save a seat's pending move ("D4", "pass"), or, with None, clear it."""
        self._connection.execute(_RUB_OUT, {"of_game": game, "of_color": color})
        if move is not None:
            self._exists(game)
            row = {"game": game, "color": color, "move": move, "position_rev": position_rev}
            self._connection.execute(_PENCIL, row)

    def pending_moves(self) -> Sequence[tuple[int, str, str, int]]:
        """All pending moves: game, colour, move, and the revision each was made at."""
        query = select(
            col(PencilRow.game),
            col(PencilRow.color),
            col(PencilRow.move),
            col(PencilRow.position_rev),
        ).order_by(col(PencilRow.game), col(PencilRow.color))
        return [(row[0], row[1], row[2], row[3]) for row in self._connection.execute(query)]

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


def summary_of(row: RowMapping) -> GameSummary:
    """A game's row for lists."""
    return GameSummary(**{**row, "phase": Phase(row["phase"])})


def _stale(game: int) -> Stale:
    return Stale(f"Game {game} has changed in the meantime.")
