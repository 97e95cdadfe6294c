"""The decisions of a seat's commands: an answer, or the next step before one. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from godaemon.games import commands as cmd
from godaemon.games.model import Game, Revisions
from godaemon.games.stored_values import GameSummary
from godaemon.rules.points import Point
from godaemon.rules.position import Move, Position
from gtp.client.syntax import Reply

if TYPE_CHECKING:  # it imports this module
    from gtp.seat.cursor import SeatCursor

CHANGED = "the game has changed since you looked: godaemon-status shows it as it is now"


class Answer(NamedTuple):
    """Store a new pending move, then move the cursor and answer."""

    cursor: SeatCursor
    reply: Reply = Reply(ok=True, text="")


class Release(NamedTuple):
    """Release the pending move, or the chosen handicap stones, then ask again."""

    pending: Move | tuple[Point, ...]


class Wait(NamedTuple):
    """Wait until the game changes, then ask again."""


class Act(NamedTuple):
    """Carry out a command in the game, and answer with its effect."""

    command: cmd.Action
    seen: Revisions
    """The revisions that the controller saw; the command is refused if they are outdated."""
    text: Callable[[ActEffect], str]
    stale: str = CHANGED
    """The answer if they are outdated."""
    shows: bool = False
    """Whether the answer shows all marks."""


class ActEffect(NamedTuple):
    """The game directly before and after an act."""

    before: Game
    after: Game


class ListGames(NamedTuple):
    """Answer with the games of the seat's player."""

    text: Callable[[Sequence[GameSummary]], str]


class Analyze(NamedTuple):
    """Let our player analyze a position until the next line of input."""

    position: Position


class AskEstimate(NamedTuple):
    """Ask our player for an estimate at these revisions; the opponent is told."""

    seen: Revisions


SeatDecision = str | None | Answer | Release | Wait | Act | ListGames | Analyze | AskEstimate
"""A text or None is an answer without a move of the cursor."""
