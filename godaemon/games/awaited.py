"""The decision that a game awaits from one of its players, if any. Pure; raises nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from godaemon.games import events as ev
from godaemon.games.model import Game, Phase, Seat
from godaemon.rules.points import Color

_CHANGES = (
    *(ev.Started, ev.Placed, ev.Moved, ev.Passed, ev.Undone, ev.Resumed),
    *(ev.Marked, ev.Agreed, ev.Disagreed),
)
"""After these somebody else may be awaited."""


class Awaited(StrEnum):
    """A decision that is somebody's to make; those come first that others forget."""

    COUNT = "count"
    """To agree to the count, or to change the marks."""
    INVITATION = "invitation"
    """To accept or to decline."""
    CONFIRMATION = "confirmation"
    """To say that they asked for the game."""
    TURN = "turn"
    """To move."""
    VOID = "void"
    """To end the game without a result, as the other player would."""


def awaited(game: Game, seat: Seat) -> Awaited | None:
    """What a game awaits from a seat, if anything."""
    if game.phase is Phase.PROPOSED:
        return _proposed(game, seat)
    color, teaching = game.color_of(seat), game.spec.teaching
    if game.phase is Phase.SCORING and (teaching or color not in game.agreed):
        return Awaited.COUNT
    if game.to_move is not None and (teaching or game.to_move is color):
        return Awaited.TURN
    asked = game.phase is Phase.PLAYING and game.voiding and color not in game.voiding
    return Awaited.VOID if asked else None


def _proposed(game: Game, seat: Seat) -> Awaited | None:
    proposer = game.side(seat) is Seat.PROPOSER
    if not game.confirmed:
        return Awaited.CONFIRMATION if proposer else None
    return None if game.side(seat) is game.offered else Awaited.INVITATION


def waited_since(game: Game, log: Sequence[ev.LogEntry]) -> tuple[datetime, datetime | None]:
    """When those of whom something is awaited last did anything, a word included.

    And when both players were warned since that the game will be closed. What the others do, who
    wait, changes nothing.
    """
    waits = [color.word for color in Color if awaited(game, Seat.of(color)) is not None]
    warned = None
    for entry in reversed(log):
        event = entry.event
        if isinstance(event, _CHANGES) or getattr(event, "color", None) in waits:
            return entry.at, warned
        if isinstance(event, ev.Reminded) and not event.to:
            warned = warned or entry.at
    return log[0].at, warned
