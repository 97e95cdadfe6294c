"""The geometry of a board as plain tuples, made once for each size; and what an eye is. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from godaemon.rules.board import neighbours
from godaemon.rules.points import Size

_Table = tuple[tuple[int, ...], ...]


class Shape(NamedTuple):
    """For each index: the points beside it, the points at its corners, and its line from 0."""

    near: _Table
    corners: _Table
    line: tuple[int, ...]


@lru_cache(maxsize=64)
def shape(size: Size) -> Shape:
    """The shape of a board."""
    width, height = size
    corners, line = [], []
    for index in range(size.points):
        row, column = divmod(index, width)
        line.append(min(row, column, height - 1 - row, width - 1 - column))
        corners.append(
            tuple(
                (row + up) * width + column + right
                for up in (-1, 1)
                for right in (-1, 1)
                if 0 <= row + up < height and 0 <= column + right < width
            )
        )
    return Shape(neighbours(size), tuple(corners), tuple(line))


def is_eye(cells: Sequence[int], board: Shape, index: int, color: int) -> bool:
    """Whether an empty point is an eye of that colour's, as far as its surroundings tell.

    All points beside it are the colour's, and so are its corners, but for one in the middle of
    the board and none at its edge (with more gaps the eye is false, or may become so).
    """
    for beside in board.near[index]:
        if cells[beside] != color:
            return False
    strangers = 0
    for corner in board.corners[index]:
        if cells[corner] == -color:
            strangers += 1
    return strangers < (2 if len(board.corners[index]) == 4 else 1)
