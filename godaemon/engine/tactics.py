"""Short reading: whether a chain can be caught or can get away, by ladders and simple nets. Pure.

A `Reader` plays its variations on cells of its own and gives up, in favour of the defender, after
some 150 moves (which also bounds its depth); it knows no ko.
"""

from __future__ import annotations

from collections.abc import Iterable

from godaemon.rules.board import EMPTY, Near, place, unplace

_SAFE = 3
"""With so many liberties a chain is taken to have got away."""


class Reader:
    """Reads out chains with one or two liberties; each question has its own budget of moves.

    `cells` are as in `Board.cells`, and are copied; `near` is `neighbours` of their board.
    """

    def __init__(self, cells: Iterable[int], near: Near, budget: int = 150) -> None:
        self.cells = list(cells)
        self._near = near
        self._budget = budget
        self._left = budget

    def escapes(self, stone: int) -> bool:
        """True where the chain at `stone`, its own side to move, gets away."""
        self._left = self._budget
        return self._escapes(stone)

    def caught(self, stone: int) -> bool:
        """True where the chain at `stone`, the other side to move, can be taken."""
        self._left = self._budget
        return self._caught(stone)

    def rescues(self, stone: int) -> list[int]:
        """The moves after which the chain at `stone` can no longer be taken."""
        found = []
        for move in self._defences(stone):
            self._left = self._budget
            if self._holds(stone, move):
                found.append(move)
        return found

    def attacks(self, stone: int) -> list[int]:
        """The moves after which the chain at `stone` cannot get away."""
        found = []
        for move in sorted(self._chain(stone, _SAFE)[1]):
            self._left = self._budget
            if self._kills(stone, move):
                found.append(move)
        return found

    def _escapes(self, stone: int) -> bool:
        for move in self._defences(stone):  # noqa: SIM110 - a generator would double the depth
            if self._holds(stone, move):
                return True
        return False

    def _caught(self, stone: int) -> bool:
        """Gives up on a chain with three liberties, and when the budget is spent."""
        self._left -= 1
        liberties = self._chain(stone, _SAFE)[1]
        if len(liberties) >= _SAFE or self._left < 0:
            return False
        if len(liberties) == 1:
            return True
        for move in sorted(liberties):  # noqa: SIM110 - likewise
            if self._kills(stone, move):
                return True
        return False

    def _holds(self, stone: int, move: int) -> bool:
        """True where the chain cannot be caught after its own side has moved there."""
        cells, color = self.cells, self.cells[stone]
        taken = place(cells, self._near, move, color)
        held = cells[move] != EMPTY and not self._caught(stone)
        unplace(cells, move, color, taken)
        return held

    def _kills(self, stone: int, move: int) -> bool:
        """True where the chain is taken, or in an atari it cannot get out of, by a move there."""
        cells, color = self.cells, -self.cells[stone]
        taken = place(cells, self._near, move, color)
        killed = cells[move] != EMPTY and (
            cells[stone] == EMPTY
            or (len(self._chain(stone, 2)[1]) == 1 and not self._escapes(stone))
        )
        unplace(cells, move, color, taken)
        return killed

    def _defences(self, stone: int) -> list[int]:
        """The chain's liberties, and the points at which a chain beside it is taken."""
        cells, near = self.cells, self._near
        chain, liberties = self._chain(stone, len(cells) + 1)
        moves, color, met = set(liberties), -cells[stone], set[int]()
        for one in chain:
            for other in near[one]:
                if cells[other] == color and other not in met:
                    stones, last = self._chain(other, 2)
                    met.update(stones)
                    if len(last) == 1:
                        moves |= last
        return sorted(moves)

    def _chain(self, index: int, enough: int) -> tuple[list[int], set[int]]:
        """A chain and its liberties, or, once there are enough of these, part of both."""
        cells, near = self.cells, self._near
        color = cells[index]
        chain, met, liberties = [index], {index}, set[int]()
        for stone in chain:
            for beside in near[stone]:
                cell = cells[beside]
                if cell == EMPTY:
                    liberties.add(beside)
                    if len(liberties) >= enough:
                        return chain, liberties
                elif cell == color and beside not in met:
                    met.add(beside)
                    chain.append(beside)
        return chain, liberties
