"""The store as the games need it: values, and a port for each part that `godaemon.storage` has.

A `Unit` is one transaction: its changes commit together or not at all. It is used on the writer's
thread, inside `Writer.run`, and nowhere else. A method returns None if there is no such thing.
Ports that only one front end needs are in its package: mailgate's `inbox_protocol`,
`outbox_protocol` and `fetch_progress`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone, tzinfo
from typing import Any, NamedTuple, Protocol, TypeVar
from zoneinfo import ZoneInfo

from godaemon.games.commands import EmailLevel
from godaemon.games.events import LogEntry
from godaemon.games.game_clock import Span
from godaemon.games.glicko import Rating
from godaemon.games.model import Phase
from godaemon.games.notices import Kind, Notice

T = TypeVar("T")
U_co = TypeVar("U_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Preferences:
    """Which emails a player wants, in one game or in all; None if they have not said."""

    receipts: bool | None = None
    """Whether accepted moves are acknowledged."""
    receipts_sent: int = 0
    """Number of receipts ever sent."""
    emails: EmailLevel | None = None
    reviews: bool | None = None
    """Whether a review follows the end of a game."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A player's settings for all games; None and "" if they have not said."""

    zone: str = ""
    """Time zone, by its name in the tz database."""
    digest_at: int | None = None
    """When the daily email is due, in minutes after midnight."""
    digest_due: datetime | None = None
    """When the next daily email is due; None if they want none."""
    name: str | None = None
    plain: bool = False
    """Whether emails are plain text alone."""
    vacations: tuple[Span, ...] = ()
    """Those of this year and the last."""
    weekends_off: bool = False
    away_by_itself: bool = False
    """Whether a vacation begins by itself when their time would run out."""
    sends_words: bool = False
    """Whether words that are no command are passed on unasked."""
    line: str | None = None
    """What they tell opponents of themselves: `5 kyu, Berlin`."""
    listed: str | None = None
    """Their name on the list of players; None if they are not on it."""
    boards: str | None = None
    """How boards look (`diagrams.board_style`)."""
    language: str = ""
    """The language of their emails, by its code."""
    utc_offset: int = 0
    """Minutes from UTC to the clock of their last email."""
    calendar: bool = False
    """Whether emails bring deadlines as calendar entries."""

    @property
    def shown(self) -> str:
        return self.name or self.listed or ""

    @property
    def clock(self) -> tzinfo:
        """The zone that they chose, else the offset of their last email."""
        return ZoneInfo(self.zone) if self.zone else timezone(timedelta(minutes=self.utc_offset))


@dataclass(frozen=True, slots=True)
class KeptNotice:
    """A notice kept back while a program sits in the seat, of events `since` to before `until`."""

    kind: Kind
    since: int
    until: int
    digest: str
    """The game's digest at `until`."""


class LeftBehind(NamedTuple):
    """What a daemon held for the programs in its seats when it ended."""

    moves: Sequence[tuple[int, str, str, int]]
    """Pending moves: game, colour, move, and the revision at which each was made."""
    kept: Sequence[tuple[int, str]]
    """Seats with a kept notice: game and colour."""


@dataclass(frozen=True, slots=True)
class SeatKeyState:
    """The last key to a seat, by its number; earlier ones are revoked."""

    generation: int
    enabled: bool


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game in one row for lists, derived from its log."""

    id: int
    phase: Phase
    size: str
    rules: str
    black: str
    white: str
    move_number: int
    to_move: str | None
    result: str | None
    updated: datetime
    black_name: str = ""
    white_name: str = ""
    deadline: datetime | None = None
    """When the running clock's flag falls."""
    alarm: datetime | None = None
    """When to look at the clock next: for a reminder, or the flag."""


@dataclass(frozen=True, slots=True)
class BouncingAddress:
    """An address from which emails have come back (`games.address_suspension`)."""

    address: str
    score: float
    """The score at the moment `at`; it fades."""
    at: datetime
    error: str
    """The last answer."""
    suspended: datetime | None = None
    """Since when nothing is sent there."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """A seat, or all seats of a player (`game` None), that moves to another address.

    For a player who is to be forgotten `new` is "".
    """

    id: int
    game: int | None
    old: str
    new: str
    nonce: str
    old_agreed: bool = False
    new_agreed: bool = False
    begun_at: datetime | None = None
    """When it was asked for; it expires."""


@dataclass(frozen=True, slots=True)
class RatedGame:
    """The rating that a game has given a player."""

    address: str
    game: int
    at: datetime
    """When it ended; games of one moment count in the order of their numbers."""
    rating: Rating


@dataclass(frozen=True, slots=True)
class Watcher:
    """Somebody who watches a game of others."""

    game: int
    address: str
    told: datetime
    """When they were last sent an email about it."""
    since: int = 0
    """How many events they have been told of, if there are more."""
    due: datetime | None = None
    """When they are told of more; None if there is nothing new."""


class Alarm(NamedTuple):
    """The two moments of a game's clock, as in `GameSummary`."""

    deadline: datetime | None = None
    alarm: datetime | None = None


class GameStore(Protocol):
    """Games: their logs, and a row of each for lists. Lists leave out what is set aside."""

    def create(self) -> int: ...
    def log(self, game: int, after: int = 0) -> Sequence[LogEntry]:
        """The events of a game from number `after` on (0 is the first).

        Raises `Unknown`, and `Damaged` for rows that are not as written: the game is set aside.
        """

    def append(
        self,
        game: int,
        at: int,
        entries: Sequence[LogEntry],
        row: GameSummary | Alarm | None = None,
    ) -> None:
        """Add events to a log of length `at`, and update its row; raises `Stale` if longer."""

    def set_summary(self, summary: GameSummary, addresses: Iterable[str]) -> None: ...
    def set_addresses(self, game: int, given: Iterable[str]) -> None: ...

    def summaries(
        self,
        address: str | None = None,
        phases: Collection[Phase] | None = None,
        most: int | None = None,
    ) -> Sequence[GameSummary]:
        """The newest games first: of an address in any case, in some phases, at most `most`."""

    def count(self, address: str) -> int: ...

    def opponents(self, address: str) -> Sequence[GameSummary]:
        """The newest game that an address has begun with each opponent; the newest first."""

    def page(self, before: int | None, most: int | None) -> Sequence[GameSummary]:
        """The newest games with numbers below `before`, at most `most`."""

    def set_aside(self, game: int, why: str) -> None: ...

    def damaged(self) -> Sequence[tuple[int, str]]:
        """The games that are set aside, each with the reason."""

    def phases(self) -> Mapping[str, int]: ...
    def owners(self, after: str, most: int) -> Sequence[tuple[str, int, int, datetime | None]]:
        """Players by address: their games, those still going on, and the last change."""

    def clocks_running(self) -> int: ...

    def engine_games(self) -> Sequence[int]:
        """The unfinished games in which a program has a seat."""

    def alarms(self, now: datetime, most: int) -> Sequence[int]:
        """The games whose alarm is due, or too far off to be right; the earliest first."""

    def set_alarm(self, number: int, deadline: datetime | None, alarm: datetime | None) -> None: ...

    def ring_all(self, now: datetime) -> None:
        """Make the alarms of all running clocks due."""

    def proposals_before(self, moment: datetime) -> Sequence[int]:
        """The open proposals whose row was last written before a moment."""

    def games_naming(self, address: str, after: int) -> tuple[Sequence[int], int | None]:
        """The games that name an address, of a batch after number `after`, damaged ones included.

        With the last number of that batch; None if no games are left.
        """

    def rewrite(self, game: int, entries: Sequence[LogEntry]) -> None:
        """Replace the events of a log by as many others; raises `Stale` if it has changed."""

    def replace_text(self, game: int, address: str, other: str) -> None:
        """Replace an address throughout a log that cannot be read."""

    def erase(self, game: int) -> None:
        """Delete a game; its number stays taken."""


class OutboxWriter(Protocol):
    """The outbox, for the rooms that put notices into it."""

    owed: list[Notice]
    """The notices owed in this transaction."""

    def owe(self, notice: Notice, at: datetime) -> str:
        """Queue a notice, due at once; returns its short random id, "" for a suspended mailbox."""

    def owed_since(
        self,
        kinds: Iterable[Kind],
        since: datetime,
        *,
        to: str | None = None,
        by: str | None = None,
    ) -> int:
        """The number of notices of some kinds owed since a moment, to or on behalf of a person."""

    def owed_about(
        self, kind: Kind, since: datetime, *, to: str, by: str
    ) -> Sequence[Mapping[str, Any]]:
        """The `about` of each notice of a kind owed since a moment, the oldest first."""

    def sent_notice(self, uid: str) -> Notice | None: ...

    def bounced(self, uid: str, error: str, at: datetime, since: datetime | None = None) -> bool:
        """Record that a sent email was refused for good.

        False if that is known already, or if the email was last tried before `since`.
        """

    def answered(self, uid: str) -> bool:
        """True if the reader of an email has written to us since it was owed."""

    def with_message_id(self, message_id: str) -> str:
        """The id of the notice with this Message-ID; "" if it is not ours."""

    def waits(self, address: str, since: datetime) -> bool:
        """True if an email owed since then, to an address or about its games, is still unsent."""

    def forget_names(self, game: int, names: Collection[str]) -> None:
        """Remove players' names from the notices of a game; unsent emails are written again."""


class PlayerStore(Protocol):
    """Players, by address. Settings are of one game, or, as game 0, of all games."""

    def preferences(self, address: str, game: int = 0) -> tuple[Preferences, Preferences]:
        """A player's settings for all games, and for one."""

    def set_preferences(self, address: str, preferences: Preferences, game: int = 0) -> None: ...
    def forget_game_preferences(self, address: str) -> None: ...

    def answered_from(self, address: str, game: int = 0) -> str: ...
    def set_answered_from(self, address: str, ours: str, game: int = 0) -> None: ...
    def profile(self, address: str) -> Profile: ...
    def set_profile(self, address: str, profile: Profile) -> None: ...

    def listed(self, most: int) -> Sequence[str]: ...
    def rated(self, address: str, before: tuple[datetime, int] | None = None) -> RatedGame | None:
        """The last rated game of an address, before a moment and a game number."""

    def set_rated(self, game: RatedGame) -> None: ...

    def rated_together(
        self, one: str, other: str, since: datetime, before: tuple[datetime, int]
    ) -> int:
        """The number of rated games that two addresses have with each other in a period."""

    def take_rated(self, since: tuple[datetime, int]) -> Sequence[tuple[datetime, int]]:
        """Delete the ratings from a moment and a game number on.

        Returns the end and the number of each game that made one.
        """

    def digests_due(self, now: datetime, beyond: datetime, most: int) -> Sequence[str]:
        """Addresses whose daily email is due, or due only after `beyond`."""

    def unread_since(self, addresses: Collection[str]) -> datetime | None:
        """The arrival of the oldest quarantined email from these addresses."""

    def bouncing(self, address: str) -> BouncingAddress | None: ...

    def all_bouncing(self, since: datetime | None = None) -> Sequence[BouncingAddress]: ...
    def suspended_count(self, error: str | None = None) -> int: ...
    def set_bouncing(self, bouncing: BouncingAddress) -> None: ...

    def forget_bouncing(self, address: str) -> bool:
        """Clear the record of an address; False if it had none."""

    def blocks(self, address: str) -> frozenset[str]:
        """The people (`people.person`) who may not invite an address; "" stands for everybody."""

    def block(self, address: str, other: str) -> None: ...
    def unblock(self, address: str, other: str) -> None: ...

    def begin_transfer(self, game: int | None, old: str, new: str, nonce: str, at: datetime) -> int:
        """Store a transfer that both addresses have yet to confirm; returns its number."""

    def transfer(self, number: int) -> Transfer | None: ...

    def agree_transfer(self, number: int, *, new: bool) -> None:
        """Record that the old address, or the new one, has confirmed."""

    def end_transfer(self, number: int) -> None: ...

    def leaving(self) -> Sequence[Transfer]:
        """Players who have confirmed that they want to be forgotten."""

    def forget(
        self, address: str, counted: Collection[str], after: tuple[int, str]
    ) -> tuple[int, str] | None:
        """Delete a batch of what is stored of an address outside the logs, from a place on.

        `counted` are its names in quotas. Returns where to go on; None when nothing is left.
        """


class SeatStore(Protocol):
    """Seats, by game and colour: keys, pending moves, and the notices kept for them."""

    def save_pending_move(self, game: int, color: str, move: str | None, position_rev: int) -> None:
        """Save a pending move ("D4", "pass"), or clear it (None).

        Raises `NotAllowed` if a program at another daemon has a pending move there.
        """

    def left_by(self, holder: int | None) -> LeftBehind:
        """Take over what a daemon that is gone, or nobody (None), held."""

    def key_state(self, game: int, color: str) -> SeatKeyState | None: ...

    def set_key_state(self, game: int, color: str, state: SeatKeyState) -> None: ...
    def keep_notice(self, game: int, color: str, kept: KeptNotice) -> None:
        """Keep a notice in place of any other; raises `Unknown`."""

    def take_kept(self, game: int, color: str) -> KeptNotice | None: ...
    def kept_seats(self) -> Sequence[tuple[int, str]]: ...


class WatcherStore(Protocol):
    """Watchers of games."""

    def of_game(self, game: int) -> Sequence[Watcher]: ...

    def of_person(self, address: str) -> Sequence[Watcher]: ...
    def due(self, now: datetime, beyond: datetime, most: int) -> Sequence[Watcher]:
        """Watchers who are to be told by now, or only after `beyond`."""

    def save(self, watcher: Watcher) -> None: ...

    def end(self, address: str, game: int | None = None) -> None:
        """End somebody's watching of a game, or of all."""


class QuotaStore(Protocol):
    """Counters by name and by hour since 1970."""

    def spent(self, name: str, after: int, until: int) -> int:
        """The sum over the hours after `after`, up to and including `until`."""

    def spend(self, name: str, hour: int) -> None:
        """Count one; hours older than two days are deleted."""

    def keep(self, name: str, until: int) -> None:
        """Count one in a future hour that has none; it is kept until then."""


class Unit(Protocol):
    """One transaction."""

    @property
    def games(self) -> GameStore: ...
    @property
    def outbox(self) -> OutboxWriter: ...
    @property
    def players(self) -> PlayerStore: ...
    @property
    def seats(self) -> SeatStore: ...
    @property
    def watchers(self) -> WatcherStore: ...
    @property
    def quotas(self) -> QuotaStore: ...


class Writer(Protocol[U_co]):
    """The one thread that writes, in units of at least the type `U_co`."""

    async def run(self, work: Callable[[U_co], T]) -> T:
        """Run `work` in a transaction and return its result after COMMIT.

        An exception of `work` rolls its own changes back and is raised here; a COMMIT that fails
        raises `Temporary`, and nothing has happened.
        """
