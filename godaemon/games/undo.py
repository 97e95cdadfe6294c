"""Moves taken back: which ones may be asked for, and when they cannot. Pure; raises a `Refusal`."""

from __future__ import annotations

from godaemon.errors import NotAllowed, NotYourTurn, WrongPhase
from godaemon.games.model import Game, Phase, Seat
from godaemon.rules.points import Color


def check_undo(game: Game, color: Color) -> tuple[str, ...]:
    """What `color` may have taken back now, as `Undone` has it: their last move.

    A program gives its own answer back too, and a teacher the last move of either colour.
    """
    if game.phase is Phase.SCORING:
        raise WrongPhase(
            "Play has stopped, and the score is being counted, so no move is taken back now. To"
            " play on instead, say resume.",
            hints=("resume",),
        )
    other = game.player(Seat.of(color.opponent))
    made = game.position.moves[game.since[0] :]
    if game.spec.teaching and made:
        return taken_back(game, 1)
    mine = next((back for back, move in enumerate(reversed(made), 1) if move.color is color), 0)
    placed = color is Color.BLACK and game.spec.free and not game.placing and not game.since[0]
    if not mine and not (placed and (not made or other.engine)):
        raise WrongPhase("There is no move of yours that could be taken back. Nothing has changed.")
    if mine > 1 and not other.engine:
        raise NotYourTurn(
            f"{other.name} has moved since, so your last move stands. Nothing has changed."
        )
    if game.undo_refused:
        raise NotAllowed(
            f"{other.name} has said already that your last move stands. Nothing has changed."
        )
    return taken_back(game, mine)


def taken_back(game: Game, count: int) -> tuple[str, ...]:
    """The last moves, as `Undone` has them; none where the handicap stones are the last."""
    moves = game.position.moves
    last = moves[len(moves) - count :]
    return tuple("pass" if move.point is None else str(move.point) for move in last)
