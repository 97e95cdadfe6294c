"""The move of our own player without its network, such as on boards that this never saw. Pure.

Many games are played out at random; the move with which they went best is played, as long as
something is not settled yet. It never plays an illegal move, fills no eye of its own, brings no
position back and passes for good after three moves a point: so every game of its own ends.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from godaemon.engine.geometry import is_eye, shape
from godaemon.engine.playouts import survey
from godaemon.rules.board import Board
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position

_WORK = 5000
"""Points of all playouts of one move together: some 20 thousandths of a second."""
_SETTLED = 0.5
"""A point is settled if one side owns it more surely than this; from 0 to 1."""
_TRUST = 0.2


def choose(position: Position, color: Color, *, rng: random.Random) -> Point | None:
    """A legal move for `color`, or None to pass; the position is left as it was."""
    board, points = position.board, position.size.points
    if position.move_number >= 3 * points:
        return None
    owned, gain = survey(board, color, max(4, min(100, _WORK // points)), rng)
    doubt = [max(0.0, _SETTLED - abs(share)) for share in owned]
    worth = {}
    for point in sensible(position, color):
        at = board.index(point)
        open_ = doubt[at] + sum(doubt[beside] for beside in board.neighbours[at])
        stones = _at_stake(board, at, color)
        if open_ > 0 or stones:
            worth[point] = open_ + 2 * stones + _TRUST * max(gain[at], 0.0) + rng.random() / 4
    return max(worth, key=worth.__getitem__, default=None)


def _at_stake(board: Board, at: int, color: int) -> int:
    """The stones that a move takes, and those that it saves from being taken."""
    trial, effect = board.copy(), board.outcome(at, color)
    hanging = [
        chain
        for chain in {board.chain(beside) for beside in board.neighbours[at] if board.cells[beside]}
        if board.cells[min(chain)] == color and len(board.liberties(chain)) == 1
    ]
    trial.apply(at, color, effect)
    saved = not effect.suicide and len(trial.liberties(trial.chain(at))) > 1
    return len(effect.captured) + saved * sum(map(len, hanging))


def sensible(position: Position, color: Color) -> Iterator[Point]:
    """The legal moves that fill no eye of the player's and bring no position back."""
    board = position.board
    eyes = shape(position.size)
    for point in position.legal_moves(color):
        if (
            not is_eye(board.cells, eyes, board.index(point), color)
            and position.repeats(color, point) is None
        ):
            yield point
