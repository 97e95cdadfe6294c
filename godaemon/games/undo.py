"""Moves taken back: which ones may be asked for, and when they cannot. Pure; raises a `Refusal`."""

from __future__ import annotations

from godaemon.errors import NotAllowed, NotYourTurn, WrongPhase
from godaemon.games.model import Game, Phase, Seat
from godaemon.rules.points import Color
from godaemon.texts.catalogue import told


def check_undo(game: Game, color: Color) -> tuple[str, ...]:
    """What `color` may have taken back now, as `Undone` has it: their last move.

    A program gives its own answer back too, and a teacher the last move of either colour.
    """
    if game.phase is Phase.SCORING:
        raise WrongPhase(told("no-undo-in-count"), hints=("resume",))
    other = game.player(Seat.of(color.opponent))
    made = game.position.moves[game.since[0] :]
    if game.spec.teaching and made:
        return taken_back(game, 1)
    mine = next((back for back, move in enumerate(reversed(made), 1) if move.color is color), 0)
    placed = color is Color.BLACK and game.spec.free and not game.placing and not game.since[0]
    if not mine and not (placed and (not made or other.engine)):
        raise WrongPhase(told("no-undo"))
    if mine > 1 and not other.engine:
        raise NotYourTurn(told("moved-since", who=other.name))
    if game.undo_refused:
        raise NotAllowed(told("undo-refused", who=other.name))
    return taken_back(game, mine)


def taken_back(game: Game, count: int) -> tuple[str, ...]:
    """The last moves, as `Undone` has them; none where the handicap stones are the last."""
    moves = game.position.moves
    last = moves[len(moves) - count :]
    return tuple("pass" if move.point is None else str(move.point) for move in last)
