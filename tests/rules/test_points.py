"""Points and their notations."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.errors import Unreadable
from godaemon.rules import points
from godaemon.rules.points import Point, Size, from_sgf, parse_point, to_sgf
from tests.support import places
from tests.support.blocks import read_lines

LINES = read_lines(places.DATA / "meanings.txt")


@pytest.mark.parametrize("line", LINES["points"])
def test_points_are_parsed(line: str) -> None:
    """A letter or two and a number, in any case; there is no column I."""
    text, point = line.split(" => ")
    assert parse_point(text) == tuple(map(int, point.split()))


@pytest.mark.parametrize("line", LINES["no points"])
def test_invalid_points_are_refused(line: str) -> None:
    """With likely meanings, never as another point."""
    text, why, hints = line.split(" => ")
    with pytest.raises(Unreadable, match=why) as refusal:
        parse_point(text)
    assert " | ".join(refusal.value.hints) == hints


ON_LARGEST = st.builds(Point, st.integers(0, 51), st.integers(0, 51))


@given(ON_LARGEST)
def test_written_points_are_parsed(point: Point) -> None:
    """Every point of the largest board, in either case."""
    assert parse_point(str(point)) == parse_point(str(point).lower()) == point


@given(st.integers(1, 52), st.data())
def test_sgf_points_are_parsed_as_written(height: int, data: st.DataObject) -> None:
    """Rows count from the top, on boards of any height."""
    point = data.draw(st.builds(Point, st.integers(0, 51), st.integers(0, height - 1)))
    assert from_sgf(to_sgf(point, height), height) == point


@pytest.mark.parametrize("text", ["", "a", "aaa", "a1", "é1", "[]", "a "])
def test_invalid_sgf_points_are_refused(text: str) -> None:
    """Only two letters are a point."""
    with pytest.raises(Unreadable):
        from_sgf(text, 19)


@given(st.text(max_size=6))
def test_any_text_is_a_point_or_refused(text: str) -> None:
    """Nothing but `Unreadable` is raised."""
    for read in (parse_point, lambda it: from_sgf(it, 19)):
        with suppress(Unreadable):
            assert isinstance(read(text), Point)


@pytest.mark.parametrize("sides", [(0, 9), (9, 0), (53, 9), (9, 53), (-1, 1)])
def test_sizes_have_limits(sides: tuple[int, int]) -> None:
    """A side has from 1x1 to 52x52 lines."""
    with pytest.raises(Unreadable, match="from 1x1 to 52x52"):
        points.check_size(*sides)


def test_a_size_has_points_within_its_edges() -> None:
    """On a rectangular board."""
    size = Size(3, 2)
    assert size.points == 6
    assert (str(size), str(size.last)) == ("3x2", "C2")
    assert size.has(Point(2, 1))
    assert not any(map(size.has, (Point(3, 0), Point(0, 2), Point(-1, 0), Point(0, -1))))
