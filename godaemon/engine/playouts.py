"""Games played out at random, and whose each point was in the end. Pure.

A little sense makes them worth counting: what was just put in atari is taken or saved, no eye of
one's own is filled, and a chain of more than three stones is not put in atari by its owner unless
he takes something, so that most sekis stay. No suicide, and no ko is retaken at once.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from godaemon.rules.board import Board, ko_after, neighbours, place, unplace, with_liberties
from godaemon.rules.points import Size

_THROWN = 3
"""The largest chain that its owner puts in atari: so he kills an eye from within."""


def owners(board: Board, begin: Sequence[int], games: int, rng: random.Random) -> list[float]:
    """For each point, from 1 where it was always Black's to -1 where it was always White's.

    The colours in `begin` move first by turns.
    """
    sums = [0] * board.size.points
    for number in range(games):
        ends = _Playout(board, rng).run(begin[number % len(begin)])
        sums = [before + owner for before, owner in zip(sums, ends, strict=True)]
    return [each / games for each in sums]


def is_eye(board: Board, index: int, color: int) -> bool:
    """True where an empty point is an eye of that colour's, as far as its surroundings tell.

    All points beside it are the colour's, and so are its corners, but for one in the middle of
    the board and none at its edge (with more gaps the eye is false, or may become so).
    """
    cells = board.cells
    for beside in board.neighbours[index]:
        if cells[beside] != color:
            return False
    corners = _corners(board.size)[index]
    strangers = sum(cells[corner] == -color for corner in corners)
    return strangers < (2 if len(corners) == 4 else 1)


@lru_cache(maxsize=64)
def _corners(size: Size) -> tuple[tuple[int, ...], ...]:
    """For each index the points at its corners: those that are beside two of its neighbours."""
    near = neighbours(size)
    beside = (Counter(far for at in around for far in near[at]) for around in near)
    return tuple(
        tuple(far for far, ways in found.items() if ways == 2 and far != index)
        for index, found in enumerate(beside)
    )


class _Playout:
    """One game."""

    def __init__(self, board: Board, rng: random.Random) -> None:
        self._board, self._near = board.copy(), board.neighbours
        self._cells = self._board.cells
        self._empty = [at for at, cell in enumerate(self._cells) if not cell]
        self._random = rng.random
        self._ko = -1

    def run(self, color: int) -> list[int]:
        """The owner of each point once neither side can go on, or after three moves a point."""
        last, passes = -1, 0
        for _ in range(3 * len(self._cells)):
            last = self._move(last, color)
            passes = passes + 1 if last < 0 else 0
            if passes == 2:
                break
            color = -color
        owned = self._cells[:]
        for at in self._empty:
            around = {self._cells[beside] for beside in self._near[at]}
            owned[at] = around.pop() if len(around) == 1 else 0
        return owned

    def _move(self, last: int, color: int) -> int:
        """Play somewhere, and say where; -1 is a pass. `last` is the last move, or -1."""
        for at in self._urgent(last, color):
            if self._play(at, color):
                return at
        start = int(self._random() * len(self._empty))
        for at in self._empty[start:] + self._empty[:start]:
            if not is_eye(self._board, at, color) and self._play(at, color):
                return at
        self._ko = -1
        return -1

    def _urgent(self, last: int, color: int) -> Iterator[int]:
        """The last liberty of the stones just played, and of those that they put in atari."""
        if last >= 0:
            cells = self._cells
            for stone in (last, *(at for at in self._near[last] if cells[at] == color)):
                _, free = with_liberties(cells, self._near, stone, 2)
                if len(free) == 1:
                    yield free.pop()

    def _play(self, at: int, color: int) -> bool:
        """Play there if that makes sense; whether it does."""
        if at == self._ko:
            return False
        cells, near = self._cells, self._near
        taken = place(cells, near, at, color)
        if not taken:
            chain, free = with_liberties(cells, near, at, 2)
        if not cells[at] or (not taken and len(free) < 2 and len(chain) > _THROWN):
            unplace(cells, at, color, taken)
            return False
        self._ko = ko_after(cells, near, at, taken)
        self._empty.remove(at)
        self._empty.extend(taken)
        return True
