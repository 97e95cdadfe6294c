"""Reads ladders: which chains of one or two liberties are caught by atari after atari. Pure.

The chaser plays on the liberties of the chain. The runner extends on the last liberty, or takes a
chasing chain in atari. If the chaser must fight a ko, the chain is not caught. If the reading takes
too long, the chain counts as escaped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from godaemon.rules.board import (
    Near,
    chain_and_liberties,
    ko_after,
    neighbours,
    place,
    unplace,
)
from godaemon.rules.points import Size

_LONGEST = 1000
"""The most moves for one chain; a ladder across the board takes some hundred."""

_ENOUGH = 3
"""The liberties with which a chain has escaped."""


@lru_cache(maxsize=4096)
def ladder_moves(size: Size, cells: tuple[int, ...], ko: int) -> Mapping[int, frozenset[int]]:
    """The moves that catch each stone in a ladder; none if it is in atari already.

    `ko` is the point that may not be retaken now, or -1.
    """
    near, found = neighbours(size), dict[int, frozenset[int]]()
    for stones, free in weak_chains(size, cells):
        if len(free) < _ENOUGH:
            moves = _Ladder(cells, near, stones[0]).catching_moves(sorted(free), ko)
            if moves is not None:
                found.update(dict.fromkeys(stones, moves))
    return found


@lru_cache(maxsize=8)
def weak_chains(size: Size, cells: tuple[int, ...]) -> list[tuple[list[int], set[int]]]:
    """The stones and the liberties of each chain with at most three liberties."""
    near, found, seen = neighbours(size), list[tuple[list[int], set[int]]](), set[int]()
    for stone, color in enumerate(cells):
        if color and stone not in seen:
            stones, free = chain_and_liberties(cells, near, stone, 4)
            seen.update(stones)
            if len(free) < 4:
                found.append((stones, free))
    return found


class _Ladder:
    """The reading of one ladder, on cells of its own."""

    def __init__(self, cells: Sequence[int], near: Near, stone: int) -> None:
        self._cells, self._near, self._stone = list(cells), near, stone
        self._color = cells[stone]
        self._left = _LONGEST

    def catching_moves(self, free: Sequence[int], ko: int) -> frozenset[int] | None:
        """The first moves that catch the chain, none if it is lost in atari; None if it escapes."""
        if len(free) == 1:
            return frozenset() if not self._escapes(-1) else None
        moves = frozenset(
            at
            for at in free
            if at != ko and self._works(at, -self._color, lambda _: self._escapes(-1))
        )
        return moves or None

    def _works(self, at: int, color: int, answer: Callable[[int], bool]) -> bool:
        """True if a stone there is legal and `answer`, which gets the ko point, is false."""
        taken = place(self._cells, self._near, at, color)
        works = self._cells[at] != 0 and not answer(ko_after(self._cells, self._near, at, taken))
        unplace(self._cells, at, color, taken)
        return works

    def _escapes(self, ko: int) -> bool:
        """True if the chain, to move, gets away; `ko` is the point it may not retake."""
        stones, free = chain_and_liberties(self._cells, self._near, self._stone, _ENOUGH)
        self._left -= 1
        if len(free) > 1 or ko >= 0 or self._left < 0:
            return True
        moves = chain(free, self._takes(stones))
        return any(self._works(at, self._color, self._is_chased) for at in moves)

    def _is_chased(self, ko: int) -> bool:
        _, free = chain_and_liberties(self._cells, self._near, self._stone, _ENOUGH)
        if len(free) != 2:
            return len(free) < 2
        moves = sorted(free, key=self._room, reverse=True)
        return any(at != ko and self._works(at, -self._color, self._escapes) for at in moves)

    def _room(self, at: int) -> int:
        """The empty points beside a point: the runner prefers those with many."""
        return sum(not self._cells[beside] for beside in self._near[at])

    def _takes(self, stones: Iterable[int]) -> Iterator[int]:
        """The moves that take a chaser in atari beside these stones."""
        cells, near = self._cells, self._near
        seen: set[int] = set()
        for beside in (beside for at in stones for beside in near[at]):
            if cells[beside] == -self._color and beside not in seen:
                chasers, free = chain_and_liberties(cells, near, beside, 2)
                seen.update(chasers)
                yield from free if len(free) == 1 else ()
