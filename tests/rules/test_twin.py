"""The fast position and a naive one always agree."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.errors import IllegalMove, Reason
from godaemon.rules.named_rulesets import RULESETS
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Position
from godaemon.rules.ruleset import Ko, Ruleset
from tests.support.examples import examples
from tests.support.naive import NaiveGame


def reason(game: Position, color: Color, point: Point) -> Reason | None:
    """Why a move is illegal, or None; `play` and `dry_run` must agree."""
    refusal = refused(game.dry_run, color, point)
    second = refused(game.play, color, point)
    if refusal is None or second is None:
        assert refusal is second
        return None
    assert (second.reason, second.repeats) == (refusal.reason, refusal.repeats)
    return second.reason


def refused(
    attempt: Callable[[Color, Point], object], color: Color, point: Point
) -> IllegalMove | None:
    try:
        attempt(color, point)
    except IllegalMove as refusal:
        return refusal
    return None


def play_twins(rng: random.Random, size: Size, ruleset: Ruleset, tries: int) -> int:
    """Try so many random moves of a game on both; returns how many were legal.

    Some are off the board. Now and then a copy goes on, and the original something else.
    """
    fast, naive = Position(size, ruleset), NaiveGame(size, ruleset)
    legal = 0
    for _ in range(tries):
        color = fast.to_move if rng.random() < 0.9 else fast.to_move.opponent
        point = Point(*(rng.randrange(side + (rng.random() < 0.05)) for side in size))
        expected = naive.verdict(color, point)
        found = reason(fast, color, point)
        assert found is expected, (size, ruleset, fast.moves, color, point, found, expected)
        if expected is None:
            legal += 1
            naive.play(color, point)
        elif rng.random() < 0.15:
            fast.pass_(color)
            naive.pass_(color)
        if rng.random() < 0.05:
            for _ in range(rng.randint(1, 4)):
                fast.undo()
                naive.undo()
            original, fast = fast, fast.copy()
            assert original == fast
            original.undo()
            original.pass_(Color.BLACK)
        agree(fast, naive)
    return legal


def agree(fast: Position, naive: NaiveGame) -> None:
    """Check that stones, prisoners, turn and number of moves are equal."""
    board = fast.board
    stones = {board.point(index): Color(cell) for index, cell in enumerate(board.cells) if cell}
    assert stones == naive.stones
    assert fast.prisoners == naive.prisoners[-1]
    assert fast.to_move is naive.history[-1][1]
    assert fast.move_number == len(naive.history) - 1


RULES = [
    RULESETS["tromp-taylor"].replace(ko=ko, suicide=suicide)
    for ko in Ko
    for suicide in (True, False)
]


@pytest.mark.parametrize("ruleset", RULES, ids=lambda each: f"{each.ko.value}-{each.suicide}")
@settings(max_examples=examples(120))
@given(st.integers(), st.integers(1, 7), st.integers(1, 5))
def test_random_games(ruleset: Ruleset, seed: int, width: int, height: int) -> None:
    """Games of both colours on small boards, where everything repeats, with passes and undo."""
    play_twins(random.Random(seed), Size(width, height), ruleset, 120)
