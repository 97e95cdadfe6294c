"""What our player thinks of each move, for those who watch it think."""

from __future__ import annotations

import random
from itertools import islice

from godaemon.engine.house import House
from godaemon.engine.search import Outlook
from godaemon.rules.points import Color, parse_point
from tests.support.boards import position

CAPTURE = """
. . . . . . .
. . . . . . .
. . X X X . .
. X O O . . .
. . X X X . .
. . . . . . .
. . . . . . .
"""


def _outlook(drawn: str, color: Color, games: int = 40) -> Outlook:
    house = House(3, rng=random.Random(1))
    return list(islice(house.analyse(position(drawn), color, komi=0.0), games))[-1].outlook()


def test_the_best_move_comes_first() -> None:
    """Moves stand in the order in which they were tried, and the shares of trust add up to one."""
    outlook = _outlook(CAPTURE, Color.BLACK)
    looks = [move.looks for move in outlook.moves]
    assert looks == sorted(looks, reverse=True)
    assert all(0 <= move.won <= 1 and move.line for move in outlook.moves)
    assert sum(move.prior for move in outlook.moves) <= 1.001


def test_it_is_told_as_the_player_to_move_sees_it() -> None:
    """What is well for Black is as bad for White; the points come row by row from the top left."""
    black, white = (_outlook(CAPTURE, color) for color in Color)
    assert black.moves[0].lead > 10
    assert white.moves[0].lead < -10
    assert len(black.owned) == 49
    at = 3 * 7 + 1  # B4, one of Black's stones
    assert black.owned[at] > 0.5 > -0.5 > white.owned[at]


def test_what_the_rules_forbid_is_not_among_the_moves() -> None:
    """A point with a stone, or one without liberties, is never looked at."""
    outlook = _outlook(CAPTURE, Color.WHITE, 5)
    assert parse_point("B4") not in [move.line[0] for move in outlook.moves]
