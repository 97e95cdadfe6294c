"""The fast position and a naive one are the same, whatever is played."""

from __future__ import annotations

import random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from godaemon.rules import position
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Position
from godaemon.rules.rulesets import RULESETS, Ko, Ruleset
from tests.support.examples import examples
from tests.support.naive import NaiveGame
from tests.support.twins import agree, play_twins, reason

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
        assert reason(self.fast, color, point) is expected
        if expected is None:
            self.naive.play(color, point)

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
        agree(self.fast, self.naive)
        assert self.fast == self.fast.copy()


TestTwins = Twins.TestCase
TestTwins.settings = settings(max_examples=examples(60), stateful_step_count=60)


RULES = [
    RULESETS["tromp-taylor"].replace(ko=ko, suicide=suicide)
    for ko in Ko
    for suicide in (True, False)
]


@pytest.mark.parametrize("ruleset", RULES, ids=lambda each: f"{each.ko.value}-{each.suicide}")
def test_random_games_on_random_boards(ruleset: Ruleset) -> None:
    """Games of both colours on boards of every shape, with passes and undo, move by move."""
    rng = random.Random(4)
    legal = sum(
        play_twins(rng, Size(rng.randint(1, 5), rng.randint(1, 5)), ruleset, 120) for _ in range(12)
    )
    assert legal > 200


@pytest.mark.parametrize("ruleset", RULES, ids=lambda each: f"{each.ko.value}-{each.suicide}")
def test_positions_that_share_a_hash(ruleset: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is refused for its hash: where half of all share one the stones still decide."""
    monkeypatch.setattr(position, "_hash", lambda cells: hash(tuple(cells)) & 1)
    rng = random.Random(5)
    for width, height in ((1, 3), (2, 2), (3, 2), (4, 1), (3, 3)):
        play_twins(rng, Size(width, height), ruleset, 200)
