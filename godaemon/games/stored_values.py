"""Stored values, of games, players and emails; and `Unit`, the transaction that keeps them.

The changes of a `Unit` are committed together or not at all. It is used on the writer's thread,
inside `Writer.run`, and nowhere else. No other module below the store knows of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from godaemon.games.glicko2 import Rating
from godaemon.games.model import Phase
from godaemon.games.notices import Kind

if TYPE_CHECKING:  # the store is above this room, and known by its type alone
    from godaemon.storage.unit_of_work import Unit as Unit  # noqa: PLC0414 - others import it here
else:
    Unit = object

T = TypeVar("T")
HELD = "held by the operator"
"""The error of a notice that waits for the operator's word."""


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
    """An address from which emails have come back (`games.bouncing_addresses`)."""

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


class TroubledNotice(NamedTuple):
    """A notice that has not gone out, and why."""

    id: int
    kind: str
    recipient: str
    game: int | None
    status: str
    attempts: int
    last_error: str | None
    due_at: datetime
    lease: datetime | None
    """Until when a worker holds it."""


class Backlog(NamedTuple):
    """The notices that could go out now, and since when the first of them could."""

    due: int
    oldest: datetime | None


class Writer(Protocol):
    """The one thread that writes."""

    async def run(self, work: Callable[[Unit], T]) -> T:
        """Run `work` in a transaction and return its result after COMMIT.

        An exception of `work` rolls its own changes back and is raised here; a COMMIT that fails
        raises `Temporary`, and nothing has happened.
        """
