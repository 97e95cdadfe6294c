"""The decision that a game awaits from a player, if any. Pure."""

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
"""Events after which the next decision may be another player's."""


class Awaited(StrEnum):
    """A player's decision; those that players tend to forget come first."""

    COUNT = "count"
    """Agree to the count, or change the marks."""
    INVITATION = "invitation"
    """Accept or decline."""
    CONFIRMATION = "confirmation"
    """Confirm that they asked for the game."""
    TURN = "turn"
    VOID = "void"
    """End the game without a result, as the opponent offers."""


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
    """When the players to act last did anything, and when both were warned since.

    Words count; what their opponents do does not.
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
