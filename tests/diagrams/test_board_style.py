"""Boards in the player's style: picture or table, with or without coordinates."""

from itertools import product

import pytest
from bs4 import BeautifulSoup

from godaemon.diagrams.board_style import FORMS, BoardStyle
from godaemon.diagrams.html_board import html_board
from godaemon.diagrams.text import text_board
from godaemon.rules.points import Point

ROWS = ("..w", ".b.", "...")


@pytest.mark.parametrize(
    ("sides", "board"),
    [
        (4, "   A B C\n3  . . O  3\n2  .(X).  2\n1  . . .  1\n   A B C"),
        (2, "   A B C\n3  . . O\n2  .(X).\n1  . . ."),
        (0, " . . O\n .(X).\n . . ."),
    ],
)
def test_text_boards_have_coordinates_on_some_sides(sides: int, board: str) -> None:
    """Of two sides one is above and one to the left."""
    assert text_board(ROWS, last=Point(1, 1), sides=sides) == board


@pytest.mark.parametrize("fancy", [False, True])
def test_points_stay_aligned_without_coordinates(fancy: bool) -> None:
    """Even in columns with two letters."""
    rows = ["b" + "." * 24 + "w" + "." * 4] * 12
    whole = text_board(rows, fancy=fancy).split("\n")[1:-1]
    bare = text_board(rows, fancy=fancy, sides=0).split("\n")
    assert [line[3:-3].rstrip() for line in whole] == bare


@pytest.mark.parametrize(("sides", "named"), [(4, "ABC321"), (2, "ABC321"), (0, "")])
def test_html_coordinates_are_headings(sides: int, named: str) -> None:
    """Repeated ones, which exist only with four sides, are not read aloud."""
    table = BeautifulSoup(html_board(ROWS, sides=sides), "html.parser")
    assert "".join(cell.get_text() for cell in table.find_all("th")) == named
    repeated = table.find_all(True, attrs={"aria-hidden": "true"})
    headings = "".join(cell.get_text().strip() for cell in repeated)
    assert headings.replace("\n", "") == ("321ABC" if sides == 4 else "")
    rows = table.find_all("tr")
    assert len(rows) == 5
    assert all(row.get_text().strip("\n") for row in rows)
    widths = {len(row.find_all(["td", "th"])) for row in rows}
    assert widths == {5}


def test_a_style_is_stored_as_words() -> None:
    """Those of older versions are ignored."""
    for sides, shown in product((4, 2, 0), FORMS):
        style = BoardStyle(sides, shown)
        assert BoardStyle.of(str(style)) == BoardStyle.of(f"signs {style}") == style
    assert not str(BoardStyle())
