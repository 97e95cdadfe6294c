"""The part of a transaction that concerns games: their logs, and a row of each for lists.

Runs on the writer's thread, inside its transaction. Raises `Unknown`, `Stale`, `Damaged`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, bindparam, delete, func, insert, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError
from sqlmodel import col

from godaemon.errors import Damaged, Stale, Temporary, Unknown
from godaemon.games.events import LogEntry
from godaemon.games.game_clock import WRONG
from godaemon.games.model import BEGUN, ENGINE, FORMER_NAME, GOING, Phase
from godaemon.games.stored_values import Alarm, GameSummary
from godaemon.storage import event_log, packed_logs
from godaemon.storage.columns import columns, insert_numbered, names_of
from godaemon.storage.connections import database_error
from godaemon.storage.deletion import address_pattern, as_json
from godaemon.storage.event_log import ChainHead, StoredEvent, check_chain, event_digest
from godaemon.storage.prepared import Prepared
from godaemon.storage.tables import (
    EventRow,
    GameAddressRow,
    GameRow,
    HeldRow,
    KeptNoticeRow,
    OldLogRow,
    OutboxRow,
    PendingMoveRow,
    SeatKeyRow,
    WatcherRow,
)

_SUMMARY_FIELDS = names_of(GameSummary)
_SUMMARY = columns(GameRow, _SUMMARY_FIELDS)
# Raw values: they are checked and decoded after reading.
_EVENT = columns(EventRow, StoredEvent._fields)
_GAME: BindParameter[int] = bindparam("of_game")
_HEAD = Prepared(
    select(*columns(GameRow, (*ChainHead._fields, "damaged"))).where(col(GameRow.id) == _GAME)
)
_LOG = Prepared(
    select(*_EVENT)
    .where(col(EventRow.game) == _GAME, col(EventRow.number) >= bindparam("first"))
    .order_by(col(EventRow.number))
)
_APPEND = Prepared(insert(EventRow).inline(), ("game", *StoredEvent._fields))
_WHOLE = col(GameRow.damaged).is_(None)
_WRITE = update(GameRow).where(col(GameRow.id) == _GAME)
_SET_ASIDE = _WRITE.where(_WHOLE).values(damaged=bindparam("why"))
_SUMMARY_SET = [name for name in _SUMMARY_FIELDS if name != "id"]
_WRITE_SUMMARY = Prepared(_WRITE, _SUMMARY_SET)
_WRITE_ALARM = Prepared(_WRITE, Alarm._fields)
_GROW_ALONE, _GROW_WITH_ALARM, _GROW_WITH_SUMMARY = (
    Prepared(_WRITE.where(col(GameRow.digest) == bindparam("before")), (*ChainHead._fields, *names))
    for names in ((), Alarm._fields, _SUMMARY_SET)
)
_OWNERS = Prepared(select(col(GameAddressRow.address)).where(col(GameAddressRow.game) == _GAME))
LOGS_SEARCHED_AT_ONCE = 250
"""Logs that are searched for an address in one transaction."""
_ALL = (
    select(*_SUMMARY)
    .where(col(GameRow.phase).is_not(None), _WHOLE)
    .order_by(col(GameRow.id).desc())
)
_THEIRS = _ALL.join(GameAddressRow, col(GameAddressRow.game) == col(GameRow.id)).where(
    col(GameAddressRow.address) == bindparam("of_owner")
)
_HOW_MANY = _THEIRS.order_by(None).with_only_columns(func.count())
_NEWEST_WITH_EACH = _ALL.where(
    col(GameRow.id).in_(
        select(func.max(col(GameRow.id)))
        .join(GameAddressRow, col(GameAddressRow.game) == col(GameRow.id))
        .where(
            col(GameAddressRow.address) == bindparam("of_owner"),
            col(GameRow.phase).in_(sorted(BEGUN)),
            _WHOLE,
        )
        .group_by(col(GameRow.black), col(GameRow.white))
    )
)
_NAMING = ("proposed", "taken", "countered", "recognised", "transferred")
"""The events that hold addresses."""
_OF_GAME = (HeldRow, PendingMoveRow, KeptNoticeRow, SeatKeyRow, WatcherRow)


class SqlGames:
    """Games, in one transaction."""

    def __init__(self, connection: Connection, earlier: Iterable[SqlGames] = ()) -> None:
        """Takes over what the `earlier` parts of the same transaction have read and written."""
        self._connection = connection
        self.grown: set[int] = set()
        """The games whose logs have grown in this transaction."""
        self.rewritten: set[int] = set()
        """The games whose logs were rewritten in this transaction."""
        self._heads: dict[int, ChainHead] = {}
        """The ends of the logs that this transaction has looked at."""
        self._added: dict[int, list[StoredEvent]] = {}
        """The events that this transaction has added."""
        for one in earlier:
            self._take_over(one)

    def _take_over(self, earlier: SqlGames) -> None:
        self._heads |= earlier._heads
        for game, rows in earlier._added.items():
            self._added[game] = [*self._added.get(game, ()), *rows]
        for game in earlier.rewritten:
            self._forget(game)

    def _forget(self, game: int) -> None:
        self._heads.pop(game, None)
        self._added.pop(game, None)

    def create(self) -> int:
        return insert_numbered(self._connection, insert(GameRow).values(phase=None))

    def log(self, game: int, after: int = 0) -> Sequence[LogEntry]:
        """The events of a game from number `after` on (0 is the first).

        Raises `Unknown`, and `Damaged` for rows that are not as written: the game is set aside.
        """
        head = self._head(game)
        if after >= head.events:
            return []
        added = self._added.get(game)
        if added and after >= added[0].number:
            return [event_log.read_entry(row) for row in added[after - added[0].number :]]
        # One event more is read for its digest.
        rows = self._read_rows(game, max(after - 1, 0))
        known, rows = (rows[:1], rows[1:]) if after else ([], rows)
        check_chain(game, rows, head, after, known[0].digest if known else "")
        return [event_log.read_entry(row) for row in rows]

    def _read_rows(self, game: int, first: int) -> list[StoredEvent]:
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
        """Add events to a log of length `at`, and update its row; raises `Stale` if longer."""
        head = self._head(game)
        if head.events != at:
            raise _stale_game(game)
        if not entries:
            return
        rows = event_log.chain_rows(entries, at, head.digest)
        self._update_row(game, head, ChainHead(at + len(rows), rows[-1].digest), row)
        for one in rows:
            _APPEND.run(self._connection, game=game, **one._asdict())
        self._added.setdefault(game, []).extend(rows)
        self.grown.add(game)

    def _update_row(
        self, game: int, before: ChainHead, head: ChainHead, row: GameSummary | Alarm | None
    ) -> None:
        grow, values = _GROW_ALONE, dict[str, object]()
        if isinstance(row, GameSummary):
            grow, values = _GROW_WITH_SUMMARY, _summary_row(row)
        elif row is not None:
            grow, values = _GROW_WITH_ALARM, row._asdict()
        values |= {"of_game": game, "before": before.digest, **head._asdict()}
        if not grow.run(self._connection, **values):
            # Another daemon was quicker, which can only happen on a database server.
            raise _stale_game(game)
        self._heads[game] = head

    def games_naming(self, address: str, after: int) -> tuple[Sequence[int], int | None]:
        """The games that name an address, of a batch after number `after`, damaged ones included.

        With the last number of that batch; None if no games are left.
        """
        last, last_row = after + LOGS_SEARCHED_AT_ONCE, select(func.max(col(GameRow.id)))
        number, owner = col(GameAddressRow.game), col(GameAddressRow.address)
        seated = select(number).where(owner == address, number > after, number <= last)
        found = set(self._connection.execute(seated).scalars())
        text = f'"{as_json(address)}'
        found |= packed_logs.games_with(self._connection, _NAMING, text, after, last)
        more = (self._connection.execute(last_row).scalar() or 0) > last
        return sorted(found), last if more else None

    def rewrite(self, game: int, entries: Sequence[LogEntry]) -> None:
        """Replace the events of a log by as many others; raises `Stale` if it has changed."""
        if self._head(game).events != len(entries):
            raise _stale_game(game)
        self._replace(game, event_log.chain_rows(entries))
        self.grown.add(game)

    def _replace(self, game: int, rows: Sequence[StoredEvent]) -> None:
        packed_logs.replace_events(self._connection, game, rows)
        digest = rows[-1].digest if rows else ""
        self._connection.execute(_WRITE.where(_WHOLE), {"of_game": game, "digest": digest})
        self._forget(game)
        self.rewritten.add(game)

    def pack_old(self, before: datetime, after: int) -> tuple[int, int | None]:
        """Pack some logs (`packed_logs.pack_some`); returns how many, and where to go on."""
        games, last = packed_logs.pack_some(self._connection, before, after)
        for game in games:
            self._forget(game)
        self.rewritten.update(games)
        return len(games), last

    def replace_text(self, game: int, address: str, other: str) -> None:
        """Replace an address throughout a log that cannot be read."""
        pattern, rows, last = address_pattern(as_json(address)), list[StoredEvent](), ""
        for row in packed_logs.read_unchecked(self._connection, game):
            text, cause = pattern.sub(other, row.payload), row.cause.partition(":")[0]
            new = row._replace(payload=text, cause=cause)
            last = event_digest(last, new)
            rows.append(new._replace(digest=last))
        self._replace(game, rows)
        this = col(GameRow.id) == game
        held = self._connection.execute(select(col(GameRow.black), col(GameRow.white)).where(this))
        for name, holder in held.one()._asdict().items():
            if (holder or "").casefold() == address:
                gone = {name: other, f"{name}_name": FORMER_NAME}
                self._connection.execute(update(GameRow).where(this).values(gone))
        self._connection.execute(delete(GameAddressRow).filter_by(game=game, address=address))

    def erase(self, game: int) -> None:
        """Delete a game; its number stays taken."""
        for table in (*_OF_GAME, OutboxRow, GameAddressRow, EventRow, OldLogRow):
            self._connection.execute(delete(table).where(col(table.game) == game))
        empty = dict.fromkeys(_SUMMARY_SET, None)
        row = {"of_game": game, **empty, "events": 0, "digest": ""}
        self._connection.execute(_WRITE, row)
        self._forget(game)
        self.grown.add(game)
        self.rewritten.add(game)

    def _head(self, game: int) -> ChainHead:
        """The end of a log; raises `Unknown`, and `Damaged` for a game that is put aside."""
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

    def set_aside(self, game: int, why: str) -> None:
        self._connection.execute(_SET_ASIDE, {"of_game": game, "why": why})

    def damaged_games(self) -> Sequence[tuple[int, str]]:
        # Sorted in Python: for ORDER BY, SQLite would read all games, every few seconds.
        query = select(col(GameRow.id), col(GameRow.damaged)).where(~_WHOLE)
        rows = self._connection.execute(query)
        return sorted((number, str(why)) for number, why in rows if number)

    def set_summary(self, summary: GameSummary, addresses: Iterable[str]) -> None:
        if not _WRITE_SUMMARY.run(self._connection, of_game=summary.id, **_summary_row(summary)):
            raise _unknown_game(summary.id)
        self.set_addresses(summary.id, addresses)

    def set_addresses(self, game: int, given: Iterable[str]) -> None:
        addresses = {address.casefold() for address in given}
        known = {address for (address,) in _OWNERS.rows(self._connection, of_game=game)}
        if gone := known - addresses:
            mine = col(GameAddressRow.game) == game
            self._connection.execute(
                delete(GameAddressRow).where(mine, col(GameAddressRow.address).in_(gone))
            )
        if new := addresses - known:
            self._connection.execute(
                insert(GameAddressRow), [{"game": game, "address": one} for one in sorted(new)]
            )

    def summaries(
        self,
        address: str | None = None,
        phases: Collection[Phase] | None = None,
        most: int | None = None,
    ) -> Sequence[GameSummary]:
        """The newest games first: of an address in any case, in some phases, at most `most`."""
        query = _ALL if address is None else _THEIRS
        if phases is not None:
            query = query.where(col(GameRow.phase).in_(sorted(phases)))
        owner = {} if address is None else {"of_owner": address.casefold()}
        return [_read_summary(row) for row in self._connection.execute(query.limit(most), owner)]

    def count_games(self, address: str) -> int:
        owner = {"of_owner": address.casefold()}
        return int(self._connection.execute(_HOW_MANY, owner).scalar_one())

    def opponents(self, address: str) -> Sequence[GameSummary]:
        """The newest game that an address has begun with each opponent; the newest first."""
        owner = {"of_owner": address.casefold()}
        return [_read_summary(row) for row in self._connection.execute(_NEWEST_WITH_EACH, owner)]

    def page(self, before: int | None, most: int | None) -> Sequence[GameSummary]:
        """The newest games with numbers below `before`, at most `most`."""
        query = select(*_SUMMARY).where(col(GameRow.phase).is_not(None))
        if before is not None:
            query = query.where(col(GameRow.id) < before)
        rows = self._connection.execute(query.order_by(col(GameRow.id).desc()).limit(most))
        return [_read_summary(row) for row in rows]

    def engine_games(self) -> Sequence[int]:
        # A range of addresses would depend on the server's locale.
        owner = col(GameAddressRow.address)
        query = (
            select(col(GameAddressRow.game))
            .join(GameRow, col(GameRow.id) == col(GameAddressRow.game))
            .where(owner.startswith(ENGINE), col(GameRow.phase).in_(sorted(GOING)), _WHOLE)
        )
        return sorted(set(self._connection.execute(query).scalars()))

    def games_to_ring(self, now: datetime, most: int) -> Sequence[int]:
        """The games whose alarm is due, or too far off to be right; the earliest first."""
        alarm = col(GameRow.alarm)
        due = (alarm <= now) | (alarm > now + WRONG)
        query = select(col(GameRow.id)).where(due, _WHOLE).order_by(alarm).limit(most)
        return [number for number in self._connection.execute(query).scalars() if number]

    def set_alarm(self, number: int, deadline: datetime | None, alarm: datetime | None) -> None:
        _WRITE_ALARM.run(self._connection, of_game=number, deadline=deadline, alarm=alarm)

    def ring_all(self, now: datetime) -> None:
        later = (col(GameRow.deadline).is_not(None), col(GameRow.alarm) > now)
        self._connection.execute(update(GameRow).where(*later).values(alarm=now))

    def proposals_before(self, moment: datetime) -> Sequence[int]:
        """The open proposals whose row was last written before a moment."""
        old = (col(GameRow.phase) == Phase.PROPOSED.value, col(GameRow.updated) < moment, _WHOLE)
        query = select(col(GameRow.id)).where(*old).order_by(col(GameRow.id))
        return [number for number in self._connection.execute(query).scalars() if number]

    def phase_counts(self) -> dict[str, int]:
        phase = col(GameRow.phase)
        query = select(phase, func.count()).where(phase.is_not(None)).group_by(phase)
        return {str(phase): count for phase, count in self._connection.execute(query)}

    def owners(self, after: str, most: int) -> Sequence[tuple[str, int, int, datetime | None]]:
        """Players by address: their games, those still going on, and the last change."""
        owner, number = col(GameAddressRow.address), col(GameAddressRow.game)
        going = func.count().filter(col(GameRow.phase).in_(sorted(GOING)))
        query = (
            select(owner, func.count(), going, func.max(col(GameRow.updated)))
            .join(GameRow, col(GameRow.id) == number)
            .where(owner > after, owner.contains("@"))
            .group_by(owner)
            .order_by(owner)
            .limit(most)
        )
        return [(row[0], row[1], row[2], row[3]) for row in self._connection.execute(query)]

    def count_running_clocks(self) -> int:
        rings = (col(GameRow.alarm).is_not(None), col(GameRow.deadline).is_not(None))
        return self._connection.execute(select(func.count()).where(*rings)).scalar_one()


def _summary_row(summary: GameSummary) -> dict[str, object]:
    return {**{name: getattr(summary, name) for name in _SUMMARY_SET}, "phase": summary.phase.value}


def _read_summary(row: Sequence[Any]) -> GameSummary:
    number, phase, *rest = row
    return GameSummary(number, Phase(phase), *rest)


def _unknown_game(game: int) -> Unknown:
    return Unknown(f"There is no game {game}.")


def _stale_game(game: int) -> Stale:
    return Stale(f"Game {game} has changed in the meantime.")
