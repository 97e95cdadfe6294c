"""Handicap stones, fixed and free."""

import pytest

from godaemon.errors import Unreadable
from godaemon.rules.handicap import (
    check_handicap,
    fixed_points,
    handicap_stones,
    max_fixed,
    max_stones,
)
from godaemon.rules.named_rulesets import RULESETS
from godaemon.rules.points import Point, Size, parse_point
from godaemon.rules.ruleset import Placing
from tests.support import places
from tests.support.blocks import read_lines
from tests.support.gnugo import GnuGo

LINES = read_lines(places.DATA / "meanings.txt")

TABLE = {
    2: "D4 Q16",
    3: "D4 Q16 D16",
    4: "D4 Q16 D16 Q4",
    5: "D4 Q16 D16 Q4 K10",
    6: "D4 Q16 D16 Q4 D10 Q10",
    7: "D4 Q16 D16 Q4 D10 Q10 K10",
    8: "D4 Q16 D16 Q4 D10 Q10 K4 K16",
    9: "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10",
}


@pytest.mark.parametrize(("stones", "vertices"), TABLE.items())
def test_fixed_points_on_19x19(stones: int, vertices: str) -> None:
    """The table of the specification (GTP 2 draft 2, 4.1.1): the centre only for 5, 7 and 9."""
    assert " ".join(map(str, fixed_points(Size(19, 19), stones))) == vertices


@pytest.mark.parametrize("line", LINES["fixed handicap stones and their first corner"])
def test_fixed_points_of_each_size(line: str) -> None:
    """The number of stones, and the corner points."""
    sides, found = line.split(" => ")
    size, (number, *corner) = Size(*map(int, sides.split("x"))), found.split()
    most = int(number)
    assert max_fixed(size) == most
    for stones in range(2, most + 1):
        points = fixed_points(size, stones)
        assert len(set(points)) == stones
        assert [str(points[0])] == corner
        assert all(map(size.has, points))
    for stones in (-1, 0, 1, most + 1):
        with pytest.raises(Unreadable):
            fixed_points(size, stones)


def test_refused_handicaps_have_hints() -> None:
    """Ten stones are too many, and 5x5 has no fixed points."""
    with pytest.raises(Unreadable, match="at most 9 stones") as refusal:
        fixed_points(Size(19, 19), 10)
    assert refusal.value.hints == ("handicap 2", "handicap 9")
    with pytest.raises(Unreadable, match="no fixed handicap points on a 5x5 board"):
        fixed_points(Size(5, 5), 2)


@pytest.mark.peer("gnugo")
def test_fixed_points_equal_gnu_gos() -> None:
    """On every square board that GNU Go 3.8 plays on."""
    with GnuGo() as other:
        for side in range(7, 20):
            other.ask(f"boardsize {side}")
            for stones in range(2, max_fixed(Size(side, side)) + 1):
                other.ask("clear_board")
                theirs = other.ask(f"fixed_handicap {stones}").split()
                ours = fixed_points(Size(side, side), stones)
                assert set(map(parse_point, theirs)) == set(ours), (side, stones)


@pytest.mark.parametrize("name", RULESETS)
def test_black_chooses_points_by_some_rules(name: str) -> None:
    """Anywhere by Chinese, New Zealand and Ing rules; fixed points by the others."""
    rules, size = RULESETS[name], Size(9, 9)
    assert handicap_stones(size, rules, 0) == ()
    assert handicap_stones(size, rules, 3) == fixed_points(size, 3)
    assert {*handicap_stones(size, rules, 2, fixed_points(size, 2)[::-1])} == {
        *fixed_points(size, 2)
    }
    chosen = (Point(4, 4), Point(0, 8))
    if name in {"chinese", "chinese-superko", "new-zealand", "ing"}:
        assert handicap_stones(size, rules, 2, chosen) == chosen
    else:
        with pytest.raises(Unreadable, match="stand on C3 G7"):
            handicap_stones(size, rules, 2, chosen)


@pytest.mark.parametrize(
    ("chosen", "why"),
    [
        ((Point(0, 0), Point(9, 0)), "K1 is off the 9x9 board"),
        ((Point(0, 0), Point(0, 0)), "1 different points for 2"),
        ((Point(0, 0), Point(1, 0), Point(2, 0)), "3 different points for 2"),
    ],
)
def test_invalid_free_stones_are_refused(chosen: tuple[Point, ...], why: str) -> None:
    """As many points as stones, each on the board and once."""
    with pytest.raises(Unreadable, match=why):
        handicap_stones(Size(9, 9), RULESETS["chinese"], 2, chosen)


@pytest.mark.parametrize(
    ("size", "fixed", "free", "why"),
    [
        (Size(19, 19), 9, 36, "A handicap on 19x19 is at most 36 stones"),
        (Size(52, 52), 0, 36, "A handicap on 52x52 is at most 36 stones"),
        (Size(3, 1), 0, 2, "A handicap on 3x1 is at most 2 stones"),
        (Size(2, 1), 0, 0, "There are no fixed handicap points on a 2x1 board"),
    ],
)
def test_the_number_of_stones_is_limited(size: Size, fixed: int, free: int, why: str) -> None:
    """By star points or by the board; the refusal says how many."""
    assert (max_stones(size, Placing.FIXED), max_stones(size, Placing.FREE)) == (fixed, free)
    for stones in range(2, free + 1):
        check_handicap(size, Placing.FREE, stones)
    for stones in (1, free + 1, 99):
        with pytest.raises(Unreadable, match=why):
            check_handicap(size, Placing.FREE, stones)
