"""The board: stones, chains, liberties and capture, with no history and no rule of repetition.

Points are plain indices here (`row * width + column`, from the bottom left), because this is the
hot path; `godaemon.rules.position` speaks of `Point`. No group data is kept: a liberty is nearly
always found next to a stone at once, and a chain is flooded only where it is not. Pure.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from godaemon.rules.points import Color, Point, Size

EMPTY = 0
"""What a cell without a stone holds; others hold the `Color` as an int."""


@lru_cache(maxsize=64)
def neighbours(size: Size) -> tuple[tuple[int, ...], ...]:
    """For each index the indices of the points beside it: two to four, fewer on thin boards."""
    width, height = size
    table = []
    for index in range(width * height):
        row, column = divmod(index, width)
        beside = []
        if column > 0:
            beside.append(index - 1)
        if column < width - 1:
            beside.append(index + 1)
        if row > 0:
            beside.append(index - width)
        if row < height - 1:
            beside.append(index + width)
        table.append(tuple(beside))
    return tuple(table)


@lru_cache(maxsize=64)
def _keys(size: Size) -> dict[int, tuple[int, ...]]:
    """A random 64-bit number for each colour and point (Zobrist), the same in every process."""
    draw = random.Random(f"godaemon {size}")  # noqa: S311 - not a secret: a hash of positions
    return {int(color): tuple(draw.getrandbits(64) for _ in range(size.points)) for color in Color}


class Outcome(NamedTuple):
    """What a stone would do: the stones it takes off, the position's key after it, and suicide.

    `captured` holds the opponent's stones, or, where `suicide`, the player's own.
    """

    captured: tuple[int, ...]
    key: int
    suicide: bool


class Board:
    """A rectangle of cells; `key` is the Zobrist hash of the stones on it."""

    __slots__ = ("_keys", "_near", "cells", "key", "size")

    def __init__(self, size: Size) -> None:
        self.size = size
        self.cells = [EMPTY] * size.points
        self.key = 0
        self._near = neighbours(size)
        self._keys = _keys(size)

    def copy(self) -> Board:
        """Another board with the same stones."""
        twin = Board.__new__(Board)
        twin.size, twin.cells, twin.key = self.size, self.cells[:], self.key
        twin._near, twin._keys = self._near, self._keys  # noqa: SLF001 - it is one of us
        return twin

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and (self.size, self.cells) == (other.size, other.cells)

    def __hash__(self) -> int:
        return self.key

    def index(self, point: Point) -> int:
        """The index of a point that is on the board."""
        return point.row * self.size.width + point.column

    def point(self, index: int) -> Point:
        """The point of an index."""
        row, column = divmod(index, self.size.width)
        return Point(column, row)

    def near(self, index: int) -> tuple[int, ...]:
        """The indices of the points beside one."""
        return self._near[index]

    def color(self, point: Point) -> Color | None:
        """The colour of the stone on a point of the board, or None."""
        cell = self.cells[self.index(point)]
        return Color(cell) if cell else None

    def stones(self, color: Color) -> Iterator[int]:
        """The indices of all stones of a colour."""
        return (index for index, cell in enumerate(self.cells) if cell == color)

    def chain(self, index: int) -> frozenset[int]:
        """The connected stones of one colour to which the stone at `index` belongs."""
        cells, near, color = self.cells, self._near, self.cells[index]
        found, edge = {index}, [index]
        while edge:
            for beside in near[edge.pop()]:
                if cells[beside] == color and beside not in found:
                    found.add(beside)
                    edge.append(beside)
        return frozenset(found)

    def liberties(self, chain: Iterable[int]) -> frozenset[int]:
        """The empty points beside the stones of a chain."""
        cells, near = self.cells, self._near
        return frozenset(beside for stone in chain for beside in near[stone] if not cells[beside])

    def put(self, index: int, color: int) -> None:
        """Set up a stone on an empty point; nothing is captured."""
        self.cells[index] = color
        self.key ^= self._keys[color][index]

    def lift(self, index: int) -> None:
        """Take a stone off."""
        self.key ^= self._keys[self.cells[index]][index]
        self.cells[index] = EMPTY

    def outcome(self, index: int, color: int) -> Outcome:
        """What a stone of `color` on the empty point `index` would do; the board stays as it is."""
        cells, near = self.cells, self._near
        cells[index] = color
        captured: list[int] = []
        breathes = False
        for beside in near[index]:
            cell = cells[beside]
            if cell == EMPTY:
                breathes = True
            elif cell == -color and beside not in captured:
                captured += self._dead_chain(beside)
        suicide = not breathes and not captured
        if suicide:
            captured = self._dead_chain(index)
            suicide = bool(captured)
        cells[index] = EMPTY
        key = self.key ^ self._keys[color][index]
        keys = self._keys[color if suicide else -color]
        for stone in captured:
            key ^= keys[stone]
        return Outcome(tuple(captured), key, suicide)

    def apply(self, index: int, color: int, outcome: Outcome) -> None:
        """Make the move whose outcome was computed for this very board."""
        cells = self.cells
        cells[index] = color
        for stone in outcome.captured:
            cells[stone] = EMPTY
        self.key = outcome.key

    def unapply(self, index: int, color: int, outcome: Outcome, key: int) -> None:
        """Take back the last `apply`; `key` is the board's from before it."""
        cells = self.cells
        taken = color if outcome.suicide else -color
        for stone in outcome.captured:
            cells[stone] = taken
        cells[index] = EMPTY
        self.key = key

    def _dead_chain(self, index: int) -> list[int]:
        """The chain at `index` if it has no liberty, else an empty list, as soon as one is seen."""
        cells, near, color = self.cells, self._near, self.cells[index]
        chain, seen = [index], {index}
        for stone in chain:
            for beside in near[stone]:
                cell = cells[beside]
                if cell == EMPTY:
                    return []
                if cell == color and beside not in seen:
                    seen.add(beside)
                    chain.append(beside)
        return chain
