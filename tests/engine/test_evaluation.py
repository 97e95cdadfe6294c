"""The network's evaluation, beside the figures that KataGo publishes for this network."""

import math

import pytest

from godaemon.engine.evaluation import estimate, inputs, white_points
from godaemon.engine.levels import can_judge
from godaemon.engine.network import load_network, np
from godaemon.rules.named_rulesets import RULESETS
from godaemon.rules.points import Color, Point, Size, parse_point
from godaemon.rules.position import Position
from tests.support import places
from tests.support.blocks import read_blocks
from tests.support.boards import played, position

SMALL = played("C3 C6", "chinese")
TALL = played("C3 C7 F7", "new-zealand", size=Size(7, 10))
FIGURES = read_blocks(places.DATA / "katago_figures.txt")


@pytest.mark.parametrize("name", FIGURES)
def test_evaluations_equal_katagos(name: str) -> None:
    """Chances, lead, policy and owners are KataGo's for this network, to a thousandth."""
    at, rows = (SMALL if "small" in name else TALL), (1 if "over" in name else -1)
    color, width = at.to_move, at.size.width
    planes, numbers = inputs(at, color, 7.5)
    evaluation = load_network().evaluate(planes[::rows], numbers, unresolved=at is SMALL)
    (won, lead), *points = (line.split() for line in FIGURES[name].splitlines())
    white = evaluation.winrate if color is Color.WHITE else 1 - evaluation.winrate
    assert white == pytest.approx(float(won), abs=1e-3)
    assert evaluation.lead * -color == pytest.approx(float(lead), abs=1e-2)
    legal = [at.is_legal(color, point) for point in map(at.board.point, range(at.size.points))]
    policy = evaluation.policy[:-1].reshape(-1, width)[::rows].ravel()
    ownership = evaluation.owners.reshape(-1, width)[::rows].ravel()
    whole = np.exp(policy)[legal].sum() + math.exp(evaluation.policy[-1])
    for point, share, part in points:
        index = at.board.index(parse_point(point))
        assert ownership[index] * -color == pytest.approx(float(part), abs=1e-3), point
        if share != "-":
            assert np.exp(policy[index]) / whole == pytest.approx(float(share), abs=1e-3), point


SETTLED = """
. X . X O . O
X X X X O O .
. X X X O . O
X X O O O O O
O O O . O . .
. O O O O O O
O O . O . O .
"""


@pytest.mark.parametrize("rules", ["japanese", "chinese", "aga", "ing", "tromp-taylor"])
def test_settled_points_have_their_owner(rules: str) -> None:
    """Ownership is positive for Black, negative for White, whoever is to move."""
    made = position(SETTLED, rules)
    ownership = estimate(load_network(), made, 6.5).owners
    assert ownership[made.board.index(parse_point("A7"))] > 0.9
    assert ownership[made.board.index(parse_point("G1"))] < -0.9
    made.pass_(Color.BLACK)
    assert estimate(load_network(), made, 6.5).owners[0] < -0.9


def test_white_points_are_komi_and_played_stones() -> None:
    """Under territory rules each stone costs its player a point; under area rules none does."""
    made = played("A2 A1 B1 E5 E6")
    assert white_points(made, 6.5) == 6.5 + 3 - 2
    made.pass_(Color.WHITE)
    assert white_points(made, 6.5) == 6.5 + 3 - 2
    made.ruleset = RULESETS["chinese"]
    assert white_points(made, 7.5) == 7.5


def test_a_position_set_up_for_both_is_no_handicap() -> None:
    """White gets no points for Black's stones if a game begins from a position."""
    black, white = [Point(0, 0), Point(2, 0)], [Point(4, 4)]
    size, rules = Size(9, 9), RULESETS["chinese"]
    assert white_points(Position(size, rules, black), 0.5) == 2.5
    assert white_points(Position(size, rules, black, white=white), 0.5) == 0.5


def test_the_network_judges_boards_it_was_trained_on() -> None:
    """Sides of 7 to 19 points, square or not, and no others."""
    sizes = [Size(7, 7), Size(7, 19), Size(13, 9), Size(6, 19), Size(19, 20), Size(5, 5)]
    assert [can_judge(size) for size in sizes] == [True, True, True, False, False, False]


def test_an_estimate_does_not_depend_on_the_turn() -> None:
    """Black's lead is about the same for either turn, and a settled board has a small spread."""
    made = position(SETTLED, "japanese")
    both = [estimate(load_network(), made, 6.5, [color]) for color in Color]
    assert abs(both[0].lead - both[1].lead) < 4
    for found in both:
        assert found.owners[made.board.index(parse_point("A7"))] > 0.9
        assert found.owners[made.board.index(parse_point("G1"))] < -0.9
    opened = estimate(
        load_network(), Position(Size(9, 9), RULESETS["japanese"]), 6.5, [Color.BLACK]
    )
    assert opened.spread > max(found.spread for found in both)
