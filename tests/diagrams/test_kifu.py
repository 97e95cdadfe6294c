"""A whole game on one diagram."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.diagrams.drawing import Drawing, Text, svg
from godaemon.diagrams.kifu import figure_ranges, kifu_drawing, kifu_notes
from godaemon.diagrams.picture import PRINT
from godaemon.diagrams.raster import png
from godaemon.rules.board import Board
from godaemon.rules.points import Color, Point, Size, parse_point
from godaemon.rules.position import Move
from tests.support.examples import examples

NINE = Size(9, 9)


def moves_of(text: str) -> list[Move]:
    """Moves of Black and White in turn."""
    points = [None if word == "pass" else parse_point(word) for word in text.split()]
    return [
        Move(Color.WHITE if number % 2 else Color.BLACK, point)
        for number, point in enumerate(points)
    ]


def numbers(drawing: Drawing) -> list[str]:
    """The numbers on stones, in the order of the moves; labels are not among them."""
    return [
        shape.words
        for shape in drawing.shapes
        if isinstance(shape, Text) and shape.color in (PRINT.black, PRINT.white)
    ]


def notes_below(drawing: Drawing) -> list[str]:
    return [shape.words for shape in drawing.shapes if isinstance(shape, Text) and shape.left]


def test_moves_on_numbered_points_are_notes() -> None:
    """In a ko 5 is where 2 was captured, and 6 retakes at 3."""
    moves = moves_of("A1 B1 A2 pass B1 A1 B1")
    assert list(kifu_notes(Board(NINE), moves)) == ["4 pass", "5 at 2", "6 at 1", "7 at 2"]
    drawing = kifu_drawing(Board(NINE), moves, caption=["Alice (black), Bob (white)"])
    assert notes_below(drawing) == ["Alice (black), Bob (white)", "4 pass, 5 at 2, 6 at 1, 7 at 2"]
    assert numbers(drawing) == ["1", "2", "3"]


@given(st.integers(1, 900), st.integers(1, 900))
@settings(max_examples=examples(200))
def test_figures_have_fifty_to_a_hundred_moves(first: int, many: int) -> None:
    """Together they have every move, and begin at round numbers."""
    parts = figure_ranges(Size(19, 19), first, first + many - 1)
    assert [move for one, other in parts for move in range(one, other + 1)] == list(
        range(first, first + many)
    )
    assert many <= 100 or all(50 <= other - one + 1 <= 114 for one, other in parts)
    assert many > 800 or all((one - first) % 50 == 0 for one, _ in parts)


def test_a_later_figure_continues_the_numbers() -> None:
    """A note names the number, or the point of an earlier stone."""
    board = Board(NINE)
    board.put(board.index(parse_point("A1")), Color.BLACK)
    drawing = kifu_drawing(board, moves_of("E5 C3 E5 A1"), first=101)
    assert numbers(drawing) == ["101", "102"]
    assert notes_below(drawing) == ["103 at 101, 104 at A1"]


def test_notes_are_wrapped_between_notes() -> None:
    """Notes are wrapped, but never broken inside."""
    moves = [Move(Color.BLACK, None)] * 40
    board = Board(Size(1, 1))
    lines = notes_below(kifu_drawing(board, moves))
    assert len(lines) > 5
    assert all(line.rstrip(",").endswith("pass") for line in lines)
    assert ", ".join(line.rstrip(",") for line in lines) == ", ".join(kifu_notes(board, moves))


@given(
    st.lists(
        st.builds(
            Move,
            st.sampled_from(Color),
            st.none() | st.builds(Point, st.integers(0, 8), st.integers(0, 8)),
        ),
        max_size=40,
    ),
    st.lists(st.text(max_size=60), max_size=2),
)
@settings(max_examples=examples(30))
def test_every_move_is_shown_once(moves: Sequence[Move], caption: Sequence[str]) -> None:
    """On a stone or in the notes; in both formats."""
    drawing = kifu_drawing(Board(NINE), moves, caption=caption)
    on_stones = {int(words) for words in numbers(drawing)}
    in_notes = {int(note.split()[0]) for note in kifu_notes(Board(NINE), moves)}
    assert not on_stones & in_notes
    assert on_stones | in_notes == set(range(1, len(moves) + 1))
    assert svg(drawing).startswith("<svg")
    assert png(drawing).startswith(b"\x89PNG")
