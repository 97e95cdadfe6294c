"""Short reading: ladders, and what gets out of them."""

from __future__ import annotations

import pytest

from godaemon.engine.tactics import Reader
from godaemon.rules.points import parse_point
from tests.support.boards import board

LADDER = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . {} . .
    . . . . . . . . .
    . . . . . . . . .
    . . O . . . . . .
    . . O X O . . . .
    . . . O . . . . .
    . . . . . . . . .
    """


@pytest.mark.parametrize(("breaker", "escapes"), [(".", False), ("X", True), ("O", False)])
def test_ladder(breaker: str, escapes: bool) -> None:
    """A stone in a ladder gets away only with a friend on its way."""
    made = board(LADDER.format(breaker))
    reader = Reader(made.cells, made.neighbours)
    assert reader.escapes(made.index(parse_point("D3"))) is escapes
    assert reader.cells == made.cells


def test_a_stone_in_the_corner_is_caught() -> None:
    """A stone on the first line with two liberties has nowhere to go."""
    made = board(". . .\nO . .\nX . O")
    assert Reader(made.cells, made.neighbours).caught(made.index(parse_point("A1")))


def test_rescues_and_attacks() -> None:
    """Both sides find the point on which two stones depend."""
    made = board(". . . . .\n. O . . .\nO X X . .\n. O O . .\n. . . . .")
    reader = Reader(made.cells, made.neighbours)
    stone = made.index(parse_point("B3"))
    assert parse_point("D3") in map(made.point, reader.rescues(stone))
    assert parse_point("D3") in map(made.point, reader.attacks(stone))
