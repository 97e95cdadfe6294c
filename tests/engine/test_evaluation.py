"""The network's evaluation, beside figures that KataGo publishes for it, and what it is given."""

import math

import pytest

from godaemon.engine.evaluation import encode_position, estimate, white_points
from godaemon.engine.levels import is_network_size
from godaemon.engine.network import Array, load_network, np
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
    planes, numbers = encode_position(at, color, 7.5)
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
    assert white_points(Position(size, rules, black, set_up_white=white), 0.5) == 0.5


def test_the_network_judges_boards_it_was_trained_on() -> None:
    """Sides of 7 to 19 points, square or not, and no others."""
    sizes = [Size(7, 7), Size(7, 19), Size(13, 9), Size(6, 19), Size(19, 20), Size(5, 5)]
    assert [is_network_size(size) for size in sizes] == [True, True, True, False, False, False]


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


EYES = """
. X . X O . .
X X X X O O O
O O . X O . O
. . X X O O O
X X . X X O O
. X X . X O .
X X X X X O O
"""


def _marked(planes: Array, plane: int) -> str:
    """The points that a plane marks, in the board's order."""
    rows, columns = planes[:, :, plane].nonzero()
    points = zip(rows.tolist(), columns.tolist(), strict=True)
    return " ".join(str(Point(column, row)) for row, column in points)


@pytest.mark.parametrize(
    ("rules", "numbers"),
    [
        ("japanese", [0, 0, 0, 1, 1, 0]),
        ("korean", [0, 0, 0, 1, 1, 0]),
        ("chinese", [0, 0, 0, 0, 0, 0]),
        ("chinese-superko", [1, 0.5, 0, 0, 0, 0]),
        ("aga", [1, -0.5, 0, 0, 0, 0]),
        ("bga", [1, -0.5, 0, 0, 0, 0]),
        ("new-zealand", [1, -0.5, 1, 0, 0, 0]),
        ("ing", [1, 0.5, 1, 0, 0, 0]),
        ("tromp-taylor", [1, 0.5, 1, 0, 0, 0]),
        ("stone-scoring", None),
    ],
)
def test_rulesets_are_inputs(rules: str, numbers: list[float] | None) -> None:
    """Repetition, suicide, territory, tax on seki, tax on groups."""
    given = encode_position(played("", rules), Color.BLACK, 7.5)[1].tolist()[6:12]
    if numbers is None:  # stones alone count: each group lacks its two eyes
        assert given[3:] == [0, 1, 1]
    else:
        assert given == numbers


def test_komi_is_from_the_players_view() -> None:
    """In twentieths; under area rules a wave marks possible ties."""
    made = played("", "chinese")
    for color in Color:
        numbers = encode_position(made, color, 7.5)[1]
        assert numbers[5] == -color * 7.5 / 20
        assert numbers[18] == (0.5 if color is Color.WHITE else -0.5)
    assert encode_position(made, Color.WHITE, 7.0)[1][18] == 0
    assert encode_position(played("E5"), Color.WHITE, 6.5)[1][5] == 7.5 / 20
    assert encode_position(played("E5"), Color.WHITE, 6.5)[1][18] == 0


def test_the_last_five_moves_are_inputs() -> None:
    """The newest first; a pass is a number; a second move in a row ends the list."""
    made = played("A1 B2 C3 pass E5 F6")
    planes, numbers = encode_position(made, Color.BLACK, 6.5)
    assert [_marked(planes, plane) for plane in range(9, 14)] == ["F6", "E5", "", "C3", "B2"]
    assert numbers[:5].tolist() == [0, 0, 1, 0, 0]
    assert numbers[14] == 0
    made.pass_(Color.BLACK)
    assert encode_position(made, Color.WHITE, 6.5)[1][14] == 1
    made.undo()
    made.play(Color.WHITE, parse_point("G7"))
    planes, _ = encode_position(made, Color.BLACK, 6.5)
    assert [_marked(planes, plane) for plane in range(9, 14)] == ["G7", "", "", "", ""]


def test_stones_liberties_and_ko_are_planes() -> None:
    """Stones; chains with one, two or three liberties; the forbidden point of a ko."""
    made = played("B1 C1 A2 B2 J9")
    planes, _ = encode_position(made, Color.WHITE, 6.5)
    wanted = {1: "C1 B2", 2: "B1 A2 J9", 3: "B1", 4: "C1 A2 B2 J9", 5: "", 6: ""}
    assert {plane: _marked(planes, plane) for plane in wanted} == wanted
    ko = played("C1 D1 B2 E2 C3 D3 D2 C2")
    assert _marked(encode_position(ko, Color.BLACK, 6.5)[0], 6) == "D2"


@pytest.mark.parametrize(
    ("rules", "marked"), [("japanese", 0), ("chinese", 1), ("stone-scoring", 1)]
)
def test_owned_area_is_a_plane_under_area_rules(rules: str, marked: int) -> None:
    """The area of each player if the game ended now, without stones that cannot live."""
    planes, _ = encode_position(position(EYES, rules), Color.WHITE, 6.5)
    white, black = _marked(planes, 18).split(), _marked(planes, 19).split()
    assert bool(white) == bool(black) == bool(marked)
    if marked:
        assert {"F7", "G7", "G5"} <= {*white}
        assert {"A7", "C7"} <= {*black}
        assert not {*white} & {*black}
