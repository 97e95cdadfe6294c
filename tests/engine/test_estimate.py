"""Which stones our engine takes for dead."""

from __future__ import annotations

import pytest

from godaemon.engine import dead_stones
from tests.support.boards import board, dead, position


@pytest.mark.parametrize(
    "diagram",
    [
        """
        . X . X O . O . .
        X X X X O O O O O
        . X . X O . O . O
        X X X X O O O O O
        X X X X X O O O O
        . X . X X O . O .
        X X X X X O O O O
        X X . X X O O . O
        . X X . X O . O O
        """,
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
