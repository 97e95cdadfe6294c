"""The store as the games need it, one protocol for each part; `godaemon.storage` satisfies them.

A `Unit` is one transaction: all that is done through it commits together or not at all. Its
methods are called on the writer's thread, inside `Writer.run`, and never elsewhere. What only one
front end needs of the store is said there: mailgate's `inbox_protocol`, `outbox_protocol` and
`fetch_progress`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Protocol, TypeVar

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
    """A player's word on their own letters, in one game or in all, and what they have had."""

    receipts: bool | None = None
    """True where accepted moves are acknowledged; None while they have not said."""
    receipts_sent: int = 0
    """So many acknowledgements they have been sent in their life."""
    emails: EmailLevel | None = None
    """How many letters they want; None while they have not said."""
    reviews: bool | None = None
    """True where a look back follows the end of a game; None while they have not said."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What a player has told us of themselves, whatever the game."""

    zone: str = ""
    """Their time zone, by its name in the tz database; "" while they have not said."""
    digest_at: int | None = None
    """When their email of the day is due, in minutes after midnight; None while they have not."""
    digest_due: datetime | None = None
    """When the next one is; None for who wants none."""
    name: str | None = None
    """What they want to be called; None for what their emails say."""
    plain: bool = False
    """Whether letters to them are plain text alone."""
    vacations: tuple[Span, ...] = ()
    """When they are on vacation (`games.player_calendar`), this year and the last."""
    weekends_off: bool = False
    """Whether their clocks stand on the weekends of their zone."""
    away_by_itself: bool = False
    """Whether a vacation begins where their time would run out."""
    sends_words: bool = False
    """Whether words that are no command are passed on without asking them."""
    line: str | None = None
    """What they say of themselves to those whom they play: `5 kyu, Berlin`."""
    listed: str | None = None
    """The name by which they are on the list of players; None for who is not."""
    boards: str | None = None
    """How boards look in letters to them (`diagrams.board_style`); None for as usual."""
    language: str = ""
    """The language of emails to them, by its code; "" until they have said or written one."""
    utc_offset: int = 0
    """Minutes from UTC to the clock of their last email; 0 for one that does not say."""
    calendar: bool = False
    """Whether emails to them bring their deadlines as calendar entries."""

    @property
    def shown(self) -> str:
        """The name in the list of players."""
        return self.name or self.listed or ""


@dataclass(frozen=True, slots=True)
class KeptNotice:
    """A notice that a seat's program spares its player (`games.owed_letters`), and the game's hash.

    It tells of the events from `since` up to (not including) `until`.
    """

    kind: Kind
    since: int
    until: int
    digest: str


class LeftBehind(NamedTuple):
    """What a daemon had for the programs in its seats when it ended."""

    moves: Sequence[tuple[int, str, str, int]]
    """Pending moves: game, colour, move, and the revision each was made at."""
    kept: Sequence[tuple[int, str]]
    """The seats for which a notice is kept: game and colour."""


@dataclass(frozen=True, slots=True)
class SeatKeyState:
    """The last key to a seat, and whether Go programs may sit down by it (`games.seat_keys`)."""

    generation: int
    """Counts the keys that the seat has had; the last one alone can be good."""
    enabled: bool


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game in one row, for lists; the log is the truth, this is written beside it."""

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
    """What the players are called, to each other."""
    white_name: str = ""
    deadline: datetime | None = None
    """When the flag falls of who is to move or to answer; None where no clock runs."""
    alarm: datetime | None = None
    """When something is to happen by itself: a reminder, or the flag."""


@dataclass(frozen=True, slots=True)
class BouncingAddress:
    """An address from which letters of ours have come back."""

    address: str
    score: float
    """How bad it is (`games.address_suspension`), as it was at the moment `at`; it fades."""
    at: datetime
    error: str
    """What was said last."""
    suspended: datetime | None = None
    """Since when nothing is sent there; None where letters go out."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """A seat, or all seats of a player (`game` None), to move to another address.

    A player who is to be forgotten moves nowhere: `new` is "".
    """

    id: int
    game: int | None
    old: str
    new: str
    nonce: str
    old_agreed: bool = False
    new_agreed: bool = False
    begun_at: datetime | None = None
    """When that was asked, so that it is not for ever."""


@dataclass(frozen=True, slots=True)
class RatedGame:
    """What a rated game has made of a player's rating (`games.ratings`)."""

    address: str
    game: int
    at: datetime
    """When it ended; those of one moment count in the order of their numbers."""
    rating: Rating


@dataclass(frozen=True, slots=True)
class Watcher:
    """Somebody who watches a game of others (`games.public_games`)."""

    game: int
    address: str
    told: datetime
    """When they were last sent a letter of it."""
    since: int = 0
    """How many events they have been told of, where they are to hear of more."""
    due: datetime | None = None
    """When they are; None where nothing has happened that they have not been told."""


class Alarm(NamedTuple):
    """When a game's clock does something; None for never."""

    deadline: datetime | None = None
    """When the flag falls."""
    alarm: datetime | None = None
    """When to look at it next."""


class GameStore(Protocol):
    """Games: their logs, and a row of each for lists."""

    def create(self) -> int:
        """A new game's number; its log is empty."""

    def log(self, game: int, after: int = 0) -> Sequence[LogEntry]:
        """The events of a game from number `after` on (0 is the first).

        Raises `Unknown`, and `Damaged` where they are not what was written: the game is put aside
        then, and left out of all lists but an operator's.
        """

    def append(
        self,
        game: int,
        at: int,
        entries: Sequence[LogEntry],
        row: GameSummary | Alarm | None = None,
    ) -> None:
        """Add events to a log that holds `at` of them, and write what its row says then.

        Raises `Stale` if it holds others by now.
        """

    def set_summary(self, summary: GameSummary, addresses: Iterable[str]) -> None:
        """Write a game's row for lists, and the addresses (as given) whose game it is."""

    def set_addresses(self, game: int, given: Iterable[str]) -> None:
        """Write the addresses (as given) whose game it is."""

    def summaries(
        self,
        address: str | None = None,
        phases: Collection[Phase] | None = None,
        most: int | None = None,
    ) -> Sequence[GameSummary]:
        """The games of an address (case does not count), or all; the newest first.

        Of some phases, if told, and `most` of them: some people have thousands.
        """

    def count(self, address: str) -> int:
        """How many games an address has in the list of them."""

    def opponents(self, address: str) -> Sequence[GameSummary]:
        """Of the games of an address that began, the newest with each opponent; those first."""

    def page(self, before: int | None, most: int | None) -> Sequence[GameSummary]:
        """The newest games, of those with lower numbers than `before` if told; `most` of them."""

    def set_aside(self, game: int, why: str) -> None:
        """Put a damaged game aside, until it is brought back; the first reason stays."""

    def damaged(self) -> Sequence[tuple[int, str]]:
        """The games that are put aside, and why each is."""

    def phases(self) -> Mapping[str, int]:
        """How many games there are in each phase."""

    def owners(self, after: str, most: int) -> Sequence[tuple[str, int, int, datetime | None]]:
        """Players whose addresses come after one: their games, how many go on, the last change."""

    def clocks_running(self) -> int:
        """In how many games a clock runs."""

    def engine_games(self) -> Sequence[int]:
        """The games that are not over and in which a program has a seat."""

    def alarms(self, now: datetime, most: int) -> Sequence[int]:
        """The games whose alarm has come, or can only be wrong; `most`, the first first."""

    def set_alarm(self, number: int, deadline: datetime | None, alarm: datetime | None) -> None:
        """Write of a game's row only when its clock does something; None for never."""

    def ring_all(self, now: datetime) -> None:
        """Let the alarms of all running clocks have come: they are to be looked at."""

    def proposals_before(self, moment: datetime) -> Sequence[int]:
        """The games still in phase `proposed` whose row was last written before a moment."""

    def naming(self, address: str, after: int) -> tuple[Sequence[int], int | None]:
        """Of some games after number `after` those whose logs name an address, and the last number.

        As a player's or one that somebody wrote from; those that are put aside are among them. The
        number is None where there are no more games.
        """

    def rewrite(self, game: int, entries: Sequence[LogEntry]) -> None:
        """Put other events in the place of those of a log, as many; raises `Stale` for others."""

    def replace_text(self, game: int, address: str, other: str) -> None:
        """Put another address wherever one stands in a log that cannot be read; it stays so."""

    def erase(self, game: int) -> None:
        """Let there be nothing more of a game than that its number is taken."""


class OutboxWriter(Protocol):
    """The outbox, for those who put notices into it."""

    owed: list[Notice]
    """Those that have become owed in this transaction."""

    def owe(self, notice: Notice, at: datetime) -> str:
        """Put a notice into the outbox, due at once; returns its unique id (short, random).

        Nothing more is put there for a mailbox that is suspended: the id is "".
        """

    def owed_since(
        self,
        kinds: Iterable[Kind],
        since: datetime,
        *,
        to: str | None = None,
        by: str | None = None,
    ) -> int:
        """How many notices of those kinds were owed since a moment, to and on behalf of whom."""

    def owed_about(
        self, kind: Kind, since: datetime, *, to: str, by: str
    ) -> Sequence[Mapping[str, Any]]:
        """What the notices of a kind that were owed since a moment were about, oldest first."""

    def sent_notice(self, uid: str) -> Notice | None:
        """The notice of a letter that has gone out, by its unique id."""

    def bounced(self, uid: str, error: str, at: datetime, since: datetime | None = None) -> bool:
        """A letter that had gone out was refused for good; False where that is known already.

        And where it was tried last before `since`.
        """

    def answered(self, uid: str) -> bool:
        """True where the reader of a letter has written to us since it was owed."""

    def with_message_id(self, message_id: str) -> str:
        """The unique id of the letter that has exactly this Message-ID; "" for none of ours."""

    def waits(self, address: str, since: datetime) -> bool:
        """True where a letter owed since a moment waits: to an address, or about a game of its."""

    def forget_names(self, game: int, names: Collection[str]) -> None:
        """Let the notices of a game name players no more; those that wait are written anew."""


class PlayerStore(Protocol):
    """Players, by their addresses."""

    def preferences(self, address: str, game: int = 0) -> tuple[Preferences, Preferences]:
        """What a player has told us for all games, and for one (0: the same again)."""

    def set_preferences(self, address: str, preferences: Preferences, game: int = 0) -> None:
        """Remember it for one game, or for all (0)."""

    def forget_game_preferences(self, address: str) -> None:
        """Let what holds for all games hold in each."""

    def answered_from(self, address: str, game: int = 0) -> str:
        """The address of ours that somebody is answered from; "" for the main one."""

    def set_answered_from(self, address: str, ours: str, game: int = 0) -> None:
        """Remember it for one game, or for what is about none (0)."""

    def profile(self, address: str) -> Profile:
        """What a player has told us of themselves."""

    def set_profile(self, address: str, profile: Profile) -> None:
        """Remember it."""

    def listed(self, most: int) -> Sequence[str]:
        """The addresses of those who are on the list of players."""

    def rated(self, address: str, before: tuple[datetime, int] | None = None) -> RatedGame | None:
        """The last rated game of an address; of those before a moment and a number, if told."""

    def set_rated(self, game: RatedGame) -> None:
        """Remember what a game has made of a rating."""

    def rated_together(
        self, one: str, other: str, since: datetime, before: tuple[datetime, int]
    ) -> int:
        """How many rated games two addresses have with each other, between two moments."""

    def take_rated(self, since: tuple[datetime, int]) -> Sequence[tuple[datetime, int]]:
        """Forget what the games of a moment and a number, and later ones, have made of ratings.

        Returns those games: when each ended, and its number.
        """

    def digests_due(self, now: datetime, beyond: datetime, most: int) -> Sequence[str]:
        """Addresses whose email of the day is due, or is due only `beyond` a moment."""

    def unread_since(self, addresses: Collection[str]) -> datetime | None:
        """Since when an email from one of these is in quarantine; None where none is."""

    def bouncing(self, address: str) -> BouncingAddress | None:
        """What came back from an address; None where nothing has."""

    def all_bouncing(self, since: datetime | None = None) -> Sequence[BouncingAddress]:
        """All addresses from which letters came back, or did since a moment, by address."""

    def suspended_count(self, error: str | None = None) -> int:
        """How many addresses nothing is sent to; those for one reason, if told."""

    def set_bouncing(self, bouncing: BouncingAddress) -> None:
        """Remember it; while it is suspended no letter is claimed for it, and none is owed."""

    def forget_bouncing(self, address: str) -> bool:
        """Letters go there again, with a clean sheet; whether there was anything to forget."""

    def blocks(self, address: str) -> frozenset[str]:
        """By whom an address is never to be invited; "" is anybody.

        `games.people` writes both addresses.
        """

    def block(self, address: str, other: str) -> None:
        """Let an address never be invited by another."""

    def unblock(self, address: str, other: str) -> None:
        """Let it be invited by that one again."""

    def begin_transfer(self, game: int | None, old: str, new: str, nonce: str, at: datetime) -> int:
        """Remember that a seat is to move once both addresses agree; returns a number."""

    def transfer(self, number: int) -> Transfer | None:
        """A seat that waits to move."""

    def agree_transfer(self, number: int, *, new: bool) -> None:
        """One of the two addresses has agreed."""

    def end_transfer(self, number: int) -> None:
        """It is done, or is not to be."""

    def leaving(self) -> Sequence[Transfer]:
        """Those who move nowhere, and have said so: they are to be forgotten."""

    def forget(
        self, address: str, counted: Collection[str], after: tuple[int, str]
    ) -> tuple[int, str] | None:
        """Delete what is kept of an address beside the logs of games: a part of it, from a place.

        `counted` are the names under which it stands in quotas. Returns the place to go on from;
        None once nothing is kept.
        """


class SeatStore(Protocol):
    """Seats: their keys, their pending moves, and the notices kept for them."""

    def save_pending_move(self, game: int, color: str, move: str | None, position_rev: int) -> None:
        """Save a seat's pending move ("D4", "pass"), or, with None, clear it.

        Raises `NotAllowed` where a program at another daemon has another.
        """

    def left_by(self, holder: int | None) -> LeftBehind:
        """What a daemon that is gone, or (None) nobody, had; it is ours from now on."""

    def key_state(self, game: int, color: str) -> SeatKeyState | None:
        """The last key to a seat; None where there never was one."""

    def set_key_state(self, game: int, color: str, state: SeatKeyState) -> None:
        """Remember which key to a seat is good, or that none is; raises `Unknown`."""

    def keep_notice(self, game: int, color: str, kept: KeptNotice) -> None:
        """Keep a notice for a seat, in place of any other; raises `Unknown`."""

    def take_kept(self, game: int, color: str) -> KeptNotice | None:
        """The notice that was kept for a seat, and is no longer; None where there is none."""

    def kept_seats(self) -> Sequence[tuple[int, str]]:
        """The seats for which a notice is kept: game and colour."""


class WatcherStore(Protocol):
    """Those who watch games of others."""

    def of_game(self, game: int) -> Sequence[Watcher]:
        """Who watches a game."""

    def of_person(self, address: str) -> Sequence[Watcher]:
        """What somebody watches, the newest game first."""

    def due(self, now: datetime, beyond: datetime, most: int) -> Sequence[Watcher]:
        """Those who are to hear of more by now, or only `beyond` a moment."""

    def save(self, watcher: Watcher) -> None:
        """Write one down, in place of what was said of the same person and game."""

    def end(self, address: str, game: int | None = None) -> None:
        """Let somebody watch a game no longer; or, with None, none."""


class QuotaStore(Protocol):
    """Counters of what was spent, by names and by hours since 1970."""

    def spent(self, name: str, after: int, until: int) -> int:
        """How much was spent in the hours from the one `after` up to and with `until`."""

    def spend(self, name: str, hour: int) -> None:
        """Count one more; what is older than two days is forgotten."""

    def keep(self, name: str, until: int) -> None:
        """Count one for an hour to come, if there is none: it is not forgotten before that."""


class Unit(Protocol):
    """One transaction, and what can be done in it, by what it concerns."""

    @property
    def games(self) -> GameStore:
        """Games."""

    @property
    def outbox(self) -> OutboxWriter:
        """The notices that are owed."""

    @property
    def players(self) -> PlayerStore:
        """Players."""

    @property
    def seats(self) -> SeatStore:
        """Seats."""

    @property
    def watchers(self) -> WatcherStore:
        """Those who watch games of others."""

    @property
    def quotas(self) -> QuotaStore:
        """What was spent of the quotas."""


class Writer(Protocol[U_co]):
    """The one thread that writes; its units have at least what `U_co` has."""

    async def run(self, work: Callable[[U_co], T]) -> T:
        """Run `work` in a transaction and return what it returns, after COMMIT.

        What `work` raises rolls its own changes back and is raised here; a COMMIT that fails
        raises `Temporary`, and nothing of it has happened.
        """
