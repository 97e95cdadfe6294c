"""Reads ladders: finds chains of one or two liberties that repeated atari catches.

The chaser plays on the liberties of the chain. The runner extends on the last liberty, or captures
a chasing chain in atari. If the chaser must fight a ko, or the reading takes too long, the chain
counts as escaped.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from godaemon.rules.board import Near, chain_and_liberties, ko_after, neighbours, place, unplace
from godaemon.rules.points import Size

_MAX_READING = 1000
"""The limit on the moves read for one chain; a ladder across the board takes a few hundred."""

_ESCAPED = 3
"""The liberties of a chain that has escaped."""


@lru_cache(maxsize=4096)
def ladder_moves(size: Size, cells: tuple[int, ...], ko: int) -> Mapping[int, frozenset[int]]:
    """The moves that catch each stone in a ladder; none if it is in atari and lost already.

    `ko` is the point that may not be retaken now, or -1.
    """
    near, moves_of = neighbours(size), dict[int, frozenset[int]]()
    for stones, liberties in weak_chains(size, cells):
        if len(liberties) < _ESCAPED:
            moves = _Ladder(cells, near, stones[0]).catching_moves(sorted(liberties), ko)
            if moves is not None:
                moves_of.update(dict.fromkeys(stones, moves))
    return moves_of


@lru_cache(maxsize=8)
def weak_chains(size: Size, cells: tuple[int, ...]) -> list[tuple[list[int], set[int]]]:
    """The stones and the liberties of each chain with at most three liberties."""
    near = neighbours(size)
    result = list[tuple[list[int], set[int]]]()
    visited = set[int]()
    for stone, color in enumerate(cells):
        if color and stone not in visited:
            stones, liberties = chain_and_liberties(cells, near, stone, 4)
            visited.update(stones)
            if len(liberties) < 4:
                result.append((stones, liberties))
    return result


class _Ladder:
    """Reads one ladder, on its own copy of the cells."""

    def __init__(self, cells: Sequence[int], near: Near, stone: int) -> None:
        self._cells, self._near, self._stone = list(cells), near, stone
        self._color = cells[stone]
        self._left = _MAX_READING

    def catching_moves(self, liberties: Sequence[int], ko: int) -> frozenset[int] | None:
        """The first moves that catch the chain (none if it is in atari), or None if it escapes."""
        if len(liberties) == 1:
            return frozenset() if not self._escapes(-1) else None
        moves = frozenset(
            index
            for index in liberties
            if index != ko and self._works(index, -self._color, lambda _: self._escapes(-1))
        )
        return moves or None

    def _works(self, index: int, color: int, answer: Callable[[int], bool]) -> bool:
        """True if a move is legal and `answer`, called with the new ko point, is false after it."""
        cells, near = self._cells, self._near
        captures = place(cells, near, index, color)
        is_good = cells[index] != 0 and not answer(ko_after(cells, near, index, captures))
        unplace(cells, index, color, captures)
        return is_good

    def _escapes(self, ko: int) -> bool:
        """True if the chain escapes when the runner moves; `ko` is the point it may not retake."""
        stones, liberties = chain_and_liberties(self._cells, self._near, self._stone, _ESCAPED)
        self._left -= 1
        if len(liberties) > 1 or ko >= 0 or self._left < 0:
            return True
        moves = chain(liberties, self._takes(stones))
        return any(self._works(index, self._color, self._is_chased) for index in moves)

    def _is_chased(self, ko: int) -> bool:
        _, liberties = chain_and_liberties(self._cells, self._near, self._stone, _ESCAPED)
        if len(liberties) != 2:
            return len(liberties) < 2
        moves = (move for move in sorted(liberties, key=self._room, reverse=True) if move != ko)
        return any(self._works(move, -self._color, self._escapes) for move in moves)

    def _room(self, index: int) -> int:
        """The number of empty points beside a point; the runner prefers many."""
        return sum(not self._cells[neighbour] for neighbour in self._near[index])

    def _takes(self, stones: Iterable[int]) -> Iterator[int]:
        """The moves that capture a chaser in atari beside some stones."""
        cells, near = self._cells, self._near
        visited: set[int] = set()
        for neighbour in (neighbour for index in stones for neighbour in near[index]):
            if cells[neighbour] == -self._color and neighbour not in visited:
                chasers, liberties = chain_and_liberties(cells, near, neighbour, 2)
                visited.update(chasers)
                yield from liberties if len(liberties) == 1 else ()
