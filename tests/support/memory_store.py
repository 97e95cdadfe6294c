"""A fast store in memory that passes the contract tests of the real one.

SQLite in memory takes twice as long for a letter (12 ms, not 6), and at least ten times as long to
copy. The scenes need 6000 letters and 8000 copies.

It subclasses the real stores for their signatures, and overrides every method that tests of games
and letters call:

    writer = MemoryWriter()
    number = writer.run_sync(lambda unit: unit.games.create())
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from typing import Any, TypeVar

from godaemon.errors import Stale, Temporary, Unknown
from godaemon.games import events
from godaemon.games.events import LogEntry
from godaemon.games.game_clock import MAX_AHEAD
from godaemon.games.model import ENGINE_PREFIX, STARTED_PHASES, Phase
from godaemon.games.notices import DueNotice, Kind, Notice
from godaemon.games.player_settings import Preferences, Profile
from godaemon.games.stored_values import (
    Alarm,
    BouncingAddress,
    GameSummary,
    KeptNotice,
    RatedGame,
    SeatKeyState,
    Transfer,
    Watcher,
)
from godaemon.storage.deletion import replace_names
from godaemon.storage.game_store import SqlGames
from godaemon.storage.inbox_store import SqlImap, SqlInbox
from godaemon.storage.outbox_store import SqlOutbox
from godaemon.storage.player_store import SqlPlayers, SqlQuotas, SqlWatchers
from godaemon.storage.seat_store import SqlSeats
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import Committed
from mailgate.reading.inbound_letter import HeldLetter, InboundLetter, QuarantinedLetter
from mailgate.receiving.imap_responses import FetchState

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class QueuedNotice:
    """A notice in the outbox with its delivery state."""

    due: DueNotice
    due_at: datetime
    lease: datetime | None = None
    status: str = "waiting"
    error: str | None = None


@dataclass(slots=True)
class State:
    """All tables. Their values are immutable, so a shallow copy of each table suffices."""

    logs: dict[int, tuple[LogEntry, ...]] = field(default_factory=dict)
    summaries: dict[int, GameSummary] = field(default_factory=dict)
    addresses: dict[int, frozenset[str]] = field(default_factory=dict)
    outbox: dict[int, QueuedNotice] = field(default_factory=dict)
    inbox: dict[str, str] = field(default_factory=dict)
    held: dict[int, HeldLetter] = field(default_factory=dict)
    quarantined: dict[int, QuarantinedLetter] = field(default_factory=dict)
    preferences: dict[tuple[str, int], Preferences] = field(default_factory=dict)
    profiles: dict[str, Profile] = field(default_factory=dict)
    kept: dict[tuple[int, str], KeptNotice] = field(default_factory=dict)
    key_states: dict[tuple[int, str], SeatKeyState] = field(default_factory=dict)
    bouncing: dict[str, BouncingAddress] = field(default_factory=dict)
    blocks: dict[tuple[str, str], bool] = field(default_factory=dict)
    watchers: dict[tuple[int, str], Watcher] = field(default_factory=dict)
    transfers: dict[int, Transfer] = field(default_factory=dict)
    fetched: dict[tuple[str, int, int], FetchState] = field(default_factory=dict)
    quotas: dict[str, Mapping[int, int]] = field(default_factory=dict)
    """Uses by name and hour."""
    numbers: dict[str, int] = field(default_factory=dict)
    rated: dict[tuple[str, int], RatedGame] = field(default_factory=dict)
    answered_from: dict[tuple[str, int], str] = field(default_factory=dict)

    def copy(self) -> "State":
        return State(*(dict(getattr(self, one.name)) for one in fields(self)))

    def number(self, table: str) -> int:
        self.numbers[table] = number = self.numbers.get(table, 0) + 1
        return number

    def check(self, game: int) -> None:
        """Raises `Unknown` for a missing game."""
        if game not in self.logs:
            raise Unknown(f"There is no game {game}.")


class Part:
    """One of the stores of a unit."""

    def __init__(self, state: State) -> None:
        self.state = state


class MemoryGames(Part, SqlGames):
    """Logs and summaries of games."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.changed_logs: set[int] = set()

    def create(self) -> int:
        number = self.state.number("game")
        self.state.logs[number] = ()
        return number

    def log(self, game: int, first: int = 0) -> Sequence[LogEntry]:
        self.state.check(game)
        return list(self.state.logs[game][first:])

    def append(
        self,
        game: int,
        at: int,
        entries: Sequence[LogEntry],
        row: GameSummary | Alarm | None = None,
    ) -> None:
        self.state.check(game)
        log = self.state.logs[game]
        if len(log) != at:
            raise Stale(f"Game {game} has changed in the meantime.")
        if entries:
            self.state.logs[game] = log + tuple(map(_reread, entries))
            self.changed_logs.add(game)
        if entries and isinstance(row, GameSummary):
            self.state.summaries[game] = row
        elif entries and row is not None:
            self.set_alarm(game, row.deadline, row.alarm)

    def set_summary(self, summary: GameSummary, addresses: Iterable[str]) -> None:
        self.state.check(summary.id)
        self.state.summaries[summary.id] = summary
        self.set_addresses(summary.id, addresses)

    def set_addresses(self, game: int, given: Iterable[str]) -> None:
        self.state.addresses[game] = frozenset(one.casefold() for one in given)

    def summaries(
        self,
        address: str | None = None,
        phases: Collection[Phase] | None = None,
        limit: int | None = None,
    ) -> Sequence[GameSummary]:
        return [
            row
            for row in self.page(None, None)
            if address is None or address.casefold() in self.state.addresses.get(row.id, ())
            if phases is None or row.phase in phases
        ][:limit]

    def count_games(self, address: str) -> int:
        return len(self.summaries(address))

    def opponents(self, address: str) -> Sequence[GameSummary]:
        found: dict[tuple[str, str], GameSummary] = {}
        for row in self.summaries(address, STARTED_PHASES):
            found.setdefault((row.black, row.white), row)
        return list(found.values())

    def page(self, before: int | None, limit: int | None) -> Sequence[GameSummary]:
        rows = [summary for _, summary in sorted(self.state.summaries.items(), reverse=True)]
        return [row for row in rows if before is None or row.id < before][:limit]

    def proposals_before(self, moment: datetime) -> Sequence[int]:
        old = [row for row in self.summaries(phases={Phase.PROPOSED}) if row.updated < moment]
        return [row.id for row in reversed(old)]

    def engine_games(self) -> Sequence[int]:
        return [
            row.id
            for row in reversed(self.page(None, None))
            if not row.phase.over
            and any(one.startswith(ENGINE_PREFIX) for one in self.state.addresses.get(row.id, ()))
        ]

    def set_alarm(self, number: int, deadline: datetime | None, alarm: datetime | None) -> None:
        row = self.state.summaries[number]
        self.state.summaries[number] = replace(row, deadline=deadline, alarm=alarm)

    def make_all_alarms_due(self, now: datetime) -> None:
        for number, row in self.state.summaries.items():
            if row.deadline is not None and row.alarm is not None and row.alarm > now:
                self.state.summaries[number] = replace(row, alarm=now)

    def games_with_due_alarm(self, now: datetime, limit: int) -> Sequence[int]:
        rung = [
            (row.alarm, row.id)
            for row in self.state.summaries.values()
            if row.alarm is not None and not now < row.alarm <= now + MAX_AHEAD
        ]
        return [number for _, number in sorted(rung)[:limit]]

    def games_naming(self, address: str, after: int) -> tuple[Sequence[int], int | None]:
        named = [
            number
            for number, log in sorted(self.state.logs.items())
            if address in self.state.addresses.get(number, ())
            or any(f'"{address}' in events.encode(one.event).lower() for one in log)
        ]
        return [number for number in named if number > after], None

    def rewrite(self, game: int, entries: Sequence[LogEntry]) -> None:
        if len(self.state.logs[game]) != len(entries):
            raise Stale(f"Game {game} has changed in the meantime.")
        self.state.logs[game] = tuple(map(_reread, entries))
        self.changed_logs.add(game)

    def erase(self, game: int) -> None:
        self.state.logs[game] = ()
        self.state.summaries.pop(game, None)
        self.state.addresses.pop(game, None)
        for key in [one for one in self.state.watchers if one[0] == game]:
            del self.state.watchers[key]
        self.changed_logs.add(game)


class MemoryOutbox(Part, SqlOutbox):
    """Queued notices and their delivery state."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.new_notices: list[Notice] = []

    def queue(self, notice: Notice, now: datetime) -> str:
        if self._suspended(notice.to):
            return ""
        number = self.state.number("outbox")
        if notice.our_address is None:
            key = (notice.to.casefold(), notice.game or 0)
            notice = replace(notice, our_address=self.state.answered_from.get(key))
        about = json.loads(json.dumps(dict(notice.about)))
        due = DueNotice(number, f"{number:016x}", replace(notice, about=about), 0, now, None, None)
        self.state.outbox[number] = QueuedNotice(due, now)
        self.new_notices.append(notice)
        return due.uid

    def count_queued(
        self,
        kinds: Iterable[Kind],
        since: datetime,
        *,
        to: str | None = None,
        by: str | None = None,
    ) -> int:
        return len(self._select_queued(set(kinds), since, to, by))

    def queued_facts(
        self, kind: Kind, since: datetime, *, to: str, by: str
    ) -> Sequence[Mapping[str, Any]]:
        return [notice.about for notice in self._select_queued({kind}, since, to, by)]

    def _select_queued(
        self, kinds: set[Kind], since: datetime, to: str | None, by: str | None
    ) -> list[Notice]:
        dues = (queued.due for queued in self.state.outbox.values())
        notices = (due.notice for due in dues if due.queued_at >= since)
        return [
            one
            for one in notices
            if one.kind in kinds
            and (to is None or one.to.casefold() == to.casefold())
            and (by is None or one.by.casefold() == by.casefold())
        ]

    def sent_notice(self, uid: str) -> Notice | None:
        found = self._gone(uid)
        return None if found is None else found.due.notice

    def record_bounce(
        self, uid: str, error: str, now: datetime, since: datetime | None = None
    ) -> bool:
        found = self._gone(uid)
        if found is None or found.status == "undeliverable":
            return False
        if since is not None and found.due_at < since:
            return False
        self._update_row(found.due.id, status="undeliverable", error=error, due_at=now, lease=None)
        return True

    def was_answered(self, uid: str) -> bool:
        found = self._gone(uid)
        return found is not None and any(
            queued.due.notice.by.casefold() == found.due.notice.to.casefold()
            and queued.due.notice.kind not in (Kind.UNREACHABLE, Kind.INVITATION)
            and queued.due.queued_at > found.due.queued_at
            for queued in self.state.outbox.values()
        )

    def has_unsent(self, address: str, since: datetime) -> bool:
        theirs = {one for one, known in self.state.addresses.items() if address in known}
        return any(
            one.due.queued_at > since
            and (one.due.notice.to.casefold() == address or one.due.notice.game in theirs)
            for one in self._reached()
        )

    def forget_names(self, game: int, names: Collection[str]) -> None:
        for number, queued in list(self.state.outbox.items()):
            if queued.due.notice.game != game:
                continue
            waits = queued.status == "waiting"
            about = replace_names(dict(queued.due.notice.about), names) if waits else {}
            self._set_due(number, letter=None, notice=replace(queued.due.notice, about=about))

    def find_by_message_id(self, message_id: str) -> tuple[str, Notice | None]:
        for due in (queued.due for queued in self.state.outbox.values() if message_id):
            if (due.message_id or "").lower() == message_id.lower():
                return due.uid, due.notice
        return "", None

    def claim(
        self, now: datetime, seconds: float, limit: int, except_kind: Kind | None = None
    ) -> Sequence[DueNotice]:
        waiting = sorted(
            self._reached(except_kind), key=lambda queued: (queued.due_at, queued.due.id)
        )
        taken = [queued.due for queued in waiting if queued.due_at <= now][:limit]
        until = now + timedelta(seconds=seconds)
        for due in taken:
            self._set_due(due.id, attempts=due.attempts + 1)
            self._update_row(due.id, due_at=until, lease=until)
        return taken

    def store_letter(
        self, number: int, message_id: str, letter: bytes, more: Mapping[str, Any] | None = None
    ) -> bool:
        if leased := self.has_lease(number):
            notice = self.state.outbox[number].due.notice
            notice = replace(notice, about={**notice.about, **(more or {})})
            self._set_due(number, message_id=message_id, letter=letter, notice=notice)
        return leased

    def has_lease(self, number: int) -> bool:
        queued = self.state.outbox.get(number)
        return queued is not None and queued.lease is not None

    def mark_sent(self, number: int, now: datetime) -> None:
        queued = self.state.outbox.get(number)
        if queued is not None and queued.status == "waiting":
            self._set_due(number, letter=None)
            self._update_row(number, status="sent", lease=None)

    def retry_later(self, number: int, error: str, due: datetime) -> bool:
        if leased := self.has_lease(number):
            self._update_row(number, error=error, due_at=due, lease=None)
        return leased

    def mark_undeliverable(self, number: int, error: str, now: datetime) -> bool:
        if leased := self.has_lease(number):
            self._update_row(number, error=error, status="undeliverable", due_at=now, lease=None)
        return leased

    def next_due(self, except_kind: Kind | None = None) -> datetime | None:
        return min((queued.due_at for queued in self._reached(except_kind)), default=None)

    def end_leases(self, now: datetime, holder: int | None = None) -> int:
        assert holder is None
        leased = [queued for queued in self._waiting() if queued.lease is not None]
        for queued in leased:
            self._update_row(queued.due.id, due_at=now, lease=None)
        return len(leased)

    def pull_back(self, now: datetime, latest: datetime) -> int:
        far = [queued for queued in self._waiting() if queued.due_at > latest]
        for queued in far:
            self._update_row(queued.due.id, due_at=now, lease=None)
        return len(far)

    def status_counts(self) -> dict[str, int]:
        found = [queued.status for queued in self.state.outbox.values()]
        return {status: found.count(status) for status in ("waiting", "sent", "undeliverable")}

    def _gone(self, uid: str) -> QueuedNotice | None:
        for one in self.state.outbox.values():
            if one.due.uid == uid and (one.status != "waiting" or one.due.attempts):
                return one
        return None

    def _suspended(self, address: str) -> bool:
        found = self.state.bouncing.get(address.casefold())
        return found is not None and found.suspended is not None

    def _waiting(self) -> list[QueuedNotice]:
        return [queued for queued in self.state.outbox.values() if queued.status == "waiting"]

    def _reached(self, except_kind: Kind | None = None) -> list[QueuedNotice]:
        due = [one for one in self._waiting() if not self._suspended(one.due.notice.to)]
        return [one for one in due if one.due.notice.kind is not except_kind]

    def _update_row(self, number: int, **values: object) -> None:
        queued = self.state.outbox.get(number)
        if queued is not None:
            self.state.outbox[number] = replace(queued, **values)  # type: ignore[arg-type]

    def _set_due(self, number: int, **values: object) -> None:
        queued = self.state.outbox.get(number)
        if queued is not None:
            self._update_row(number, due=replace(queued.due, **values))  # type: ignore[arg-type]


class MemoryPlayers(Part, SqlPlayers):
    """Players' settings, ratings and blocks, by address."""

    def preferences(self, address: str, game: int = 0) -> tuple[Preferences, Preferences]:
        key, known = address.casefold(), self.state.preferences
        return known.get((key, 0), Preferences()), known.get((key, game), Preferences())

    def set_preferences(self, address: str, preferences: Preferences, game: int = 0) -> None:
        self.state.preferences[address.casefold(), game] = preferences

    def forget_game_preferences(self, address: str) -> None:
        for key in [one for one in self.state.preferences if one[0] == address.casefold()]:
            if key[1]:
                del self.state.preferences[key]

    def our_address(self, address: str, game: int = 0) -> str:
        return self.state.answered_from.get((address.casefold(), game), "")

    def set_our_address(self, address: str, ours: str, game: int = 0) -> None:
        self.state.answered_from[address.casefold(), game] = ours
        if not ours:
            del self.state.answered_from[address.casefold(), game]

    def profile(self, address: str) -> Profile:
        return self.state.profiles.get(address.casefold(), Profile())

    def set_profile(self, address: str, profile: Profile) -> None:
        self.state.profiles[address.casefold()] = profile

    def listed_players(self, limit: int) -> Sequence[str]:
        profiles = sorted(self.state.profiles.items())
        return [key for key, one in profiles if one.listed is not None][:limit]

    def last_rated_game(
        self, address: str, before: tuple[datetime, int] | None = None
    ) -> RatedGame | None:
        mine = [one for one in self.state.rated.values() if one.address == address.casefold()]
        places = {(one.at, one.game): one for one in mine}
        known = [place for place in places if before is None or place < before]
        return places[max(known)] if known else None

    def set_rated_game(self, game: RatedGame) -> None:
        key = game.address.casefold()
        self.state.rated[key, game.game] = replace(game, address=key)

    def count_rated_games(
        self, one: str, other: str, since: datetime, before: tuple[datetime, int]
    ) -> int:
        dated = self.state.rated.values()
        some = [game for game in dated if since <= game.at and (game.at, game.game) < before]
        both = [
            {game.game for game in some if game.address == who.casefold()} for who in (one, other)
        ]
        return len(both[0] & both[1])

    def take_rated_games(self, since: tuple[datetime, int]) -> Sequence[tuple[datetime, int]]:
        gone = {key: one for key, one in self.state.rated.items() if (one.at, one.game) >= since}
        for key in gone:
            del self.state.rated[key]
        return list({(one.at, one.game) for one in gone.values()})

    def digests_due(self, now: datetime, beyond: datetime, limit: int) -> Sequence[str]:
        due = [(one.digest_due, key) for key, one in self.state.profiles.items() if one.digest_due]
        return [key for at, key in due if at <= now or at > beyond][:limit]

    def oldest_unread(self, addresses: Iterable[str]) -> datetime | None:
        known = {address.casefold() for address in addresses}
        kept = self.state.quarantined.values()
        return min((one.at for one in kept if one.letter.sender.casefold() in known), default=None)

    def bouncing_address(self, address: str) -> BouncingAddress | None:
        return self.state.bouncing.get(address.casefold())

    def bouncing_addresses(self, since: datetime | None = None) -> Sequence[BouncingAddress]:
        found = (self.state.bouncing[key] for key in sorted(self.state.bouncing))
        return [box for box in found if since is None or box.at >= since]

    def set_bouncing_address(self, bouncing: BouncingAddress) -> None:
        key = bouncing.address.casefold()
        self.state.bouncing[key] = replace(bouncing, address=key)

    def forget_bouncing_address(self, address: str) -> bool:
        return self.state.bouncing.pop(address.casefold(), None) is not None

    def blocks(self, address: str) -> frozenset[str]:
        return frozenset(other for one, other in self.state.blocks if one == address)

    def block(self, address: str, other: str) -> None:
        self.state.blocks[address, other] = True

    def unblock(self, address: str, other: str) -> None:
        self.state.blocks.pop((address, other), None)

    def begin_transfer(
        self, game: int | None, old: str, new: str, nonce: str, now: datetime
    ) -> int:
        number = self.state.number("transfer")
        self.state.transfers[number] = Transfer(number, game, old, new, nonce, begun_at=now)
        return number

    def transfer(self, number: int) -> Transfer | None:
        return self.state.transfers.get(number)

    def agree_transfer(self, number: int, *, new: bool) -> None:
        found = self.state.transfers.get(number)
        if found is not None:
            self.state.transfers[number] = (
                replace(found, new_agreed=True) if new else replace(found, old_agreed=True)
            )

    def end_transfer(self, number: int) -> None:
        self.state.transfers.pop(number, None)

    def leaving_players(self) -> Sequence[Transfer]:
        return [one for one in self.state.transfers.values() if one.old_agreed and not one.new]

    def forget(self, address: str, counted: Collection[str]) -> None:
        state = self.state
        tables: Any = (
            (state.preferences, lambda key, _: [key[0]]),
            (state.profiles, lambda key, _: [key]),
            (state.answered_from, lambda key, _: [key[0]]),
            (state.rated, lambda key, _: [key[0]]),
            (state.bouncing, lambda key, _: [key]),
            (state.blocks, lambda key, _: key),
            (state.watchers, lambda key, _: [key[1]]),
            (state.transfers, lambda _, one: [one.old.casefold(), one.new.casefold()]),
            (state.held, lambda _, one: [one.sender.casefold()]),
            (state.quarantined, lambda _, one: [one.letter.sender.casefold()]),
            (state.outbox, lambda _, one: [one.due.notice.to.casefold()]),
            (state.outbox, lambda _, one: map(str, one.due.notice.about.values())),
            (state.quotas, lambda key, _: [key.rpartition(" ")[2]]),
        )
        for table, keys in tables:
            gone = [key for key, one in table.items() if {address, *counted} & set(keys(key, one))]
            for key in gone:
                del table[key]
        for number, queued in state.outbox.items():
            notice = queued.due.notice
            if notice.by.casefold().partition(" (")[0] in {address, *counted}:
                due = replace(queued.due, notice=replace(notice, by=""))
                state.outbox[number] = replace(queued, due=due)


class MemorySeats(Part, SqlSeats):
    """Seat keys and kept notices."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.rekeyed: set[int] = set()

    def key_state(self, game: int, color: str) -> SeatKeyState | None:
        return self.state.key_states.get((game, color))

    def set_key_state(self, game: int, color: str, state: SeatKeyState) -> None:
        self.state.check(game)
        self.state.key_states[game, color] = state
        self.rekeyed.add(game)

    def keep_notice(self, game: int, color: str, kept: KeptNotice) -> None:
        self.state.check(game)
        self.state.kept[game, color] = kept

    def take_notice(self, game: int, color: str) -> KeptNotice | None:
        return self.state.kept.pop((game, color), None)

    def save_pending_move(self, game: int, color: str, move: str | None, position_rev: int) -> None:
        """Saves nothing: only a new daemon reads it."""


class MemoryInbox(Part, SqlInbox):
    """Received, held and quarantined letters."""

    def note_arrival(self, fingerprint: str, message_id: str, now: datetime) -> bool:
        if fingerprint in self.state.inbox:
            return False
        self.state.inbox[fingerprint] = message_id
        return True

    def hold_letter(
        self, game: int, side: str, sender: str, letter: InboundLetter, nonce: str
    ) -> int:
        number = self.state.number("held")
        self.state.held[number] = HeldLetter(number, game, side, sender, letter, nonce)
        return number

    def held_letter(self, number: int) -> HeldLetter | None:
        return self.state.held.get(number)

    def held_letters(self, game: int, side: str, sender: str) -> Sequence[HeldLetter]:
        wanted = (game, side, sender)
        held = self.state.held.values()
        return [one for one in held if (one.game, one.side, one.sender) == wanted]

    def forget_held_letter(self, number: int) -> None:
        self.state.held.pop(number, None)

    def quarantine_letter(self, letter: InboundLetter, fault: str, now: datetime) -> int:
        number = self.state.number("quarantine")
        self.state.quarantined[number] = QuarantinedLetter(number, letter, fault, now)
        return number

    def quarantined_letters(self) -> Sequence[QuarantinedLetter]:
        return list(self.state.quarantined.values())

    def release_letter(self, number: int) -> QuarantinedLetter:
        if number not in self.state.quarantined:
            raise Unknown(f"There is no email {number} in quarantine.")
        return self.state.quarantined.pop(number)


class MemoryImap(Part, SqlImap):
    """Fetch states of letters in an IMAP mailbox."""

    def fetch_states(self, box: str, validity: int) -> dict[int, FetchState]:
        return {
            uid: filed
            for (name, number, uid), filed in self.state.fetched.items()
            if (name, number) == (box, validity)
        }

    def has_fetched(self, box: str) -> bool:
        return any(name == box for name, _, _ in self.state.fetched)

    def note_fetch_states(
        self, box: str, validity: int, uids: Collection[int], filed: FetchState, now: datetime
    ) -> None:
        for uid in uids:
            self.state.fetched[box, validity, uid] = filed


class MemoryWatchers(Part, SqlWatchers):
    """Spectators of games."""

    def of_game(self, game: int) -> Sequence[Watcher]:
        return [one for one in self._all() if one.game == game]

    def of_person(self, address: str) -> Sequence[Watcher]:
        return [one for one in self._all() if one.address.casefold() == address.casefold()]

    def due(self, now: datetime, beyond: datetime, limit: int) -> Sequence[Watcher]:
        return [one for one in self._all() if one.due and not now < one.due <= beyond][:limit]

    def save(self, watcher: Watcher) -> None:
        self.state.watchers[watcher.game, watcher.address.casefold()] = watcher

    def end(self, address: str, game: int | None = None) -> None:
        for number, key in list(self.state.watchers):
            if key == address.casefold() and game in {None, number}:
                del self.state.watchers[number, key]

    def _all(self) -> list[Watcher]:
        found = sorted(self.state.watchers.items(), key=lambda item: (-item[0][0], item[0][1]))
        return [one for _, one in found]


class MemoryQuotas(Part, SqlQuotas):
    """Uses by name and hour."""

    def count(self, name: str, after: int, until: int) -> int:
        counted = self.state.quotas.get(name, {})
        return sum(times for hour, times in counted.items() if after <= hour <= until)

    def spend(self, name: str, hour: int) -> None:
        counted = self.state.quotas.get(name, {})
        self.state.quotas[name] = {**counted, hour: counted.get(hour, 0) + 1}

    def spend_once(self, name: str, until: int) -> None:
        self.state.quotas[name] = {until: 1, **self.state.quotas.get(name, {})}


class MemoryUnit(Unit):
    """One transaction on a `State`."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.games = MemoryGames(state)
        self.outbox = MemoryOutbox(state)
        self.players = MemoryPlayers(state)
        self.seats = MemorySeats(state)
        self.watchers = MemoryWatchers(state)
        self.quotas = MemoryQuotas(state)
        self.inbox = MemoryInbox(state)
        self.imap = MemoryImap(state)


class MemoryWriter:
    """Runs transactions in the caller's thread; while `failing` is set, COMMIT fails."""

    def __init__(self) -> None:
        self.state = State()
        self.failing = False
        self.on_commit: list[Callable[[Committed], None]] = []
        self.on_rollback: list[Callable[[set[int]], None]] = []

    async def run(self, work: Callable[[MemoryUnit], T]) -> T:
        """Run `work` in a transaction, and return its result."""
        return self.run_sync(work)

    def run_sync(self, work: Callable[[MemoryUnit], T]) -> T:
        """Run `work` in a transaction, and return its result."""
        unit = MemoryUnit(self.state.copy())
        try:
            result = work(unit)
            self._commit()
        except BaseException:
            for forget in self.on_rollback if unit.games.changed_logs else ():
                forget(unit.games.changed_logs)
            raise
        self.state = unit.state
        for tell in self.on_commit:
            tell(
                Committed(
                    frozenset(unit.games.changed_logs),
                    bool(unit.outbox.new_notices),
                    frozenset(unit.seats.rekeyed),
                )
            )
        return result

    def _commit(self) -> None:
        if self.failing:
            raise Temporary("The store cannot be used just now.", detail="failing on purpose")


def _reread(entry: LogEntry) -> LogEntry:
    """Encode and decode an entry, as a database does."""
    event = entry.event
    return replace(
        entry, event=events.decode(events.name(event), events.VERSION, events.encode(event))
    )
