"""The board: stones, chains, liberties and capture, with no history and no rule of repetition.

Points are plain indices (`row * width + column`, from the bottom left) for speed;
`godaemon.rules.position` uses `Point`. No group data is kept: most stones have a liberty beside
them, and only if not, their chain is flooded. Capture is implemented only in the functions on bare
cells, which playouts call thousands of times. Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from godaemon.rules.points import Color, Point, Size, point_at

EMPTY = 0
"""The value of an empty cell; other cells hold the `Color` as a plain int."""

Near = tuple[tuple[int, ...], ...]
"""For each index the indices of the points beside it."""

_NONE: tuple[int, ...] = ()


@lru_cache(maxsize=64)
def neighbours(size: Size) -> Near:
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
def points_of(size: Size) -> tuple[Point, ...]:
    """The points in the order of their indices."""
    return tuple(
        point_at(column, row) for row in range(size.height) for column in range(size.width)
    )


def place(cells: list[int], near: Near, index: int, color: int) -> Sequence[int]:
    """Put a stone on an empty point, and return the stones that it takes.

    These are the opponent's; or in a suicide the stone's own chain, the stone first, and
    `cells[index]` is empty again. `color` is a plain int, as enumeration members in the cells
    would slow down every comparison.

    A game spends most of its time here. A neighbouring chain usually has a liberty beside the
    stone that touches; only otherwise it is flooded.
    """
    cells[index] = color
    taken: Sequence[int] = _NONE
    breathes = False
    for beside in near[index]:
        cell = cells[beside]
        if cell == 0:
            breathes = True
        elif cell != color:
            for further in near[beside]:
                if cells[further] == 0:
                    break
            else:
                chain = captured_chain(cells, near, beside)
                if chain:
                    for stone in chain:
                        cells[stone] = 0
                    taken = [*taken, *chain]
    if breathes or taken:
        return taken
    taken = captured_chain(cells, near, index)
    for stone in taken:
        cells[stone] = 0
    return taken


def unplace(cells: list[int], index: int, color: int, taken: Sequence[int]) -> None:
    """Take back the last `place`, which returned `taken`."""
    if taken:
        owner = color if taken[0] == index else -color
        for stone in taken:
            cells[stone] = owner
    cells[index] = 0


def captured_chain(cells: Sequence[int], near: Near, index: int) -> Sequence[int]:
    """The chain of a stone without a liberty beside it, if the whole chain has none; else nothing.

    Usually the next stone has one, so it is checked first.
    """
    color = cells[index]
    chain, met = [index], {index}
    for stone in chain:
        for beside in near[stone]:
            if cells[beside] == color and beside not in met:
                for further in near[beside]:
                    if not cells[further]:
                        return _NONE
                met.add(beside)
                chain.append(beside)
    return chain


def flood(cells: Sequence[int], near: Near, index: int) -> set[int]:
    """The connected points with the same content as `index`: a chain or an empty region."""
    color = cells[index]
    found, edge = {index}, [index]
    while edge:
        for beside in near[edge.pop()]:
            if cells[beside] == color and beside not in found:
                found.add(beside)
                edge.append(beside)
    return found


def components(points: Collection[int], near: Near) -> list[set[int]]:
    """The connected parts of a set of points, in the order of their lowest points."""
    left = bytearray(len(near))
    for at in points:
        left[at] = True
    parts = []
    for start in sorted(points):
        if left[start]:
            left[start], part = False, [start]
            for at in part:
                for beside in near[at]:
                    if left[beside]:
                        left[beside] = False
                        part.append(beside)
            parts.append(set(part))
    return parts


def chain_and_liberties(
    cells: Sequence[int], near: Near, index: int, enough: int
) -> tuple[list[int], set[int]]:
    """The chain of a stone and its liberties; stops early at a number of liberties."""
    color = cells[index]
    chain, met, free = [index], {index}, set[int]()
    for stone in chain:
        for beside in near[stone]:
            cell = cells[beside]
            if not cell:
                free.add(beside)
                if len(free) >= enough:
                    return chain, free
            elif cell == color and beside not in met:
                met.add(beside)
                chain.append(beside)
    return chain, free


def ko_after(cells: Sequence[int], near: Near, at: int, taken: Sequence[int]) -> int:
    """The point of simple ko after a move took those stones, or -1."""
    if len(taken) != 1 or taken[0] == at:
        return -1
    others = [cells[beside] for beside in near[at] if beside != taken[0]]
    return -1 if cells[at] in others or 0 in others else taken[0]


class Board:
    """A rectangle of cells.

    `neighbours` has for each index the indices of the points beside it.

    >>> board = Board(Size(3, 3))
    >>> a1, b1, a2 = map(board.index, (Point(0, 0), Point(1, 0), Point(0, 1)))
    >>> board.put(a1, Color.WHITE)
    >>> board.put(b1, Color.BLACK)
    >>> board.liberties(board.chain(a1)) == {a2}
    True
    >>> board.play(a2, Color.BLACK) == [a1]
    True
    >>> board.cells
    [0, 1, 0, 1, 0, 0, 0, 0, 0]
    """

    __slots__ = ("_points", "cells", "neighbours", "size")

    def __init__(self, size: Size) -> None:
        self.size = size
        self.cells = [EMPTY] * size.points
        self.neighbours = neighbours(size)
        self._points = points_of(size)

    def copy(self) -> Board:
        twin = Board(self.size)
        twin.cells = self.cells[:]
        return twin

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and (self.size, self.cells) == (other.size, other.cells)

    def __hash__(self) -> int:
        return hash((self.size, *self.cells))

    def index(self, point: Point) -> int:
        return point.row * self.size.width + point.column

    def point(self, index: int) -> Point:
        return self._points[index]

    def points_at(self, indices: Iterable[int]) -> tuple[Point, ...]:
        points = self._points
        return tuple([points[index] for index in indices])

    def color(self, point: Point) -> Color | None:
        cell = self.cells[self.index(point)]
        return Color(cell) if cell else None

    def stones(self, color: Color) -> Iterator[int]:
        return (index for index, cell in enumerate(self.cells) if cell == color)

    def chain(self, index: int) -> frozenset[int]:
        return frozenset(flood(self.cells, self.neighbours, index))

    def liberties(self, chain: Iterable[int]) -> frozenset[int]:
        cells, near = self.cells, self.neighbours
        return frozenset(beside for stone in chain for beside in near[stone] if not cells[beside])

    def put(self, index: int, color: int) -> None:
        """Set up a stone on an empty point; nothing is captured."""
        self.cells[index] = int(color)

    def lift(self, index: int) -> None:
        self.cells[index] = EMPTY

    def play(self, index: int, color: int) -> Sequence[int]:
        """Play on an empty point and return the stones taken (see `place`)."""
        return place(self.cells, self.neighbours, index, int(color))
