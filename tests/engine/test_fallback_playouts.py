"""Random playouts: forbidden moves, and results."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.engine.fallback import is_eye, mean_owners
from godaemon.rules.board import Board
from godaemon.rules.points import Color, Point, Size
from tests.support.boards import board, position
from tests.support.examples import examples

BLACK, WHITE = Color.BLACK, Color.WHITE


def test_eyes_may_have_one_gap() -> None:
    """A missing corner is allowed in the middle, none at the edge."""
    made = position(
        """
        . X . X O
        X X X X X
        X . X . X
        O X X X O
        . O X O .
        """
    ).board
    eyes = [
        str(made.point(index))
        for index, cell in enumerate(made.cells)
        if not cell and is_eye(made, index, BLACK)
    ]
    assert sorted(eyes) == ["A5", "B3", "C5", "D3"]
    assert not is_eye(made, made.index(Point(0, 0)), WHITE)


def test_playouts_find_owners() -> None:
    """Live stones and their eyes keep their owner in every game; a dead stone falls."""
    made = board(". X O .\nX X O O\n. X O .\nX X O #")
    found = mean_owners(made, tuple(Color), 20, random.Random(1))
    width = made.size.width
    assert [found[at : at + 2] for at in range(0, len(found), width)] == [[1, 1]] * 4
    assert [found[at + 2 : at + 4] for at in range(0, len(found), width)] == [[-1, -1]] * 4


@settings(max_examples=examples(20))
@given(st.builds(Size, st.integers(1, 6), st.integers(1, 6)), st.integers())
def test_any_board_is_played_out(size: Size, seed: int) -> None:
    """Each share is from -1 to 1 and reproducible by seed; the board is unchanged."""
    rng, made = random.Random(seed), Board(size)
    for at in range(size.points):
        if rng.random() < 0.3:
            made.put(at, rng.choice((1, -1)))
            if not made.liberties(made.chain(at)):
                made.lift(at)
    before = made.copy()
    shares = mean_owners(made, (WHITE,), 4, random.Random(seed))
    assert len(shares) == size.points
    assert all(-1 <= share <= 1 for share in shares)
    assert shares == mean_owners(made, (WHITE,), 4, random.Random(seed))
    assert made == before
