"""Short reading: whether a chain can be caught or can get away, by ladders and simple nets. Pure.

A `Reader` plays its variations on a board of its own and gives up, in favour of the defender,
after some 150 moves (which also bounds its depth); it knows no ko.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from godaemon.rules.board import EMPTY, Board

_SAFE = 3
"""With so many liberties a chain is taken to have got away."""


class Reader:
    """Reads out chains with one or two liberties; each question has its own budget of moves."""

    def __init__(self, board: Board, budget: int = 150) -> None:
        self.board = board.copy()
        self._budget = budget
        self._left = budget

    def escapes(self, stone: int) -> bool:
        """Whether the chain at `stone`, its own side to move, gets away."""
        self._left = self._budget
        return self._escapes(stone)

    def caught(self, stone: int) -> bool:
        """Whether the chain at `stone`, the other side to move, can be taken."""
        self._left = self._budget
        return self._caught(stone)

    def rescues(self, stone: int) -> list[int]:
        """The moves after which the chain at `stone` can no longer be taken."""
        return [move for move in self._defences(stone) if self._holds(stone, move)]

    def attacks(self, stone: int) -> list[int]:
        """The moves after which the chain at `stone` cannot get away."""
        found = []
        for move in self.board.liberties(self.board.chain(stone)):
            self._left = self._budget
            if self._kills(stone, move):
                found.append(move)
        return found

    def _holds(self, stone: int, move: int) -> bool:
        self._left = self._budget
        with self._trial(move, self.board.cells[stone]) as played:
            return played and not self._caught(stone)

    def _escapes(self, stone: int) -> bool:
        color = self.board.cells[stone]
        for move in self._defences(stone):
            with self._trial(move, color) as played:
                if played and not self._caught(stone):
                    return True
        return False

    def _caught(self, stone: int) -> bool:
        """Gives up on a chain with three liberties, and when the budget is spent."""
        self._left -= 1
        liberties = self.board.liberties(self.board.chain(stone))
        if len(liberties) >= _SAFE or self._left < 0:
            return False
        if len(liberties) == 1:
            return True
        return any(self._kills(stone, move) for move in sorted(liberties))

    def _kills(self, stone: int, move: int) -> bool:
        with self._trial(move, -self.board.cells[stone]) as played:
            if not played:
                return False
            if self.board.cells[stone] == EMPTY:
                return True
            liberties = self.board.liberties(self.board.chain(stone))
            return len(liberties) == 1 and not self._escapes(stone)

    def _defences(self, stone: int) -> list[int]:
        """The chain's liberties, and the points at which a chain beside it is taken."""
        chain = self.board.chain(stone)
        moves = set(self.board.liberties(chain))
        color = self.board.cells[stone]
        beside = {near for one in chain for near in self.board.near(one)}
        for other in beside:
            if self.board.cells[other] == -color:
                last = self.board.liberties(self.board.chain(other))
                if len(last) == 1:
                    moves |= last
        return sorted(moves)

    @contextmanager
    def _trial(self, move: int, color: int) -> Iterator[bool]:
        """Play for the length of a block; False, and nothing is played, where it is suicide."""
        board, key = self.board, self.board.key
        outcome = board.outcome(move, color)
        if outcome.suicide or board.cells[move] != EMPTY:
            yield False
            return
        board.apply(move, color, outcome)
        try:
            yield True
        finally:
            board.unapply(move, color, outcome, key)
