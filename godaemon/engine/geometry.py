"""The geometry of a board as plain tuples, made once for each size; and what an eye is. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from godaemon.engine.pattern import EDGE
from godaemon.rules.board import neighbours
from godaemon.rules.points import Size

_Table = tuple[tuple[int, ...], ...]


class Shape(NamedTuple):
    """For each index: the points beside it, and the points at its corners."""

    near: _Table
    corners: _Table


@lru_cache(maxsize=64)
def shape(size: Size) -> Shape:
    """The shape of a board."""
    width, height = size
    corners = []
    for index in range(size.points):
        row, column = divmod(index, width)
        corners.append(
            tuple(
                (row + up) * width + column + right
                for up in (-1, 1)
                for right in (-1, 1)
                if 0 <= row + up < height and 0 <= column + right < width
            )
        )
    return Shape(neighbours(size), tuple(corners))


def is_eye(cells: Sequence[int], board: Shape, index: int, color: int) -> bool:
    """True where an empty point is an eye of that colour's, as far as its surroundings tell.

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


_Steps = tuple[tuple[tuple[int, int], ...], ...]

_WAYS = ((1, -1), (1, 0), (1, 1), (0, -1), (0, 1), (-1, -1), (-1, 0), (-1, 1))
"""Up and right, in the reading order of `pattern`."""


class Plan(NamedTuple):
    """For each index, what playing there needs."""

    near: _Table
    """The points beside it."""
    around: _Table
    """The points beside it and at its corners."""
    bit: tuple[int, ...]
    """The number with that one bit."""
    rest: tuple[int, ...]
    """The number with the bits of all other points."""
    steps: tuple[_Steps, _Steps, _Steps]
    """By colour: the points around it, each with what a stone here adds to its pattern."""
    empty: tuple[int, ...]
    """The patterns of an empty board."""


@lru_cache(maxsize=64)
def plan(size: Size) -> Plan:
    """The tables of a board."""
    width, height = size
    points = size.points
    full = (1 << points) - 1
    around: list[list[int]] = [[] for _ in range(points)]
    black: list[list[tuple[int, int]]] = [[] for _ in range(points)]
    empty = [0] * points
    for index in range(points):
        row, column = divmod(index, width)
        for at, (up, right) in enumerate(_WAYS):
            if 0 <= row + up < height and 0 <= column + right < width:
                other = (row + up) * width + column + right
                around[index].append(other)
                black[other].append((index, 1 << 2 * at))
            else:
                empty[index] |= EDGE << 2 * at
    adds = tuple(tuple(steps) for steps in black)
    doubles = tuple(tuple((at, 2 * step) for at, step in steps) for steps in adds)
    bits = tuple(1 << index for index in range(points))
    near = neighbours(size)
    return Plan(
        near,
        tuple(tuple(each) for each in around),
        bits,
        tuple(full ^ bit for bit in bits),
        ((), adds, doubles),
        tuple(empty),
    )
