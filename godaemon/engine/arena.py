"""A board made for playing thousands of games out: chains, their liberties, patterns. Pure.

Each chain knows its liberties as one number with a bit for each point, so that atari, capture and
what a stone would have are plain arithmetic. The rules here are no suicide, and no retaking of a
ko at once; what else a ruleset forbids is asked of `Position` before a move is really made. There
is no undo: `Arena.restore` goes back to a saved state.
"""

from __future__ import annotations

from typing import NamedTuple

from godaemon.engine.geometry import plan
from godaemon.rules.board import Board

NOWHERE = -1


class Saved(NamedTuple):
    """The state of an arena, to go back to as often as one likes."""

    cells: list[int]
    head: list[int]
    libs: list[int]
    chains: list[list[int]]
    codes: list[int]
    vacant: list[int]
    where: list[int]
    ko: int


class Arena:
    """The stones of one board. Indices and colours are those of `Board.cells`."""

    __slots__ = (
        "cells",
        "chains",
        "codes",
        "head",
        "ko",
        "libs",
        "plan",
        "points",
        "taken",
        "vacant",
        "where",
    )

    def __init__(self, board: Board) -> None:
        self.plan = plan(board.size)
        self.points = points = board.size.points
        self.cells = [0] * points
        self.head = [NOWHERE] * points
        """The number of the chain of each stone."""
        self.libs = [0] * points
        """The liberties of each chain, a bit a point."""
        self.chains: list[list[int]] = [[] for _ in range(points)]
        """The stones of each chain; never changed in place."""
        self.codes = list(self.plan.empty)
        """The pattern around each point."""
        self.vacant = list(range(points))
        """The empty points, in any order."""
        self.where = list(range(points))
        """The place of each empty point in `vacant`."""
        self.ko = NOWHERE
        """The point that may not be played on just now."""
        self.taken: list[int] = []
        """The stones of the chain that was taken last."""
        for index, cell in enumerate(board.cells):
            if cell:
                self.play(index, cell)
        self.ko = NOWHERE

    def save(self) -> Saved:
        """The present state."""
        return Saved(
            self.cells[:],
            self.head[:],
            self.libs[:],
            self.chains[:],
            self.codes[:],
            self.vacant[:],
            self.where[:],
            self.ko,
        )

    def restore(self, saved: Saved) -> None:
        """Go back to a state of the same board."""
        (
            self.cells[:],
            self.head[:],
            self.libs[:],
            self.chains[:],
            self.codes[:],
            self.vacant[:],
            self.where[:],
            self.ko,
        ) = saved

    def play(self, index: int, color: int) -> int:  # noqa: C901 - the hot path, written as such
        """Put a stone on an empty point where it is no suicide; how many stones that took."""
        cells, head, libs, chains, codes = self.cells, self.head, self.libs, self.chains, self.codes
        near, _, bits, rests, steps, *_ = self.plan
        vacant = self.vacant
        cells[index] = color
        last = vacant.pop()
        if last != index:
            at = self.where[index]
            vacant[at] = last
            self.where[last] = at
        for at, step in steps[color][index]:
            codes[at] += step
        rest = rests[index]
        head[index] = me = index
        chains[index] = [index]
        libs[index] = room = taken = 0
        for beside in near[index]:
            cell = cells[beside]
            if not cell:
                room |= bits[beside]
            elif cell == color:
                other = head[beside]
                if other != me:
                    mine, theirs = chains[me], chains[other]
                    if len(mine) > len(theirs):
                        other, me, mine, theirs = me, other, theirs, mine
                    for stone in mine:
                        head[stone] = other
                    chains[other] = theirs + mine
                    libs[other] |= libs[me]
                    me = other
            else:
                other = head[beside]
                left = libs[other] & rest
                libs[other] = left
                if not left:
                    taken += self._take(other, -color)
        libs[me] = (libs[me] | room) & rest
        self.ko = NOWHERE
        if taken == 1 and len(chains[me]) == 1:
            left = libs[me]
            if not left & (left - 1):
                self.ko = left.bit_length() - 1
        return taken

    def _take(self, chain: int, color: int) -> int:
        """Take a chain off the board, and give its points to those around as liberties."""
        cells, head, libs, codes = self.cells, self.head, self.libs, self.codes
        vacant, where = self.vacant, self.where
        near, bits, steps = self.plan.near, self.plan.bit, self.plan.steps[color]
        self.taken = stones = self.chains[chain]
        for stone in stones:
            cells[stone] = 0
            where[stone] = len(vacant)
            vacant.append(stone)
            for at, step in steps[stone]:
                codes[at] -= step
        for stone in stones:
            bit = bits[stone]
            for beside in near[stone]:
                if cells[beside]:
                    libs[head[beside]] |= bit
        return len(stones)

    def room(self, index: int, color: int) -> int:
        """The liberties that a stone on an empty point would have; 0 where it is suicide."""
        cells, head, libs, bits = self.cells, self.head, self.libs, self.plan.bit
        bit = bits[index]
        found = 0
        for beside in self.plan.near[index]:
            cell = cells[beside]
            if not cell:
                found |= bits[beside]
            elif cell == color:
                found |= libs[head[beside]]
            elif libs[head[beside]] == bit:
                found |= bits[beside]
        return found & self.plan.rest[index]

    def owners(self) -> list[int]:
        """The owner of each point of a game played out: stones, and what one colour is around."""
        cells, near = self.cells, self.plan.near
        owners = cells[:]
        for index in self.vacant:
            met = {cells[beside] for beside in near[index]}
            if len(met) == 1:
                owners[index] = met.pop()
        return owners
