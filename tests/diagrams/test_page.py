"""The board as a fragment of HTML."""

from __future__ import annotations

from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from godaemon.diagrams.page import GLYPHS, describe, html_board, html_legend
from godaemon.rules.points import Point, column_name
from tests.support.boards import points_of, seven_state_rows

_STATES = {glyph: state for state, glyph in GLYPHS.items()} | {"◉": "b", "◎": "w", "•": "."}


def _read(html: str) -> list[list[str]]:
    rows = BeautifulSoup(html, "html.parser").find_all("tr")
    return [[cell.get_text() for cell in row.find_all("td")] for row in rows]


@given(seven_state_rows())
def test_reads_without_styles(rows: tuple[str, ...]) -> None:
    """The bare text of the cells is the board, with its labels on four sides."""
    header, *body, footer = _read(html_board(rows))
    assert header == footer == ["", *map(column_name, range(len(rows[0]))), ""]
    for down, cells in enumerate(body):
        assert cells[0] == cells[-1] == str(len(rows) - down)
        assert "".join(_STATES[cell] for cell in cells[1:-1]) == rows[down]


def test_marks_the_last_move() -> None:
    """The last stone reads differently, and no other does."""
    cells = _read(html_board(("bw", "wb"), last=Point(0, 0)))
    assert [row[1:-1] for row in cells[1:-1]] == [["●", "○"], ["◎", "●"]]


def test_every_19x19_board_is_small() -> None:
    """Mail programs cut long letters; the fullest board stays below 60 kB."""
    for state in "bwcxBW.":
        assert len(html_board([state * 19] * 19).encode()) < 60_000


def test_needs_nothing_from_outside() -> None:
    """No image, script, class or address: mail programs drop them or ask before loading."""
    soup = BeautifulSoup(html_board(("bwcxBW.",), last=Point(0, 0)), "html.parser")
    assert {tag.name for tag in soup.find_all(True)} <= {"div", "table", "tr", "td", "b"}
    names = {name for tag in soup.find_all(True) for name in tag.attrs}
    assert not names & {"class", "id", "src", "href"}
    assert "url(" not in str(soup)


def test_says_the_board_in_words() -> None:
    """A screen reader hears where the stones are."""
    rows = ("b.w", "cB.")
    assert describe(rows, last=Point(2, 1)) == (
        "Board of 3x2. Black: A2. White: C2. Dead black: A1. Black's points: B1. Last move: C2."
    )
    div = BeautifulSoup(html_board(rows, last=Point(2, 1)), "html.parser").div
    assert div is not None
    assert div["aria-label"] == describe(rows, last=Point(2, 1))


def test_legend_only_while_counting() -> None:
    """Two colours of stones explain themselves; dead stones and squares do not."""
    assert html_legend(("bw",)) == ""
    assert "x dead black" in html_legend(("bc",))
    assert "small squares" in html_legend(("bB",))


@given(st.data())
def test_any_last_move_is_drawn(data: st.DataObject) -> None:
    """A last move that took itself off the board, or is dead now, breaks nothing."""
    rows = data.draw(seven_state_rows())
    assert html_board(rows, last=data.draw(points_of(rows)))
