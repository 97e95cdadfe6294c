"""Which stones our engine takes for dead."""

from __future__ import annotations

import pytest

from godaemon.engine import dead_stones
from godaemon.engine.estimate import stands
from godaemon.rules.points import Color
from tests.support.boards import FINISHED, board, dead, position


@pytest.mark.parametrize(
    "diagram",
    [
        FINISHED,
        """
        . X . X O . O . .
        X . @ X O O # O .
        . X . X X O . # O
        X X X . X O O O .
        . @ . X X O . . .
        X . X X O O O O O
        . X . X O . # . O
        X X X X O O . O .
        . . X X O . O O .
        """,
        """
        . . . . . . .
        . . X X X . .
        . X . . . X .
        X X X X X X X
        O O O O O O O
        . . . O # . .
        . O . O . . .
        """,
    ],
)
def test_finished_boards(diagram: str) -> None:
    """In plainly finished games exactly the dead stones are named."""
    marked = dead(diagram)
    plain = diagram.replace("#", "X").replace("@", "O")
    assert board(plain) == board(diagram)
    assert dead_stones(position(plain)) == marked


def test_the_same_question_has_the_same_answer() -> None:
    """Two asked about one position, by mail or by GTP, hear one opinion."""
    diagram = ". X O . .\n. X O . X\n. X O O .\n. X X O .\nO . X O ."
    assert dead_stones(position(diagram)) == dead_stones(position(diagram))


@pytest.mark.parametrize(
    "diagram",
    [
        """
        O X . O X .
        O X . O X .
        O X X O X X
        O O O X X .
        . O . O X X
        O . O O X .
        """,
        """
        . X . O . O X .
        X X O O O O X .
        O O X X X X X X
        . O O X . . . .
        O . O X X . . .
        """,
    ],
)
def test_seki(diagram: str) -> None:
    """Two shared liberties, and an eye each with one: nobody is dead there."""
    assert dead_stones(position(diagram)) == frozenset()


@pytest.mark.parametrize(
    "diagram",
    [
        ". X O . .\n. X O . .\nO X O . .\nX X O O O\nO O O O .",
        ". . X O .\nX X X O .\nO O O O O\n. . O . O",
        ". . X O .\n. . X O .\nX X X O O\nO O O O .",
    ],
)
def test_one_small_eye_is_no_standoff(diagram: str) -> None:
    """The attacker gives up a stone or three within, and takes all of it in the end."""
    made = board(diagram)
    black = frozenset(made.stones(Color.BLACK))
    assert not stands(made, black, black)
