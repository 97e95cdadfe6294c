"""The network's input planes and numbers, in KataGo's order."""

import pytest

from godaemon.engine.evaluation import inputs
from godaemon.engine.network import Array
from godaemon.rules.points import Color, Point, parse_point
from tests.support.boards import played, position

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
    given = inputs(played("", rules), Color.BLACK, 7.5)[1].tolist()[6:12]
    if numbers is None:  # stones alone count: each group lacks its two eyes
        assert given[3:] == [0, 1, 1]
    else:
        assert given == numbers


def test_komi_is_from_the_players_view() -> None:
    """In twentieths; under area rules a wave marks possible ties."""
    made = played("", "chinese")
    for color in Color:
        numbers = inputs(made, color, 7.5)[1]
        assert numbers[5] == -color * 7.5 / 20
        assert numbers[18] == (0.5 if color is Color.WHITE else -0.5)
    assert inputs(made, Color.WHITE, 7.0)[1][18] == 0
    assert inputs(played("E5"), Color.WHITE, 6.5)[1][5] == 7.5 / 20
    assert inputs(played("E5"), Color.WHITE, 6.5)[1][18] == 0


def test_the_last_five_moves_are_inputs() -> None:
    """The newest first; a pass is a number; a second move in a row ends the list."""
    made = played("A1 B2 C3 pass E5 F6")
    planes, numbers = inputs(made, Color.BLACK, 6.5)
    assert [_marked(planes, plane) for plane in range(9, 14)] == ["F6", "E5", "", "C3", "B2"]
    assert numbers[:5].tolist() == [0, 0, 1, 0, 0]
    assert numbers[14] == 0
    made.pass_(Color.BLACK)
    assert inputs(made, Color.WHITE, 6.5)[1][14] == 1
    made.undo()
    made.play(Color.WHITE, parse_point("G7"))
    planes, _ = inputs(made, Color.BLACK, 6.5)
    assert [_marked(planes, plane) for plane in range(9, 14)] == ["G7", "", "", "", ""]


def test_stones_liberties_and_ko_are_planes() -> None:
    """Stones; chains with one, two or three liberties; the forbidden point of a ko."""
    made = played("B1 C1 A2 B2 J9")
    planes, _ = inputs(made, Color.WHITE, 6.5)
    wanted = {1: "C1 B2", 2: "B1 A2 J9", 3: "B1", 4: "C1 A2 B2 J9", 5: "", 6: ""}
    assert {plane: _marked(planes, plane) for plane in wanted} == wanted
    ko = played("C1 D1 B2 E2 C3 D3 D2 C2")
    assert _marked(inputs(ko, Color.BLACK, 6.5)[0], 6) == "D2"


@pytest.mark.parametrize(
    ("rules", "marked"), [("japanese", 0), ("chinese", 1), ("stone-scoring", 1)]
)
def test_owned_area_is_a_plane_under_area_rules(rules: str, marked: int) -> None:
    """The area of each player if the game ended now, without stones that cannot live."""
    planes, _ = inputs(position(EYES, rules), Color.WHITE, 6.5)
    white, black = _marked(planes, 18).split(), _marked(planes, 19).split()
    assert bool(white) == bool(black) == bool(marked)
    if marked:
        assert {"F7", "G7", "G5"} <= {*white}
        assert {"A7", "C7"} <= {*black}
        assert not {*white} & {*black}
