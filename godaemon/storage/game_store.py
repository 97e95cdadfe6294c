"""The games within a transaction: their logs, and a summary row of each for lists.

Runs on the writer's thread. Raises `Unknown`, `Stale`, `Damaged`.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, Select, bindparam, delete, func, insert, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError
from sqlmodel import col

from godaemon.errors import Damaged, Stale, Temporary, Unknown
from godaemon.games.events import LogEntry
from godaemon.games.game_clock import MAX_AHEAD
from godaemon.games.model import ENGINE_PREFIX, FORMER_NAME, OPEN_PHASES, STARTED_PHASES, Phase
from godaemon.games.stored_values import Alarm, GameSummary
from godaemon.storage import event_log, packed_logs
from godaemon.storage.columns import columns, insert_numbered
from godaemon.storage.connections import database_error
from godaemon.storage.deletion import as_json
from godaemon.storage.event_log import ChainHead, StoredEvent, check_chain
from godaemon.storage.mail_tables import HeldRow, OutboxRow
from godaemon.storage.prepared import Prepared
from godaemon.storage.tables import (
    EventRow,
    GameAddressRow,
    GameRow,
    KeptNoticeRow,
    OldLogRow,
    PendingMoveRow,
    SeatKeyRow,
    WatcherRow,
)

_SUMMARY_FIELDS = GameSummary.__match_args__
_SUMMARY = columns(GameRow, _SUMMARY_FIELDS)
# Raw values, which are checked and decoded after reading.
_EVENT = columns(EventRow, StoredEvent._fields)
_GAME: BindParameter[int] = bindparam("of_game")
# -- reading a log -----------------------------------------------------------------------------
_HEAD = Prepared(
    select(*columns(GameRow, (*ChainHead._fields, "damaged"))).where(col(GameRow.id) == _GAME)
)
_LOG = Prepared(
    select(*_EVENT)
    .where(col(EventRow.game) == _GAME, col(EventRow.number) >= bindparam("first"))
    .order_by(col(EventRow.number))
)
# -- appending to a log, and its row -----------------------------------------------------------
_APPEND = Prepared(insert(EventRow).inline())
_NOT_DAMAGED = col(GameRow.damaged).is_(None)
_NUMBER: Any = col(GameRow.id)
_WRITE = update(GameRow).where(col(GameRow.id) == _GAME)
_SUMMARY_SET = [name for name in _SUMMARY_FIELDS if name != "id"]
_WRITE_IF_UNCHANGED = Prepared(_WRITE.where(col(GameRow.digest) == bindparam("before")))
"""Updates no row if another daemon has appended to the log."""
# -- lists of games ----------------------------------------------------------------------------
SEARCH_BATCH = 250
"""The number of logs that one transaction searches for an address."""
_ALL = (
    select(*_SUMMARY)
    .where(col(GameRow.phase).is_not(None), _NOT_DAMAGED)
    .order_by(col(GameRow.id).desc())
)
_OF_ADDRESS = _ALL.join(GameAddressRow, col(GameAddressRow.game) == col(GameRow.id)).where(
    col(GameAddressRow.address) == bindparam("of_owner")
)
_COUNT_OF_ADDRESS = _OF_ADDRESS.order_by(None).with_only_columns(func.count())
_NEWEST_BY_OPPONENT = _ALL.where(
    col(GameRow.id).in_(
        select(func.max(col(GameRow.id)))
        .join(GameAddressRow, col(GameAddressRow.game) == col(GameRow.id))
        .where(
            col(GameAddressRow.address) == bindparam("of_owner"),
            col(GameRow.phase).in_(sorted(STARTED_PHASES)),
            _NOT_DAMAGED,
        )
        .group_by(col(GameRow.black), col(GameRow.white))
    )
)
_EVENTS_WITH_ADDRESSES = ("proposed", "taken", "countered", "recognised", "transferred")
"""The events that contain addresses."""
_CHILD_TABLES = (HeldRow, PendingMoveRow, KeptNoticeRow, SeatKeyRow, WatcherRow)


class SqlGames:
    """Games, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.changed_logs: set[int] = set()
        """The games whose logs have grown in this transaction."""
        self.rewritten: set[int] = set()
        """The games whose logs were rewritten in this transaction."""
        self._heads: dict[int, ChainHead] = {}
        """The ends of the logs that were read or appended to."""
        self._appended: dict[int, list[LogEntry]] = {}
        """The events that were appended in this transaction."""

    def create(self) -> int:
        """Create a game with an empty log; returns its number."""
        return insert_numbered(self._connection, insert(GameRow).values(phase=None))

    # -- logs ----------------------------------------------------------------------------------
    def log(self, game: int, first: int = 0) -> Sequence[LogEntry]:
        """The events of a game from number `first` on; raises `Unknown`, `Damaged`."""
        head, appended = self._head(game), self._appended.get(game, [])
        before = head.events - len(appended)
        if first >= before:
            return appended[first - before :]
        # The event before `first` is read too, for its digest.
        rows = self.rows(game, max(first - 1, 0))
        known, rows = (rows[:1], rows[1:]) if first else ([], rows)
        check_chain(game, rows, head, first, known[0].digest if known else "")
        return [event_log.read_entry(row) for row in rows]

    def _head(self, game: int) -> ChainHead:
        """The end of a log; raises `Unknown`, and `Damaged` for a game that is set aside."""
        known = self._heads.get(game)
        if known is None:
            row = _HEAD.row(self._connection, of_game=game)
            if row is None:
                raise _unknown_game(game)
            length, digest, damaged = row
            if damaged is not None:
                raise Damaged.of(game, None, damaged)
            known = self._heads[game] = ChainHead(length, digest)
        return known

    def rows(self, game: int, first: int = 0) -> list[StoredEvent]:
        """The rows of a log from number `first` on, unchecked; raises `Damaged` if unreadable."""
        try:
            found = _LOG.rows(self._connection, of_game=game, first=first)
            rows = [StoredEvent(*row) for row in found]
            if not rows or rows[0].number > first:
                rows = packed_logs.read_packed(self._connection, game)[first:] + rows
        except DBAPIError as fault:
            if isinstance(error := database_error(fault), Temporary):
                raise error from fault
            raise Damaged.of(game, None, "it cannot be read") from fault
        return rows

    def append(
        self,
        game: int,
        at: int,
        entries: Sequence[LogEntry],
        row: GameSummary | Alarm | None = None,
    ) -> None:
        """Append to a log of length `at`, and update its row; raises `Stale` for another length."""
        head = self._head(game)
        if head.events != at:
            raise _stale_game(game)
        if not entries:
            return
        rows = event_log.chain_rows(entries, at, head.digest)
        self._update_row(game, head, ChainHead(at + len(rows), rows[-1].digest), row)
        for one in rows:
            _APPEND.run(self._connection, game=game, **one._asdict())
        self._appended.setdefault(game, []).extend(entries)
        self.changed_logs.add(game)

    def _update_row(
        self, game: int, before: ChainHead, head: ChainHead, row: GameSummary | Alarm | None
    ) -> None:
        values: dict[str, object] = {"of_game": game, "before": before.digest, **head._asdict()}
        if row is not None:
            values |= _summary_row(row) if isinstance(row, GameSummary) else row._asdict()
        if not _WRITE_IF_UNCHANGED.run(self._connection, **values):
            # Another daemon was faster; this happens only on a database server.
            raise _stale_game(game)
        self._heads[game] = head

    # -- rewriting and packing logs ------------------------------------------------------------
    def games_naming(self, address: str, after: int) -> tuple[Sequence[int], int | None]:
        """The games in the batch after number `after` that contain an address, even damaged ones.

        Also returns the last number of the batch, or None after the last game.
        """
        last, last_row = after + SEARCH_BATCH, select(func.max(col(GameRow.id)))
        number, owner = col(GameAddressRow.game), col(GameAddressRow.address)
        seated = select(number).where(owner == address, number > after, number <= last)
        found = set(self._connection.execute(seated).scalars())
        text = f'"{as_json(address)}'
        found |= packed_logs.games_with(self._connection, _EVENTS_WITH_ADDRESSES, text, after, last)
        more = (self._connection.execute(last_row).scalar() or 0) > last
        return sorted(found), last if more else None

    def rewrite(self, game: int, entries: Sequence[LogEntry]) -> None:
        """Replace all events of a log by the same number of others; raises `Stale`."""
        if self._head(game).events != len(entries):
            raise _stale_game(game)
        self._replace(game, event_log.chain_rows(entries))
        self.changed_logs.add(game)

    def _replace(self, game: int, rows: Sequence[StoredEvent]) -> None:
        packed_logs.replace_events(self._connection, game, rows)
        digest = rows[-1].digest if rows else ""
        self._connection.execute(_WRITE.where(_NOT_DAMAGED), {"of_game": game, "digest": digest})
        self._note_rewriting(game)

    def _note_rewriting(self, game: int) -> None:
        self._heads.pop(game, None)
        self._appended.pop(game, None)
        self.rewritten.add(game)

    def pack_old(self, before: datetime, after: int) -> tuple[int, int | None]:
        """Pack some logs (`packed_logs.pack_some`); returns their number, and the next `after`."""
        games, last = packed_logs.pack_some(self._connection, before, after)
        for game in games:
            self._note_rewriting(game)
        return len(games), last

    def replace_text(self, game: int, address: str, other: str) -> None:
        """Replace an address everywhere in a log that cannot be read."""
        rows = packed_logs.read_unchecked(self._connection, game)
        self._replace(game, packed_logs.replace_address(rows, address, other))
        this = col(GameRow.id) == game
        held = self._connection.execute(select(col(GameRow.black), col(GameRow.white)).where(this))
        for name, holder in held.one()._asdict().items():
            if (holder or "").casefold() == address:
                gone = {name: other, f"{name}_name": FORMER_NAME}
                self._connection.execute(update(GameRow).where(this).values(gone))
        self._connection.execute(delete(GameAddressRow).filter_by(game=game, address=address))

    def erase(self, game: int) -> None:
        """Delete all about a game; its row stays, empty, so that its number is not reused."""
        for table in (*_CHILD_TABLES, OutboxRow, GameAddressRow, EventRow, OldLogRow):
            self._connection.execute(delete(table).where(col(table.game) == game))
        empty = dict.fromkeys(_SUMMARY_SET) | {"events": 0, "digest": ""}
        self._connection.execute(_WRITE, {"of_game": game, **empty})
        self._note_rewriting(game)
        self.changed_logs.add(game)

    # -- rows and lists of games ---------------------------------------------------------------
    def set_aside(self, game: int, why: str) -> None:
        """Mark a game as damaged, so that nothing reads it any more."""
        self._connection.execute(_WRITE.where(_NOT_DAMAGED), {"of_game": game, "damaged": why})

    def damaged_games(self) -> Sequence[tuple[int, str]]:
        """The games that are set aside, and why."""
        # Sorted in Python: for ORDER BY, SQLite would read all games every few seconds.
        query = select(col(GameRow.id), col(GameRow.damaged)).where(~_NOT_DAMAGED)
        rows = self._connection.execute(query)
        return sorted((number, str(why)) for number, why in rows if number)

    def set_summary(self, summary: GameSummary, addresses: Iterable[str]) -> None:
        """Write a game's summary row and its players' addresses; raises `Unknown`."""
        values = {"of_game": summary.id, **_summary_row(summary)}
        if not self._connection.execute(_WRITE, values).rowcount:
            raise _unknown_game(summary.id)
        self.set_addresses(summary.id, addresses)

    def set_addresses(self, game: int, addresses: Iterable[str]) -> None:
        """Set the addresses whose lists show a game; writes only the difference."""
        keys = {address.casefold() for address in addresses}
        owner, mine = col(GameAddressRow.address), col(GameAddressRow.game) == game
        known = set(self._connection.scalars(select(owner).where(mine)))
        if old := known - keys:
            self._connection.execute(delete(GameAddressRow).where(mine, owner.in_(old)))
        if new := keys - known:
            rows = [{"game": game, "address": address} for address in sorted(new)]
            self._connection.execute(insert(GameAddressRow), rows)

    def summaries(
        self,
        address: str | None = None,
        phases: Collection[Phase] | None = None,
        limit: int | None = None,
    ) -> Sequence[GameSummary]:
        """The games of an address (or all), in some phases (or any); the newest first."""
        query = _ALL if address is None else _OF_ADDRESS
        if phases is not None:
            query = query.where(col(GameRow.phase).in_(sorted(phases)))
        return self._read_summaries(query.limit(limit), address)

    def count_games(self, address: str) -> int:
        """The number of games of an address, finished ones included."""
        owner = {"of_owner": address.casefold()}
        return int(self._connection.execute(_COUNT_OF_ADDRESS, owner).scalar_one())

    def opponents(self, address: str) -> Sequence[GameSummary]:
        """An address's newest game with each opponent, if it has begun; the newest first."""
        return self._read_summaries(_NEWEST_BY_OPPONENT, address)

    def page(self, before: int | None, limit: int | None) -> Sequence[GameSummary]:
        """The newest games with numbers below `before`, at most `limit`, damaged ones included."""
        query = select(*_SUMMARY).where(col(GameRow.phase).is_not(None))
        if before is not None:
            query = query.where(col(GameRow.id) < before)
        return self._read_summaries(query.order_by(col(GameRow.id).desc()).limit(limit))

    def _read_summaries(self, query: Select[Any], address: str | None = None) -> list[GameSummary]:
        owner = {} if address is None else {"of_owner": address.casefold()}
        return [_read_summary(row) for row in self._connection.execute(query, owner)]

    def engine_games(self) -> Sequence[int]:
        """The games in progress with an engine in a seat."""
        # A range of addresses would depend on the server's locale.
        owner = col(GameAddressRow.address)
        query = (
            select(col(GameAddressRow.game))
            .join(GameRow, col(GameRow.id) == col(GameAddressRow.game))
            .where(
                owner.startswith(ENGINE_PREFIX),
                col(GameRow.phase).in_(sorted(OPEN_PHASES)),
                _NOT_DAMAGED,
            )
        )
        return sorted(set(self._connection.scalars(query)))

    # -- clocks --------------------------------------------------------------------------------
    def games_with_due_alarm(self, now: datetime, limit: int) -> Sequence[int]:
        """The games whose alarm is due or impossibly far ahead; the earliest alarm first."""
        alarm = col(GameRow.alarm)
        due = (alarm <= now) | (alarm > now + MAX_AHEAD)
        query = select(_NUMBER).where(due, _NOT_DAMAGED).order_by(alarm).limit(limit)
        return self._connection.scalars(query).all()

    def set_alarm(self, number: int, deadline: datetime | None, alarm: datetime | None) -> None:
        """Set when a game's flag falls, and when its clock is checked next; None for never."""
        values = {"of_game": number, "deadline": deadline, "alarm": alarm}
        self._connection.execute(_WRITE, values)

    def make_all_alarms_due(self, now: datetime) -> None:
        """Make the alarms of all running clocks due now."""
        later = (col(GameRow.deadline).is_not(None), col(GameRow.alarm) > now)
        self._connection.execute(update(GameRow).where(*later).values(alarm=now))

    def proposals_before(self, moment: datetime) -> Sequence[int]:
        """The unanswered proposals that were last changed before a moment."""
        proposed = col(GameRow.phase) == Phase.PROPOSED.value
        query = select(_NUMBER).where(proposed, col(GameRow.updated) < moment, _NOT_DAMAGED)
        return self._connection.scalars(query.order_by(_NUMBER)).all()

    def phase_counts(self) -> dict[str, int]:
        phase = col(GameRow.phase)
        query = select(phase, func.count()).where(phase.is_not(None)).group_by(phase)
        return {str(phase): count for phase, count in self._connection.execute(query)}

    def owners(self, after: str, limit: int) -> Sequence[tuple[str, int, int, datetime | None]]:
        """Up to `limit` players after address `after`.

        For each the address, the number of games, of games in progress, and the last change.
        """
        owner, number = col(GameAddressRow.address), col(GameAddressRow.game)
        going = func.count().filter(col(GameRow.phase).in_(sorted(OPEN_PHASES)))
        query = (
            select(owner, func.count(), going, func.max(col(GameRow.updated)))
            .join(GameRow, col(GameRow.id) == number)
            .where(owner > after, owner.contains("@"))
            .group_by(owner)
            .order_by(owner)
            .limit(limit)
        )
        return [(row[0], row[1], row[2], row[3]) for row in self._connection.execute(query)]

    def count_running_clocks(self) -> int:
        """The number of games whose clock runs."""
        running = (col(GameRow.alarm).is_not(None), col(GameRow.deadline).is_not(None))
        return self._connection.execute(select(func.count()).where(*running)).scalar_one()


def _summary_row(summary: GameSummary) -> dict[str, object]:
    return {**{name: getattr(summary, name) for name in _SUMMARY_SET}, "phase": summary.phase.value}


def _read_summary(row: Sequence[Any]) -> GameSummary:
    number, phase, *rest = row
    return GameSummary(number, Phase(phase), *rest)


def _unknown_game(game: int) -> Unknown:
    return Unknown(f"There is no game {game}.")


def _stale_game(game: int) -> Stale:
    return Stale(f"Game {game} has changed in the meantime.")
