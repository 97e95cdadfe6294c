"""The board as plain text."""

from hypothesis import given
from hypothesis import strategies as st

from godaemon.diagrams.text import legend, text_board
from godaemon.rules.points import Point
from godaemon.rules.scoring import board_rows
from tests.support.board_reader import parse
from tests.support.boards import board, points_of, seven_state_rows


def test_the_legend_lists_what_is_on_the_board() -> None:
    """During play nothing is said about dead stones or territory."""
    assert legend(("b..", "...")) == "X black, O white"
    assert legend(("b",), last=Point(0, 0)) == "X black, O white, ( ) the last move"
    assert legend(("bwcxBW.",)) == (
        "X black, O white, x dead black, o dead white, b black's points, w white's points"
    )


def test_a_19x19_board() -> None:
    """Nine star points, and far narrower than an email."""
    lines = text_board(["." * 19] * 19).splitlines()
    assert lines[4] == "16  . . . + . . . . . + . . . . . + . . .  16"
    assert sum(line.count("+") for line in lines) == 9
    assert max(map(len, lines)) == 45


def test_columns_of_two_letters() -> None:
    """Beyond 25 columns the pitch grows."""
    header, row, _ = text_board(["." * 27], last=Point(25, 0)).splitlines()
    assert header.index("AA") + 1 == row.index("(") + 1


@given(st.data())
def test_a_drawn_board_parses_back(data: st.DataObject) -> None:
    """To the same rows and last move; no line ends in a space."""
    rows = data.draw(seven_state_rows())
    last = data.draw(st.none() | points_of(rows))
    fancy = data.draw(st.booleans())
    drawn = text_board(rows, last=last, fancy=fancy)
    assert parse(drawn) == (rows, last)
    assert all(line == line.rstrip() for line in drawn.splitlines())


def test_a_board_with_lines() -> None:
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
