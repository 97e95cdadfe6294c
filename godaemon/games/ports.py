"""What the service and the front ends need of storage, as protocols; `godaemon.storage` has them.

A `Unit` is one transaction: all that is done through it commits together or not at all. Its
methods are called on the writer's thread, inside `Writer.run`, and never elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol, TypeVar

from godaemon.games.events import LogEntry
from godaemon.games.model import Phase
from godaemon.games.notices import Kind, Notice

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class InboundLetter:
    """A letter as it arrived, with its envelope (RFC 5321 2.3.1)."""

    recipient: str
    sender: str
    """The envelope's sender; empty for a bounce."""
    raw: bytes


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a player has told us about their own letters, and what they have had."""

    receipts: bool | None = None
    """Whether accepted moves are acknowledged; None while they have not said."""
    receipts_sent: int = 0
    """How many acknowledgements they have been sent in their life."""


@dataclass(frozen=True, slots=True)
class SeatKeyState:
    """Whether Go programs may sit down for a seat, and by which key (`games.seatkeys`)."""

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


@dataclass(frozen=True, slots=True)
class HeldLetter:
    """A letter that waits for a yes from the seat's own address."""

    id: int
    game: int
    side: str
    """Whose seat it would act for: "proposer" or "invited"."""
    sender: str
    """The address that is not known yet."""
    letter: InboundLetter
    nonce: str


@dataclass(frozen=True, slots=True)
class QuarantinedLetter:
    """A letter that our own fault kept from being handled."""

    id: int
    letter: InboundLetter
    fault: str
    """The traceback."""
    at: datetime


@dataclass(frozen=True, slots=True)
class BouncingAddress:
    """An address from which letters of ours have come back."""

    address: str
    score: float
    """How bad it is (`games.reach`), as it was at the moment `at`; it fades."""
    at: datetime
    error: str
    """What was said last."""
    suspended: datetime | None = None
    """Since when nothing is sent there; None where letters go out."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """A seat, or all seats of a player (`game` None), to move to another address."""

    id: int
    game: int | None
    old: str
    new: str
    nonce: str
    old_agreed: bool = False
    new_agreed: bool = False


class FetchState(StrEnum):
    """What became of a letter in a mailbox that we fetch from."""

    OWED = "owed"
    """It has had its effect; that is still to be marked in the mailbox."""
    DONE = "done"
    """It has had its effect, and is marked there."""
    LEFT = "left"
    """It is not for us, and stays as it was."""


class GameStore(Protocol):
    """Games: their logs, and a row of each for lists."""

    def create(self) -> int:
        """A new game's number; its log is empty."""

    def log(self, game: int, after: int = 0) -> Sequence[LogEntry]:
        """The events of a game from number `after` on (0 is the first); raises `Unknown`."""

    def append(self, game: int, at: int, entries: Sequence[LogEntry]) -> None:
        """Add events to a log that holds `at` of them; raises `Stale` if it holds others by now."""

    def set_summary(self, summary: GameSummary, addresses: Iterable[str]) -> None:
        """Write a game's row for lists, and the addresses (as given) whose game it is."""

    def summaries(self, address: str | None = None) -> Sequence[GameSummary]:
        """The games of an address (case does not count), or all; the newest first."""

    def engine_games(self) -> Sequence[int]:
        """The games that are not over and in which a program has a seat."""

    def proposals_before(self, moment: datetime) -> Sequence[int]:
        """The games still in phase `proposed` whose row was last written before a moment."""


class OutboxWriter(Protocol):
    """The outbox, for those who put notices into it."""

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

    def bounced(self, uid: str, error: str, at: datetime) -> bool:
        """A letter that had gone out was refused for good; False where that is known already."""


class PlayerStore(Protocol):
    """Players, by their addresses."""

    def preferences(self, address: str) -> Preferences:
        """What a player has told us; the default for one we do not know."""

    def set_preferences(self, address: str, preferences: Preferences) -> None:
        """Remember it."""

    def bouncing(self, address: str) -> BouncingAddress | None:
        """What came back from an address; None where nothing has."""

    def set_bouncing(self, bouncing: BouncingAddress) -> None:
        """Remember it; while it is suspended no letter is claimed for it, and none is owed."""

    def forget_bouncing(self, address: str) -> bool:
        """Letters go there again, with a clean sheet; whether there was anything to forget."""

    def blocks(self, address: str) -> frozenset[str]:
        """By whom an address is never to be invited (`games.blocks` writes both); "" is anybody."""

    def block(self, address: str, other: str) -> None:
        """Let an address never be invited by another."""

    def unblock(self, address: str, other: str) -> None:
        """Let it be invited by that one again."""

    def begin_transfer(self, game: int | None, old: str, new: str, nonce: str) -> int:
        """Remember that a seat is to move once both addresses agree; returns a number."""

    def transfer(self, number: int) -> Transfer | None:
        """A seat that waits to move."""

    def agree_transfer(self, number: int, *, new: bool) -> None:
        """One of the two addresses has agreed."""

    def end_transfer(self, number: int) -> None:
        """It is done, or is not to be."""


class InboxStore(Protocol):
    """Letters that came in."""

    def first_time(self, fingerprint: str, message_id: str, at: datetime) -> bool:
        """Remember a letter; False where it was here before."""

    def hold(self, game: int, side: str, sender: str, letter: InboundLetter, nonce: str) -> int:
        """Keep a letter until its seat's address has said yes; returns its number."""

    def held(self, number: int) -> HeldLetter | None:
        """A letter that is being held."""

    def held_from(self, game: int, side: str, sender: str) -> Sequence[HeldLetter]:
        """The letters of one address that wait for one seat, the oldest first."""

    def forget_held(self, number: int) -> None:
        """Forget a held letter."""

    def quarantine(self, letter: InboundLetter, fault: str, at: datetime) -> int:
        """Put a letter into quarantine; returns its number."""

    def quarantined(self) -> Sequence[QuarantinedLetter]:
        """All letters in quarantine, the oldest first."""

    def release_quarantined(self, number: int) -> QuarantinedLetter:
        """Take a letter out of quarantine; raises `Unknown`."""


class ImapStore(Protocol):
    """What became of each letter of a mailbox elsewhere."""

    def fetched(self, box: str, validity: int) -> Mapping[int, FetchState]:
        """The letters of a mailbox looked at so far, by UID; `validity` is its UIDVALIDITY."""

    def fetched_before(self, box: str) -> bool:
        """Whether any letter of that mailbox was ever looked at, under whatever UIDVALIDITY."""

    def note_fetched(
        self, box: str, validity: int, ids: Mapping[int, str], filed: FetchState, at: datetime
    ) -> None:
        """Remember what became of letters, by UID with their Message-IDs; the last word counts."""


class SeatStore(Protocol):
    """Seats: their keys, and their pending moves."""

    def save_pending_move(self, game: int, color: str, move: str | None, position_rev: int) -> None:
        """Save a seat's pending move ("D4", "pass"), or, with None, clear it."""

    def pending_moves(self) -> Sequence[tuple[int, str, str, int]]:
        """All pending moves: game, colour, move, and the revision each was made at."""

    def key_state(self, game: int, color: str) -> SeatKeyState | None:
        """The last key to a seat; None where there never was one."""

    def set_key_state(self, game: int, color: str, state: SeatKeyState) -> None:
        """Remember which key to a seat is good, or that none is; raises `Unknown`."""


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
    def inbox(self) -> InboxStore:
        """Letters that came in."""

    @property
    def imap(self) -> ImapStore:
        """Letters in a mailbox elsewhere."""


class Writer(Protocol):
    """The one thread that writes."""

    async def run(self, work: Callable[[Unit], T]) -> T:
        """Run `work` in a transaction and return what it returns, after COMMIT.

        What `work` raises rolls its own changes back and is raised here; a COMMIT that fails
        raises `Temporary`, and nothing of it has happened.
        """


@dataclass(frozen=True, slots=True)
class DueNotice:
    """A notice that the outbox worker has claimed."""

    id: int
    uid: str
    notice: Notice
    attempts: int
    """How many tries were made before this one."""
    owed_at: datetime
    message_id: str | None
    letter: bytes | None
    """The letter as it was written for the first try."""


class OutboxQueue(OutboxWriter, Protocol):
    """The outbox, for those who send what is in it."""

    def claim(self, now: datetime, lease: float, limit: int) -> Sequence[DueNotice]:
        """Take up to `limit` notices that are due, for `lease` seconds."""

    def written(self, number: int, message_id: str, letter: bytes) -> None:
        """Keep the letter's bytes, before the first try."""

    def sent(self, number: int, at: datetime) -> None:
        """It was taken by the next hop."""

    def retry(self, number: int, error: str, due: datetime) -> None:
        """It was not taken; try again then."""

    def undeliverable(self, number: int, error: str, at: datetime) -> None:
        """It was refused for good, or could not be written; it stays for the operator to see."""

    def next_due(self) -> datetime | None:
        """When the next notice is due, leases included; None where none waits."""
