"""Counting: groups, territory and area, the seven-state board."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.rules import scoring
from godaemon.rules.board import Board
from godaemon.rules.inseparable_chains import inseparable_stones, join_inseparable
from godaemon.rules.named_rulesets import RULESETS
from godaemon.rules.points import Color, Point, Size, parse_point
from godaemon.rules.position import Move, Position
from godaemon.rules.ruleset import Ruleset, Tax
from tests.support import places
from tests.support.blocks import read_blocks
from tests.support.boards import beside, board, count, dead, lines, marked_boards, points

JAPANESE, CHINESE, AGA = RULESETS["japanese"], RULESETS["chinese"], RULESETS["aga"]


ROWS = read_blocks(places.DATA / "shapes" / "counted.txt")


@pytest.mark.parametrize("text", ROWS.values(), ids=ROWS)
def test_board_rows_have_seven_states(text: str) -> None:
    """On a board that is being counted."""
    diagram, rows = beside(text)
    assert list(scoring.board_rows(board(diagram), dead(diagram))) == lines(rows)


def test_board_rows_during_play_have_stones_only() -> None:
    """The top row comes first."""
    made = board(". X .\nO . .")
    assert scoring.board_rows(made, None) == (".b.", "w..")
    assert scoring.board_rows(made, ()) == (".b.", "w..")


# name: diagram, rules, prisoners (by black, by white), komi, handicap, result
COUNTS = {
    "territory alone": (". X O . .", JAPANESE, (0, 0), 0.0, 0, "W+1"),
    "prisoners count by territory": (". X O . .", JAPANESE, (3, 0), 0.0, 0, "B+2"),
    "and not by area": (". X O . .", CHINESE, (3, 0), 0.0, 0, "W+1"),
    "komi decides": (". X . O .", JAPANESE, (0, 0), 6.5, 0, "W+6.5"),
    "a tie is a tie": (". X . O .", JAPANESE, (0, 0), 0.0, 0, "0"),
    "a tie with a whole komi": (". . X O .", JAPANESE, (0, 0), 1.0, 0, "0"),
    "a negative komi": (". X O .", JAPANESE, (0, 0), -2.5, 0, "B+2.5"),
    "dame are nobody's area": (". X . . O . .", CHINESE, (0, 0), 0.0, 0, "W+1"),
    "stones are area": ("X X X O .", CHINESE, (0, 0), 0.0, 0, "B+1"),
    "and not territory": ("X X X O .", JAPANESE, (0, 0), 0.0, 0, "W+1"),
    "a dead stone is a point and a prisoner": (". @ X O .", JAPANESE, (0, 0), 0.0, 0, "B+2"),
    "by area it is a point": (". @ X O .", CHINESE, (0, 0), 0.0, 0, "B+1"),
    "an empty board is White's by komi": (". .", CHINESE, (0, 0), 7.5, 0, "W+7.5"),
    "chinese handicap: a point a stone": (". . X O .", CHINESE, (0, 0), 0.5, 2, "W+1.5"),
    "aga handicap: all stones but one": (". . X O .", AGA, (0, 0), 0.5, 2, "W+0.5"),
    "japanese handicap: none": (". . X O .", JAPANESE, (0, 0), 0.5, 2, "B+0.5"),
}


@pytest.mark.parametrize(
    ("diagram", "rules", "prisoners", "komi", "handicap", "result"), COUNTS.values(), ids=COUNTS
)
def test_each_item_of_a_count(
    diagram: str,
    rules: Ruleset,
    prisoners: tuple[int, int],
    komi: float,
    handicap: int,
    result: str,
) -> None:
    """By territory and by area."""
    score = count(
        board(diagram), dead(diagram), rules, prisoners=prisoners, komi=komi, handicap=handicap
    )
    assert score.result == result


def test_a_count_lists_its_items() -> None:
    """Territory under dead stones, both kinds of prisoners, and komi."""
    diagram = """
        . . X O .
        . @ X O #
        . . X O .
        """
    made, gone, taken = board(diagram), dead(diagram), (4, 1)
    score = count(made, gone, JAPANESE, prisoners=taken, komi=6.5)
    assert score.black == scoring.Side(territory=6, stones=0, prisoners=5, bonus=0)
    assert score.white == scoring.Side(territory=3, stones=0, prisoners=2, bonus=6.5)
    assert (score.margin, score.result) == (-0.5, "W+0.5")
    area = count(made, gone, CHINESE, prisoners=taken, komi=7.5)
    assert area.black == scoring.Side(territory=6, stones=3, prisoners=0, bonus=0)
    assert area.result == "W+4.5"


WHERE = """
    . . . X O . .
    . O . X O . X
    . . O X O . .
    X X X X O X .
    O O O O O . .
    . . . . . . .
    """


@pytest.mark.parametrize(
    ("named", "already", "stones"),
    [
        ("B5", "", "B5 C4"),
        ("C4", "", "B5 C4"),
        ("C4", "B5 C4", "B5 C4"),
        ("G5", "", "F3 G5"),
        ("D4", "", "D4 D5 D6 A3 B3 C3 D3"),
        ("D4", "B5 C4", "D4 D5 D6 A3 B3 C3 D3"),
        ("A2", "", "A2 B2 C2 D2 E2 E3 E4 E5 E6"),
        ("A2", "F3 G5", "A2 B2 C2 D2 E2 E3 E4 E5 E6"),
        ("B5", "A3 B3 C3 D3 D4 D5 D6", "B5 C4 A2 B2 C2 D2 E2 E3 E4 E5 E6"),
    ],
)
def test_a_group_extends_through_empty_and_dead_points(
    named: str, already: str, stones: str
) -> None:
    """It stops at live stones of the other colour."""
    found = scoring.group(board(WHERE), points(already), parse_point(named))
    assert found == points(stones)


def test_a_chain_has_connected_stones_only() -> None:
    made = board(WHERE)
    assert scoring.chain(made, parse_point("B5")) == points("B5")
    assert scoring.chain(made, parse_point("A3")) == points("A3 B3 C3 D3 D4 D5 D6")


def test_a_group_is_split_into_chains() -> None:
    found = scoring.chains(board(WHERE), points("B5 C4 G5 F3"))
    assert [sorted(map(str, chain)) for chain in found] == [["F3"], ["C4"], ["B5"], ["G5"]]


@given(marked_boards())
def test_counts_agree_with_rows(marked: tuple[Board, frozenset[Point]]) -> None:
    """On every board."""
    made, gone = marked
    rows = scoring.board_rows(made, gone)
    signs = "".join(reversed(["".join(row) for row in rows]))
    counted = count(made, gone, CHINESE)
    by_rows = {sign: signs.count(sign) for sign in ".BWbwcx"}
    assert sum(by_rows.values()) == made.size.points
    assert (counted.black.stones, counted.white.stones) == (by_rows["b"], by_rows["w"])
    plain = JAPANESE.replace(tax=Tax.NONE)
    territory = count(made, gone, plain)
    assert territory.black.prisoners == by_rows["x"]
    assert territory.white.prisoners == by_rows["c"]
    assert territory.black.territory == counted.black.territory >= by_rows["B"]
    for row, line in enumerate(reversed(rows)):
        for column, sign in enumerate(line):
            point = Point(column, row)
            live = made.color(point) if point not in gone else None
            assert (sign in "bw") == (live is not None)
            assert (sign in "cx") == (point in gone)


PASSES = {
    "none asked for": ("japanese", "B W", (0, 0)),
    "one each": ("aga", "B W", (1, 1)),
    "white passes last, and does so by the count where he did not": ("aga", "W B", (2, 1)),
    "a lone pass during play": ("aga", "B play", (0, 1)),
    "three, after a resumption": ("aga", "B W W B", (3, 2)),
}


@pytest.mark.parametrize(("rules", "passed", "handed"), PASSES.values(), ids=PASSES)
def test_a_pass_hands_over_a_stone(rules: str, passed: str, handed: tuple[int, int]) -> None:
    """If the ruleset asks for it (AGA Concise Rules, 7 and 12)."""
    colors = {"B": Color.BLACK, "W": Color.WHITE, "play": Color.WHITE}
    moves = [Move(colors[one], Point(0, 0) if one == "play" else None) for one in passed.split()]
    game = Position(Size(9, 9), RULESETS[rules])
    game.play_all(moves)
    assert (game.pass_stones[Color.BLACK], game.pass_stones[Color.WHITE]) == handed


GROUPS = read_blocks(places.DATA / "shapes" / "groups.txt")


@pytest.mark.parametrize("text", GROUPS.values(), ids=GROUPS)
def test_inseparable_stones_share_their_fate(text: str) -> None:
    """The group may be larger."""
    diagram, named, stones, besides = re.split(r"\n> |: |;", text)
    made, stone = board(diagram), parse_point(named)
    assert inseparable_stones(made, stone) == points(stones)
    assert scoring.group(made, (), stone) == points(stones) | points(besides)


@given(marked_boards(), st.data())
def test_inseparable_stones_are_between_chain_and_group(
    marked: tuple[Board, frozenset[Point]], data: st.DataObject
) -> None:
    """They are the same from each of them."""
    made, gone = marked
    stones = [made.point(index) for index, cell in enumerate(made.cells) if cell]
    if not stones:
        return
    named = data.draw(st.sampled_from(stones))
    strict = inseparable_stones(made, named)
    assert scoring.chain(made, named) <= strict <= scoring.group(made, gone, named)
    assert {inseparable_stones(made, other) for other in strict} == {strict}


def test_two_common_liberties_join_chains() -> None:
    """A third chain with one of them takes none away."""
    groups = [0, 1, 2, 3]
    join_inseparable(groups, {1: [1, 3], 2: [2, 3], 3: [1, 3]})
    assert groups[1:] == [1, 2, 1]
