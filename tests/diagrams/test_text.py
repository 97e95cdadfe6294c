"""The board as plain text."""

import re

from hypothesis import given
from hypothesis import strategies as st

from godaemon.diagrams.text import legend, text_board
from godaemon.rules.points import Point, Size
from godaemon.rules.scoring import board_rows
from tests.support.board_reader import parse
from tests.support.boards import board, points_of, seven_state_rows


def test_draws_a_small_board_exactly() -> None:
    """A 5x3 board with a last move has labels on four sides and no trailing blank."""
    rows = board_rows(board("X.O..\n.....\n..X.."), None)
    assert text_board(rows, last=Point(2, 0)).splitlines() == [
        "   A B C D E",
        "3  X . O . .  3",
        "2  . . + . .  2",
        "1  . .(X). .  1",
        "   A B C D E",
    ]


def test_shows_dead_stones_and_territory() -> None:
    """All seven states look different, and the legend explains each of them."""
    rows = ("bwcxBW.",)
    assert text_board(rows).splitlines()[1] == "1  X O x o b w .  1"
    assert legend(rows) == (
        "X black, O white, x dead black, o dead white, b black's points, w white's points"
    )


def test_legend_names_only_what_is_there() -> None:
    """During play nothing is said about dead stones or territory."""
    assert legend(("b..", "...")) == "X black, O white"


def test_star_points_of_19x19() -> None:
    """The nine star points are `+`, and the board is far narrower than a letter."""
    lines = text_board(["." * 19] * 19).splitlines()
    assert lines[4] == "16  . . . + . . . . . + . . . . . + . . .  16"
    assert sum(line.count("+") for line in lines) == 9
    assert max(map(len, lines)) == 45


def test_wide_boards_have_columns_of_two_letters() -> None:
    """Beyond 25 columns the pitch grows, so that AA is above its column."""
    header, row, _ = text_board(["." * 27], last=Point(25, 0)).splitlines()
    assert header.index("AA") + 1 == row.index("(") + 1


@given(st.data())
def test_parses_back(data: st.DataObject) -> None:
    """Every drawn board is parsed to the same rows and last move, on every size."""
    rows = data.draw(seven_state_rows())
    last = data.draw(st.none() | points_of(rows))
    fancy = data.draw(st.booleans())
    drawn = text_board(rows, last=last, fancy=fancy)
    assert parse(drawn) == (rows, last)
    assert all(line == line.rstrip() for line in drawn.splitlines())


def test_draws_with_lines() -> None:
    """The other form has stones and lines, and brackets that take the place of lines."""
    rows = board_rows(board("X.O..\n.....\n..X.."), None)
    assert text_board(rows, last=Point(2, 0), fancy=True).splitlines() == [
        "   A B C D E",
        "3  ●─┬─○─┬─┐  3",
        "2  ├─┼─╋─┼─┤  2",
        "1  └─┴(●)┴─┘  1",
        "   A B C D E",
    ]
    assert legend(rows, fancy=True) == "● black, ○ white"


@given(st.data())
def test_no_line_is_a_move_or_ends_in_a_blank(data: st.DataObject) -> None:
    """A board that is quoted back cannot be read as a command."""
    rows = data.draw(seven_state_rows(st.builds(Size, st.integers(1, 19), st.integers(1, 19))))
    last = data.draw(st.none() | points_of(rows))
    for line in text_board(rows, last=last).splitlines():
        assert line == line.rstrip()
        assert not re.fullmatch(r"\s*[A-Za-z]{1,2}\s*\d+\s*", line)
        assert len(line) <= 78
