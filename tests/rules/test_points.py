"""Points and their notations."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.errors import Unreadable
from godaemon.rules import points
from godaemon.rules.points import Point, Size, from_sgf, parse_point, to_sgf


@pytest.mark.parametrize(
    ("text", "point"),
    [
        ("A1", Point(0, 0)),
        ("q16", Point(15, 15)),
        ("H8", Point(7, 7)),
        ("J8", Point(8, 7)),
        (" t19 ", Point(18, 18)),
        ("Z25", Point(24, 24)),
        ("AA1", Point(25, 0)),
        ("az52", Point(49, 51)),
        ("BB52", Point(51, 51)),
        ("A01", Point(0, 0)),
    ],
)
def test_points_are_parsed(text: str, point: Point) -> None:
    """A letter or two and a number, in any case; there is no column I."""
    assert parse_point(text) == point


@pytest.mark.parametrize(
    ("text", "why", "hints"),
    [
        ("i4", "no column I", ("H4", "J4")),
        ("I19", "no column I", ("H19", "J19")),
        ("AI3", "no column I", ("AH3", "AJ3")),
        ("A0", "not a point", ("A1",)),
        ("d", "not a point", ("D4", "Q16")),
        ("44", "not a point", ("D4", "Q16")),
        ("d 4", "not a point", ("D4", "Q16")),
        ("d4!", "not a point", ("D4", "Q16")),
        ("d٤", "not a point", ("D4", "Q16")),
        ("", "not a point", ("D4", "Q16")),
        ("pass", "not a point", ("D4", "Q16")),
        ("ABC4", "not a point", ("D4", "Q16")),
        ("A1234", "not a point", ("D4", "Q16")),
    ],
)
def test_invalid_points_are_refused(text: str, why: str, hints: tuple[str, ...]) -> None:
    """With likely meanings, never as another point."""
    with pytest.raises(Unreadable, match=why) as refusal:
        parse_point(text)
    assert refusal.value.hints == hints


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
