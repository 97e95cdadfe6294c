"""Moves as values, and the sentences that refuse illegal ones. Pure.

Whether a move is legal is decided in `godaemon.rules.position`.
"""

from functools import lru_cache
from typing import NamedTuple

from godaemon.errors import IllegalMove, Reason
from godaemon.rules.board import points_of
from godaemon.rules.points import Color, Point, Size
from godaemon.texts.catalogue import sentence


class Move(NamedTuple):
    """A stone on a point, or a pass if `point` is None."""

    color: Color
    point: Point | None


Spot = tuple[int, int, int, Move]
"""A point for one colour: index, code, cell value, move. A pass has index -1."""


def move_code(index: int, color: int) -> int:
    """One number for a stone on a point, or for a pass, from 0: Black's even, White's odd."""
    return 2 * (index + 1) + (color < 0)


PASSES: dict[Color, Spot] = {
    color: (-1, move_code(-1, color), int(color), Move(color, None)) for color in Color
}


@lru_cache(maxsize=64)
def spots(size: Size) -> dict[Color, dict[Point, Spot]]:
    """The `Spot` of each point by colour; all games of a size share the table."""
    return {
        color: {
            point: (index, move_code(index, color), int(color), Move(color, point))
            for index, point in enumerate(points_of(size))
        }
        for color in Color
    }


def off_board_error(size: Size, point: Point) -> IllegalMove:
    reason = sentence("off-board", point=point, size=size, last=size.last)
    return IllegalMove(reason, Reason.OFF_BOARD)


def occupied_error(point: Point) -> IllegalMove:
    return IllegalMove(sentence("occupied", point=point), Reason.OCCUPIED)
