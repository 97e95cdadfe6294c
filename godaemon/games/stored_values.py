"""Values in the store, about games, players and emails; and `Unit`, the transaction.

The changes of a `Unit` are committed together or not at all. It is used only on the writer's
thread, inside `Writer.run`. Rooms below the store import its type from here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from godaemon.games.glicko2 import Rating
from godaemon.games.model import Phase
from godaemon.games.notices import Kind

if TYPE_CHECKING:  # the store is above this room: nothing imports it at run time
    from godaemon.storage.unit_of_work import Unit as Unit  # noqa: PLC0414 - exported
else:
    Unit = object

T = TypeVar("T")
HELD_BY_OPERATOR = "held by the operator"
"""The error text of a notice that the operator holds back."""


@dataclass(frozen=True, slots=True)
class KeptNotice:
    """A notice about events `since` to before `until`, kept while a program sits in the seat."""

    kind: Kind
    since: int
    until: int
    digest: str
    """The game's digest at `until`."""


class OrphanedWork(NamedTuple):
    """The pending moves and kept notices that a dead daemon has left."""

    moves: Sequence[tuple[int, str, str, int]]
    """Pending moves: game, colour, move, and the revision at which each was made."""
    kept: Sequence[tuple[int, str]]
    """Seats with a kept notice: game and colour."""


@dataclass(frozen=True, slots=True)
class SeatKeyState:
    """The generation of the latest key to a seat; earlier keys are revoked."""

    generation: int
    enabled: bool


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game's summary row for lists, computed from its log."""

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
    """When to check the clock next: for a reminder, or when the flag falls."""


@dataclass(frozen=True, slots=True)
class BouncingAddress:
    """An address whose emails bounced (`games.bouncing_addresses`)."""

    address: str
    score: float
    """The score at the moment `at`; it fades."""
    at: datetime
    error: str
    """The mail server's last answer, or `COMPLAINT`."""
    suspended: datetime | None = None
    """The moment from which nothing is sent there; None if it is not suspended."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """A request to move a seat, or all seats of a player (`game` None), to another address.

    If `new` is "", the player is to be forgotten instead.
    """

    id: int
    game: int | None
    old: str
    new: str
    nonce: str
    old_agreed: bool = False
    new_agreed: bool = False
    begun_at: datetime | None = None
    """The moment of the request; old requests expire."""


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A player's rating after a game."""

    address: str
    game: int
    at: datetime
    """When the game ended; games of the same moment count in the order of their numbers."""
    rating: Rating


@dataclass(frozen=True, slots=True)
class Watcher:
    """A spectator of a game."""

    game: int
    address: str
    told: datetime
    """The moment of the last email about the game."""
    since: int = 0
    """The number of events reported so far; it counts only if `due` is set."""
    due: datetime | None = None
    """When the next email is due; None if there is nothing new."""


class Alarm(NamedTuple):
    """The two moments of a game's clock, as in `GameSummary`."""

    deadline: datetime | None = None
    alarm: datetime | None = None


class Writer(Protocol):
    """The one thread that writes."""

    async def run(self, work: Callable[[Unit], T]) -> T:
        """Run `work` in a transaction; returns its result after COMMIT.

        An exception of `work` rolls its changes back, and is raised here. If COMMIT fails, nothing
        has changed, and `Temporary` is raised.
        """
