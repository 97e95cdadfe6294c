"""Simple Go Notation, written and parsed."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.errors import Unreadable
from godaemon.records.record import Edit, Record
from godaemon.records.sgn import format_sgn, parse_sgn
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Move
from tests.support import places
from tests.support.blocks import read_lines
from tests.support.boards import SIZES

BLACK, WHITE = Color.BLACK, Color.WHITE
LINES = read_lines(places.DATA / "record_lines.txt")


def test_the_notations_example() -> None:
    """Size, then points with their colours behind them."""
    record = parse_sgn("19x19 A9b B12w C2b")
    assert record == Record(
        Size(19, 19),
        moves=(Move(BLACK, Point(0, 8)), Move(WHITE, Point(1, 11)), Move(BLACK, Point(2, 1))),
    )
    assert format_sgn(record) == "19x19 A9b B12w C2b"


@pytest.mark.parametrize(
    "text", ["19x19,Q16b,D4w", " 19X19\n q16B ,\t d4W ", "19x19 Q16b,D4w,", "19x19, Q16b, D4w"]
)
def test_separators_and_case_do_not_matter(text: str) -> None:
    """Blanks and commas."""
    assert format_sgn(parse_sgn(text)) == "19x19 Q16b D4w"


def test_width_comes_first() -> None:
    """Columns are counted by it."""
    assert parse_sgn("13x5 N1b").size == Size(13, 5)
    with pytest.raises(Unreadable, match="off the 5x13 board"):
        parse_sgn("5x13 N1b")


def test_the_last_letter_is_the_colour() -> None:
    """A6b is a black stone; on a wide board a column may have two letters."""
    assert parse_sgn("9x9 A6b").moves == (Move(BLACK, Point(0, 5)),)
    assert parse_sgn("52x52 BA6b B6b BB6w").setup_black == (Point(50, 5), Point(1, 5))


def test_leading_black_stones_are_a_handicap() -> None:
    """They are set up, and White moves."""
    record = parse_sgn("13x13 C2b F9b C3b C9w C4b")
    assert (record.handicap, record.to_move, len(record.moves)) == (3, WHITE, 2)
    assert format_sgn(record) == "13x13 C2b F9b C3b C9w C4b"


def test_passes_have_a_colour() -> None:
    """No handicap begins with one."""
    record = parse_sgn("9x9 passb E5w passb PASSw")
    assert [point for _, point in record.moves] == [None, Point(4, 4), None, None]
    assert format_sgn(record) == "9x9 passb E5w passb passw"


def test_true_captures_are_read() -> None:
    """They follow from the moves, and are not written."""
    record = parse_sgn("3x3 A1b B1w C3b A2w A1c passb")
    assert format_sgn(record) == "3x3 A1b B1w C3b A2w passb"
    assert parse_sgn("3x3 A1b B1w C3b A2w passb") == record


@pytest.mark.parametrize("line", [*LINES["no SGN"], f"9x9 {'E5b ' * 50_000} => No game needs"])
def test_invalid_text_is_refused_with_a_reason(line: str) -> None:
    """Each kind with its own sentence; nothing is guessed."""
    text, why = line.split(" => ")
    with pytest.raises(Unreadable, match=why):
        parse_sgn(text)


@pytest.mark.parametrize(
    "record",
    [
        Record(Size(9, 9), setup_white=(Point(0, 0),)),
        Record(Size(9, 9), setup_black=(Point(0, 0),)),
        Record(Size(9, 9), setup_black=(Point(0, 0), Point(1, 1)), to_move=BLACK),
        Record(Size(9, 9), moves=(Move(BLACK, Point(0, 0)), Move(BLACK, Point(1, 1)))),
        Record(Size(9, 9), moves=(Move(BLACK, None),), edits={1: Edit(black=(Point(0, 0),))}),
    ],
)
def test_unsupported_records_are_not_written(record: Record) -> None:
    """Rather than as another game."""
    with pytest.raises(Unreadable, match="other stones set up"):
        format_sgn(record)


@st.composite
def games(draw: st.DrawFn) -> Record:
    """Games of stones and passes in any order, legal or not."""
    size = draw(SIZES)
    points = st.builds(Point, st.integers(0, size.width - 1), st.integers(0, size.height - 1))
    moves = draw(st.lists(st.builds(Move, st.sampled_from(Color), st.none() | points), max_size=30))
    stones = draw(st.lists(points, unique=True, max_size=5))
    if len(stones) < 2:
        return Record(size, moves=(Move(WHITE, None), *moves))
    return Record(
        size,
        handicap=len(stones),
        setup_black=tuple(stones),
        to_move=WHITE,
        moves=(Move(WHITE, None), *moves),
    )


@given(games())
def test_records_are_parsed_as_written(record: Record) -> None:
    """Also URL-encoded."""
    written = format_sgn(record)
    assert parse_sgn(written) == parse_sgn(written.replace(" ", ",")) == record


_PARTS = st.sampled_from(
    [*("19x19", "9x", "x", "A1", "Q16", "ZZ9", "I5", "b", "w", "c", "B", " ", ",", "pass")]
)


@given(st.lists(_PARTS, max_size=20).map("".join) | st.text() | st.text().map("9x9 {}".format))
def test_any_text_is_read_or_refused(text: str) -> None:
    """By `Unreadable` only; what was read can be written and read again."""
    with suppress(Unreadable):
        record = parse_sgn(text)
        assert parse_sgn(format_sgn(record)) == record
