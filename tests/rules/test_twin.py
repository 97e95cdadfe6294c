"""The fast position and a naive one are the same, whatever is played."""

from __future__ import annotations

import random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from godaemon.errors import IllegalMove, Reason
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Position
from godaemon.rules.rulesets import RULESETS
from tests.support.naive import NaiveGame

_COLORS = st.sampled_from(Color)
_SIZES = st.sampled_from(
    [(1, 1), (1, 2), (2, 1), (1, 3), (2, 2), (1, 5), (2, 3), (3, 2), (3, 3), (4, 2), (5, 4), (7, 7)]
)


class Twins(RuleBasedStateMachine):
    """Random moves of both colours, passes and undo on small boards, where everything repeats."""

    @initialize(size=_SIZES, rules=st.sampled_from(sorted(RULESETS)))
    def begin(self, size: tuple[int, int], rules: str) -> None:
        """An empty board of some size, by some rules."""
        self.fast = Position(Size(*size), RULESETS[rules])
        self.naive = NaiveGame(Size(*size), RULESETS[rules])

    @rule(color=_COLORS, column=st.integers(0, 7), row=st.integers(0, 7))
    def play(self, color: Color, column: int, row: int) -> None:
        """A move anywhere, also off the board, is legal for both or for neither, for one reason."""
        self._play(color, Point(column, row))

    @rule(color=_COLORS, seed=st.integers(0, 10_000))
    def play_on(self, color: Color, seed: int) -> None:
        """A point that is on the board; half of the time the colour whose turn it is."""
        size = self.fast.size
        mover = color if seed % 2 else self.fast.to_move
        self._play(mover, Point(seed // 2 % size.width, seed // 20 % size.height))

    def _play(self, color: Color, point: Point) -> None:
        expected = self.naive.verdict(color, point)
        assert self._verdict(color, point) is expected
        if expected is None:
            self.naive.play(color, point)

    def _verdict(self, color: Color, point: Point) -> Reason | None:
        try:
            would_take = self.fast.dry_run(color, point)
        except IllegalMove as refusal:
            with pytest.raises(IllegalMove) as again:
                self.fast.play(color, point)
            return again.value.reason if again.value.reason is refusal.reason else None
        assert self.fast.play(color, point) == would_take
        return None

    @rule(color=_COLORS)
    def pass_(self, color: Color) -> None:
        """A pass is always legal."""
        self.fast.pass_(color)
        self.naive.pass_(color)

    @rule(times=st.integers(1, 3))
    def undo(self, times: int) -> None:
        """Some moves are taken back."""
        for _ in range(times):
            self.fast.undo()
            self.naive.undo()

    @rule()
    def go_on_with_a_copy(self) -> None:
        """A copy is as good as the original, and what happens to the original is nothing to it."""
        original, self.fast = self.fast, self.fast.copy()
        original.undo()
        original.pass_(Color.BLACK)

    @invariant()
    def agree(self) -> None:
        """The boards, the prisoners, and whose turn it is."""
        if not hasattr(self, "fast"):
            return
        cells = self.fast.board.cells
        stones = {
            self.fast.board.point(index): Color(cell) for index, cell in enumerate(cells) if cell
        }
        assert stones == self.naive.stones
        assert self.fast.prisoners == self.naive.prisoners[-1]
        assert self.fast.to_move is self.naive.history[-1][1]
        assert self.fast.move_number == len(self.naive.history) - 1


TestTwins = Twins.TestCase
TestTwins.settings = settings(max_examples=60, stateful_step_count=60, deadline=None)


def test_random_games_on_random_boards() -> None:
    """Longer games on larger boards of every shape and ruleset, every legal move compared."""
    rng = random.Random(4)
    for rules in sorted(RULESETS):
        size = Size(rng.randint(1, 7), rng.randint(1, 7))
        fast, naive = Position(size, RULESETS[rules]), NaiveGame(size, RULESETS[rules])
        for _ in range(120):
            color = fast.to_move
            point = Point(rng.randrange(size.width), rng.randrange(size.height))
            expected = naive.verdict(color, point)
            assert fast.is_legal(color, point) is (expected is None)
            if expected is None:
                fast.play(color, point)
                naive.play(color, point)
            elif rng.random() < 0.2:
                fast.pass_(color)
                naive.pass_(color)
            stones = {fast.board.index(each): int(one) for each, one in naive.stones.items()}
            assert {at: cell for at, cell in enumerate(fast.board.cells) if cell} == stones
