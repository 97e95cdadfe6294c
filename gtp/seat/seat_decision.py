"""The decisions that commands at a seat come to: answers, or what must happen first. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from godaemon.games import commands as cmd
from godaemon.games.model import Game, Revisions
from godaemon.games.stored_values import GameSummary
from godaemon.rules.points import Point
from godaemon.rules.position import Move, Position
from gtp.client.syntax import Reply

if TYPE_CHECKING:  # which imports this module
    from gtp.seat.cursor import SeatCursor

CHANGED = "the game has changed since you looked: godaemon-status shows it as it is now"


class Answer(NamedTuple):
    """Answer now; the controller then stands at `cursor`.

    Where its pending move differs from before, that is written down first.
    """

    cursor: SeatCursor
    reply: Reply = Reply(ok=True, text="")


class Release(NamedTuple):
    """Release the pending move, or the chosen handicap stones, then ask again."""

    what: Move | tuple[Point, ...]


class Wait(NamedTuple):
    """Wait until the game changes, then ask again."""


class Act(NamedTuple):
    """Ask this of the game for the seat, and answer with what it came to."""

    command: cmd.Action
    seen: Revisions
    """What the controller saw; the service refuses what does not fit the game any more."""
    text: Callable[[ActEffect], str]
    stale: str = CHANGED
    """What is answered where the game does not fit that any more."""
    shows: bool = False
    """Whether the answer shows all marks."""


class ActEffect(NamedTuple):
    """The game right before and right after an act."""

    before: Game
    after: Game


class ListGames(NamedTuple):
    """Look the games of the seat's player up, and answer."""

    text: Callable[[Sequence[GameSummary]], str]


class Analyze(NamedTuple):
    """Ask our player what it thinks of a position, by the line that came, until the next one."""

    position: Position


class AskEstimate(NamedTuple):
    """Ask our player how the game stands, at those revisions; the opponent is told of it."""

    seen: Revisions


SeatDecision = str | None | Answer | Release | Wait | Act | ListGames | Analyze | AskEstimate
"""What must happen; a text, or nothing, is an answer that leaves the cursor where it is."""
