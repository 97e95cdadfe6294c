"""Ladders as inputs of the network."""

import pytest

from godaemon.engine.ladders import ladder_moves
from godaemon.rules.points import parse_point
from tests.support.boards import board

CASES = {
    "in atari, and gets out": (
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . X . . . . .
        X O X . . . .
        . X . . . . .
        . . . . . . .
        """,
        "B3",
        None,
    ),
    "in a ladder": (
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . X X . . . .
        X O . . . . .
        . . . . . . .
        . . . . . . .
        """,
        "B3",
        {"B2"},
    ),
    "a breaker stands in the way": (
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . X X . . . .
        X O . . . . .
        . . . . . . .
        . . O . . . .
        """,
        "B3",
        None,
    ),
    "in atari, and nothing helps": (
        """
        . . . . .
        . . . . .
        . . . . .
        X X . . .
        O . X . .
        """,
        "A1",
        set(),
    ),
    "in atari, but takes the chaser": (
        """
        . . . . .
        . . . . .
        O O . . .
        X X O . .
        O . X . .
        """,
        "A1",
        None,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_ladders_are_found(name: str) -> None:
    """A chain is in a ladder if atari after atari takes it; the first moves are named."""
    drawn, stone, wanted = CASES[name]
    made = board(drawn)
    found = ladder_moves(made.size, tuple(made.cells), -1).get(made.index(parse_point(stone)))
    named = None if found is None else {str(made.point(at)) for at in found}
    assert named == wanted
