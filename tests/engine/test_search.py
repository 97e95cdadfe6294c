"""Analysis of moves while our engine thinks."""

import random
from functools import cache
from itertools import islice

import pytest

from godaemon.engine.house import House
from godaemon.engine.levels import Limit, LiveAnalysis
from godaemon.engine.search import Search, SearchReport
from godaemon.rules.points import Color, Point, parse_point
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


@cache
def _outlook(color: Color) -> SearchReport:
    house = House(3, rng=random.Random(1))
    return list(islice(house.analyse(position(CAPTURE), color, komi=0.0), 12))[-1].report()


def test_moves_are_sorted_by_looks() -> None:
    """Their shares add up to one."""
    report = _outlook(Color.BLACK)
    visits = [move.visits for move in report.moves]
    assert visits == sorted(visits, reverse=True)
    assert all(0 <= move.winrate <= 1 and move.line for move in report.moves)
    assert sum(move.prior for move in report.moves) <= 1.001


def test_figures_are_for_the_player_to_move() -> None:
    """Good for Black is bad for White; points come row by row from the top left."""
    black, white = (_outlook(color) for color in Color)
    assert black.moves[0].lead > 10
    assert white.moves[0].lead < -10
    assert len(black.owners) == 49
    at = 3 * 7 + 1  # B4, one of Black's stones
    assert black.owners[at] > 0.5 > -0.5 > white.owners[at]


F4, B4 = parse_point("F4"), parse_point("B4")
ANY_STONE = frozenset(position(CAPTURE).legal_moves(Color.BLACK))


def _limited(*limits: Limit) -> Search:
    house = House(3, rng=random.Random(1))
    made = position(CAPTURE)
    return list(islice(house.analyse(made, Color.BLACK, komi=0.0, limits=limits), 12))[-1]


@pytest.mark.parametrize(("depth", "shared"), [(2, True), (3, False)])
def test_limits_apply_down_to_their_depth(depth: int, shared: bool) -> None:
    """The next move is at depth 1, the answer at 2, one's own next move at 3."""
    first = frozenset([F4])
    only = Limit(Color.BLACK, True, first, 1)
    later = Limit(Color.BLACK, True, first | {None}, depth)
    search = _limited(only, later)
    assert [move.line[0] for move in search.report().moves] == [F4]
    answers = search.root.children[position(CAPTURE).board.index(F4)].children.values()
    thirds = {at for node in answers for at in node.visits.nonzero()[0].tolist()}
    assert bool(thirds - {position(CAPTURE).size.points}) == shared


def test_limits_apply_to_the_opponents_answers() -> None:
    """White has only one answer if all others are left out, and always one."""
    search = _limited(Limit(Color.WHITE, True, frozenset([F4]), 2))
    replies = {move.line[1] for move in search.report().moves if len(move.line) > 1}
    assert replies <= {F4, None}
    assert F4 in replies


@pytest.mark.parametrize("points", [frozenset(), frozenset([B4])])
def test_a_pass_remains_if_all_moves_are_left_out(points: frozenset[Point | None]) -> None:
    """An occupied point is no move."""
    search = _limited(Limit(Color.BLACK, True, points, 99))
    assert [move.line[0] for move in search.report().moves] == [None]


@pytest.mark.parametrize("level", [1, 3, 7, 8])
@pytest.mark.parametrize(
    ("limits", "chosen"),
    [
        ([Limit(Color.BLACK, True, frozenset([F4]), 1)], {F4}),
        ([Limit(Color.BLACK, False, ANY_STONE - {F4} | {None}, 1)], {F4}),
        ([Limit(Color.WHITE, False, ANY_STONE, 1)], ANY_STONE),
        ([Limit(Color.BLACK, True, frozenset([None]), 1)], {None}),
    ],
)
def test_a_chosen_move_obeys_the_limits(
    level: int, limits: list[Limit], chosen: set[Point | None]
) -> None:
    """At levels that draw their move and at those that search, with progress reports."""
    reports: list[Search | str] = []
    house = House(level, rng=random.Random(1))
    analysis = LiveAnalysis(limits, reports.append)
    assert (
        house.genmove(position(CAPTURE), Color.BLACK, komi=0.0, analysis=analysis).point in chosen
    )
    last = reports[-1]
    assert isinstance(last, Search)
    assert last.visits >= 8
    assert {move.line[0] for move in last.report().moves} <= chosen
