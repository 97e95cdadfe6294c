"""The fast position and the naive one, played side by side; they must never differ."""

from __future__ import annotations

import random
from collections.abc import Callable

from godaemon.errors import IllegalMove, Reason
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Position
from godaemon.rules.rulesets import Ruleset
from tests.support.naive import NaiveGame


def reason(position: Position, color: Color, point: Point) -> Reason | None:
    """Why a move is illegal, or None; `play` must find what `dry_run` found, and play it."""
    refusal = refused(position.dry_run, color, point)
    again = refused(position.play, color, point)
    if refusal is None or again is None:
        assert refusal is again
        return None
    assert (again.reason, again.repeats) == (refusal.reason, refusal.repeats)
    return again.reason


def refused(
    attempt: Callable[[Color, Point], object], color: Color, point: Point
) -> IllegalMove | None:
    """The refusal that an attempt meets."""
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
    """Check that the stones, the prisoners, the turn and the number of moves are the same."""
    board = fast.board
    stones = {board.point(index): Color(cell) for index, cell in enumerate(board.cells) if cell}
    assert stones == naive.stones
    assert fast.prisoners == naive.prisoners[-1]
    assert fast.to_move is naive.history[-1][1]
    assert fast.move_number == len(naive.history) - 1
