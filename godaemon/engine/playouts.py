"""Light playouts: random play to the end in which atari is answered and no own eye filled. Pure.

They work on a bare list of cells with the board's own `place`, because thousands of moves are made
for one question; the rules here are area counting, no suicide, and a single stone may not retake a
ko at once.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from godaemon.engine.shape import Shape, is_eye, shape
from godaemon.rules.board import EMPTY, Board, Near, connected, place, unplace
from godaemon.rules.points import Color


class Survey(NamedTuple):
    """What the playouts of one position came to, point by point."""

    owned: list[float]
    """How surely each point ends as black's (1.0) or white's (-1.0)."""
    gain: list[float]
    """How many points better than the average end the games in which `to_move` is first there."""


def survey(board: Board, to_move: Color, playouts: int, rng: random.Random) -> Survey:
    """Play a position out that many times, each side beginning half of the games.

    The gain is the "all moves as first" heuristic (Bruegmann 1993), drawn towards 0 where only
    a few games back it.
    """
    points = board.size.points
    plan, first = shape(board.size), int(to_move)  # a plain int: cells with enum members are slow
    sums, total = [0] * points, 0
    with_first, games_first = [0] * points, [0] * points
    for number in range(playouts):
        cells = board.cells[:]
        playout = _Playout(cells, plan, rng)
        playout.run(first if number % 2 == 0 else -first)
        score = 0
        for index, cell in enumerate(cells):
            owner = cell or _surrounder(cells, plan.near[index])
            score += owner
            sums[index] += owner
        total += score
        for index, color in playout.first.items():
            if color == to_move:
                with_first[index] += score
                games_first[index] += 1
    mean = total / playouts
    gain = [
        to_move * (scored - games * mean) / (games + _DOUBT)
        for scored, games in zip(with_first, games_first, strict=True)
    ]
    return Survey([each / playouts for each in sums], gain)


_THROWN = 5
"""So many stones may be put into atari: the largest shapes that kill from inside an eye."""

_DOUBT = 8
"""Games without news that the gain of a point starts from."""


class _Playout:
    """One game played out at random; `first` holds the colour that first played on each point."""

    def __init__(self, cells: list[int], plan: Shape, rng: random.Random) -> None:
        self.cells = cells
        self.first: dict[int, int] = {}
        self._plan = plan
        self._draw = rng.random
        self._vacant = [index for index, cell in enumerate(cells) if cell == EMPTY]
        self._ko = self._last = -1

    def run(self, color: int) -> None:
        """Play until neither side has a move left, or for three times the board."""
        passes = 0
        for _ in range(3 * len(self.cells)):
            passes = 0 if self._answer(color) or self._wander(color) else passes + 1
            if passes == 2:
                return
            color = -color

    def _answer(self, color: int) -> bool:
        """Take the stones just played if they are in atari, or save those they put in atari."""
        last, near = self._last, self._plan.near
        if last < 0:
            return False
        found = _last_liberty(self.cells, near, last)
        if found >= 0 and self._try(found, color):
            return True
        for beside in near[last]:
            if self.cells[beside] == color:
                found = _last_liberty(self.cells, near, beside)
                if found >= 0 and self._breathes(found, color) and self._try(found, color):
                    return True
        return False

    def _breathes(self, index: int, color: int) -> bool:
        """Whether a stone there has two liberties at once, or joins another chain."""
        cells = self.cells
        return sum(cells[beside] != -color for beside in self._plan.near[index]) > 1

    def _try(self, index: int, color: int) -> bool:
        """Play there if it is no ko, eye or suicide."""
        if index == self._ko or is_eye(self.cells, self._plan, index, color):
            return False
        taken = place(self.cells, self._plan.near, index, color)
        if self.cells[index] == EMPTY:
            unplace(self.cells, index, color, taken)
            return False
        self._vacant.remove(index)
        self._note(index, color, taken)
        return True

    def _wander(self, color: int) -> bool:
        """Play anywhere; False, a pass, where there is nothing."""
        cells, plan, vacant, ko, draw = self.cells, self._plan, self._vacant, self._ko, self._draw
        left = len(vacant)
        while left:
            at = int(draw() * left)
            index = vacant[at]
            if index != ko and not is_eye(cells, plan, index, color):
                taken = place(cells, plan.near, index, color)
                if cells[index] == EMPTY or (not taken and self._blunders(index, color)):
                    unplace(cells, index, color, taken)
                else:
                    vacant[at] = vacant[-1]
                    vacant.pop()
                    self._note(index, color, taken)
                    return True
            left -= 1
            vacant[at], vacant[left] = vacant[left], index
        self._ko = self._last = -1
        return False

    def _blunders(self, index: int, color: int) -> bool:
        """Whether a stone just played leaves a large chain of its own in atari."""
        cells, near = self.cells, self._plan.near
        if all(cells[beside] != color for beside in near[index]):
            return False
        found = _last_liberty(cells, near, index)
        return found >= 0 and len(connected(cells, near, index)) > _THROWN

    def _note(self, index: int, color: int, taken: Sequence[int]) -> None:
        self.first.setdefault(index, color)
        self._vacant += taken
        self._last = index
        alone = len(taken) == 1 and _alone(self.cells, self._plan.near[index], color)
        self._ko = taken[0] if alone else -1


def _last_liberty(cells: list[int], near: Near, index: int) -> int:
    """The one liberty of the chain at `index`, or -1 where it has more."""
    color, found = cells[index], -1
    chain, seen = [index], {index}
    for stone in chain:
        for beside in near[stone]:
            cell = cells[beside]
            if cell == EMPTY:
                if found not in (-1, beside):
                    return -1
                found = beside
            elif cell == color and beside not in seen:
                seen.add(beside)
                chain.append(beside)
    return found


def _alone(cells: Sequence[int], beside: Sequence[int], color: int) -> bool:
    return all(cells[one] != color for one in beside)


def _surrounder(cells: Sequence[int], beside: Sequence[int]) -> int:
    """Whose point an empty one is: its neighbours', where these are all of one colour."""
    met = {cells[one] for one in beside}
    return met.pop() if len(met) == 1 else 0
