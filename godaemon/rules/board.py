"""The board: stones, chains, liberties and capture, with no history and no rule of repetition.

Points are plain indices (`row * width + column`, from the bottom left) for speed;
`godaemon.rules.position` uses `Point`. No group data is kept: a chain is flooded only if a stone
has no liberty beside it, which is rare. Playouts call the functions on bare cells thousands of
times.
"""

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
    ways = ((-1, 0), (1, 0), (0, -1), (0, 1))
    return tuple(
        tuple(
            index + across + up * size.width
            for across, up in ways
            if size.has(Point(column + across, row + up))
        )
        for index, (column, row) in enumerate(points_of(size))
    )


@lru_cache(maxsize=64)
def points_of(size: Size) -> tuple[Point, ...]:
    """The points in the order of their indices."""
    return tuple(
        point_at(column, row) for row in range(size.height) for column in range(size.width)
    )


def place(cells: list[int], near: Near, index: int, color: int) -> Sequence[int]:
    """Put a stone on an empty point, and return the stones that it captures.

    A suicide returns the stone's own chain, this stone first, and leaves `cells[index]` empty.
    `color` is a plain int, because enumeration members would slow down every comparison.
    """
    cells[index] = color
    captures: Sequence[int] = _NONE
    has_liberty = False
    for neighbour in near[index]:
        cell = cells[neighbour]
        if cell == 0:
            has_liberty = True
        elif cell != color:
            for further in near[neighbour]:
                if cells[further] == 0:
                    break
            else:
                chain = captured_chain(cells, near, neighbour)
                if chain:
                    for stone in chain:
                        cells[stone] = 0
                    captures = [*captures, *chain]
    if has_liberty or captures:
        return captures
    captures = captured_chain(cells, near, index)
    for stone in captures:
        cells[stone] = 0
    return captures


def is_suicide(index: int, captures: Sequence[int]) -> bool:
    """True if a move at `index` captured its own chain; `place` returned `captures`."""
    return bool(captures) and captures[0] == index


def unplace(cells: list[int], index: int, color: int, captures: Sequence[int]) -> None:
    """Undo the last `place`, which returned `captures`."""
    if captures:
        owner = color if is_suicide(index, captures) else -color
        for stone in captures:
            cells[stone] = owner
    cells[index] = 0


def captured_chain(cells: Sequence[int], near: Near, index: int) -> Sequence[int]:
    """The chain of a stone without a liberty beside it, or nothing if the chain has a liberty."""
    color = cells[index]
    chain, seen = [index], {index}
    for stone in chain:
        for neighbour in near[stone]:
            if cells[neighbour] == color and neighbour not in seen:
                for further in near[neighbour]:
                    if not cells[further]:
                        return _NONE
                seen.add(neighbour)
                chain.append(neighbour)
    return chain


def flood(cells: Sequence[int], near: Near, index: int) -> set[int]:
    """The connected points with the same content as `index`: a chain or an empty region."""
    color = cells[index]
    found, edge = {index}, [index]
    while edge:
        for neighbour in near[edge.pop()]:
            if cells[neighbour] == color and neighbour not in found:
                found.add(neighbour)
                edge.append(neighbour)
    return found


def components(points: Collection[int], near: Near) -> list[set[int]]:
    """The connected parts of a set of points, in the order of their lowest points."""
    unvisited = bytearray(len(near))
    for index in points:
        unvisited[index] = True
    parts = []
    for start in sorted(points):
        if unvisited[start]:
            unvisited[start], part = False, [start]
            for index in part:
                for neighbour in near[index]:
                    if unvisited[neighbour]:
                        unvisited[neighbour] = False
                        part.append(neighbour)
            parts.append(set(part))
    return parts


def chain_and_liberties(
    cells: Sequence[int], near: Near, index: int, enough: int
) -> tuple[list[int], set[int]]:
    """The chain of a stone and its liberties; incomplete once `enough` liberties are known."""
    color = cells[index]
    chain, seen, liberties = [index], {index}, set[int]()
    for stone in chain:
        for neighbour in near[stone]:
            cell = cells[neighbour]
            if not cell:
                liberties.add(neighbour)
                if len(liberties) >= enough:
                    return chain, liberties
            elif cell == color and neighbour not in seen:
                seen.add(neighbour)
                chain.append(neighbour)
    return chain, liberties


def ko_after(cells: Sequence[int], near: Near, index: int, captures: Sequence[int]) -> int:
    """The point of simple ko after a move that captured stones, or -1."""
    if len(captures) != 1 or is_suicide(index, captures):
        return -1
    others = [cells[neighbour] for neighbour in near[index] if neighbour != captures[0]]
    return -1 if cells[index] in others or 0 in others else captures[0]


class Board:
    """A rectangle of cells; `neighbours` has the indices of the points beside each index.

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

    def copy(self) -> "Board":
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
        return frozenset(
            neighbour for stone in chain for neighbour in near[stone] if not cells[neighbour]
        )

    def put(self, index: int, color: int) -> None:
        """Set up a stone on an empty point; nothing is captured."""
        self.cells[index] = int(color)

    def lift(self, index: int) -> None:
        self.cells[index] = EMPTY

    def play(self, index: int, color: int) -> Sequence[int]:
        """Play on an empty point and return the captured stones (see `place`)."""
        return place(self.cells, self.neighbours, index, int(color))
