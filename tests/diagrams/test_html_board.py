"""The board as a fragment of HTML."""

import re

import pytest
from bs4 import BeautifulSoup
from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.diagrams.html_board import (
    GLYPHS,
    INK,
    LETTERING,
    LINE,
    TAKEN,
    WOOD,
    PointLinks,
    html_board,
    html_steps,
    mark_emptied,
)
from godaemon.rules.points import Point, column_name, parse_point
from tests.support.boards import points_of, seven_state_rows
from tests.support.contrast import contrast
from tests.support.examples import examples

_STATES = {glyph: state for state, glyph in GLYPHS.items()} | {"◉": "b", "◎": "w", "•": "."}


def _read(html: str) -> list[list[str]]:
    rows = BeautifulSoup(html, "html.parser").find_all("tr")
    return [[cell.get_text() for cell in row.find_all(["td", "th"])] for row in rows]


@settings(max_examples=examples(40))
@given(seven_state_rows())
def test_the_board_is_readable_without_styles(rows: tuple[str, ...]) -> None:
    """The cells' text is the board, with labels on four sides."""
    header, *body, footer = _read(html_board(rows))
    assert header == footer == ["", *map(column_name, range(len(rows[0]))), ""]
    for down, cells in enumerate(body):
        assert cells[0] == cells[-1] == str(len(rows) - down)
        assert "".join(_STATES[cell] for cell in cells[1:-1]) == rows[down]


def test_the_last_move_has_its_own_glyph() -> None:
    """The last stone reads differently, and no other does."""
    cells = _read(html_board(("bw", "wb"), last=Point(0, 0)))
    assert [row[1:-1] for row in cells[1:-1]] == [["●", "○"], ["◎", "●"]]


def test_a_board_is_an_accessible_table() -> None:
    """With a name and headings; repeated labels are not read aloud."""
    table = BeautifulSoup(html_board(("b.w", "cB."), label="a board & more"), "html.parser").table
    assert table is not None
    assert table["aria-label"] == "a board & more"
    heads = [(head["scope"], head.get_text()) for head in table.find_all("th")]
    assert heads == [*(("col", name) for name in "ABC"), ("row", "2"), ("row", "1")]
    repeated = [cell.get_text() for cell in table.find_all(True, attrs={"aria-hidden": True})]
    assert [*"".join(repeated).replace("\n", "")] == ["2", "1", "A", "B", "C"]


@settings(max_examples=examples(40))
@given(st.data())
def test_each_link_is_on_its_point(data: st.DataObject) -> None:
    """It has its own address and says its name; other points have none."""
    rows = data.draw(seven_state_rows())
    points = data.draw(st.sets(points_of(rows)))
    sends = {point: f'"{point}" & more' for point in points}
    clicks = PointLinks("mailto:x?y=1&body=", sends)
    found = {}
    body = BeautifulSoup(html_board(rows, links=clicks), "html.parser").find_all("tr")[1:-1]
    for row in body:
        number = row.find_all("th")[0].get_text()
        for column, cell in enumerate(row.find_all("td")[:-1]):
            for link in cell.find_all("a"):
                point = parse_point(f"{column_name(column)}{number}")
                assert link["href"] == f"mailto:x?y=1&body=%22{point}%22%20%26%20more"
                empty = _STATES[cell.get_text()] == "."
                found[point] = str(link["aria-label" if empty else "title"])
    assert found == {point: str(point) for point in points}


@settings(max_examples=examples(40))
@given(st.data())
def test_links_do_not_change_the_text(data: st.DataObject) -> None:
    """With links the cells read as without."""
    rows = data.draw(seven_state_rows())
    last = data.draw(points_of(rows))
    sends = dict.fromkeys(data.draw(st.sets(points_of(rows))), "x")
    linked = html_board(rows, last=last, links=PointLinks("mailto:x", sends))
    assert _read(linked) == _read(html_board(rows, last=last))


def test_narrow_screens_get_whole_pixels() -> None:
    """The widest step that fits a screen is used; without the head's styles it fits 360 pixels."""
    rows = ["." * 19] * 19
    steps = [(rule.split(":"), float(font[:-2])) for rule, font in html_steps(rows, 24)]
    for screen in range(320, 700):
        cell = 16.0
        for (side, limit), font in steps:
            edge = int(limit[:-2])
            if screen <= edge if side == "max-width" else screen >= edge:
                cell = font * 1.5
        assert abs(cell - round(cell)) < 0.01
        assert 21 * round(cell) + 24 <= screen
        assert round(cell) == 26 or 21 * (round(cell) + 1) + 24 > screen
    table = BeautifulSoup(html_board(rows), "html.parser").table
    assert table is not None
    assert table["width"] == "336"
    assert "font:10.667px/1.5em" in table["style"]


@pytest.mark.parametrize("side", [5, 9, 13, 19, 25])
def test_lines_do_not_leave_the_board(side: int) -> None:
    """At every size a pixel is reserved."""
    rows = ["." * side] * side
    page = html_board(rows)
    spans = re.findall(r"/([\d.]+)em ([\d.]+)em no-repeat", page.split("linear-gradient(#e6")[0])
    assert len(spans) == 2
    fonts = [float(found) for found in re.findall(r"font:([\d.]+)px", page)]
    fonts += [float(font[:-2]) for _, font in html_steps(rows, 24)]
    for span in (float(one) for pair in spans for one in pair):
        assert all(0.5 <= (span - 1.5 * (side - 1)) * font < 1.25 for font in fonts)


def test_colours_have_enough_contrast() -> None:
    """WCAG 2.1: 4.5 for text (1.4.3), 3 for graphics (1.4.11)."""
    assert contrast(LETTERING, WOOD) >= 4.5
    assert contrast(LINE, WOOD) >= 3
    assert contrast(TAKEN, WOOD) >= 4.5
    assert contrast(INK["b"][1], WOOD) >= 3
    assert contrast(INK["b"][1], INK["w"][1]) >= 7
    for ink, stone in INK.values():
        assert contrast(ink, stone) >= 4.5


def test_each_gradient_has_a_fallback_colour() -> None:
    """In its own declaration."""
    soup = BeautifulSoup(html_board(("bwcxBW.",)), "html.parser")
    drawn = [tag for tag in soup.find_all(style=True) if "gradient" in str(tag["style"])]
    assert len(drawn) == 7
    assert all("bgcolor" in tag.attrs or "background-color:#" in tag["style"] for tag in drawn)


def test_the_last_moves_dot_is_a_gradient() -> None:
    """Dark screens may invert colours, but no gradients; labels change with their background."""
    for state in "bw":
        soup = BeautifulSoup(html_board((state,), last=Point(0, 0)), "html.parser")
        (stone,) = soup.find_all("td", class_=state)
        (dot,) = stone.find_all("b")
        assert f"linear-gradient({INK[state][0]}," in dot["style"]
        (board,) = soup.find_all("table")
        assert f"linear-gradient({WOOD},{WOOD}) center/1.5em 1.5em no-repeat" in str(board)


@pytest.mark.parametrize("linked", [False, True])
@settings(max_examples=examples(40))
@given(st.data())
def test_glyphs_under_shapes_are_transparent(linked: bool, data: st.DataObject) -> None:
    """Fonts place them differently. Empty points depend on a rule of the head."""
    rows = data.draw(seven_state_rows())
    last = data.draw(points_of(rows))
    sends = dict.fromkeys([last], "x") if linked else {}
    page = html_board(rows, last=last, links=PointLinks("mailto:x", sends))
    for cell in BeautifulSoup(page, "html.parser").find_all("td", class_=["b", "w"]):
        inner = cell.find("b") or cell.find("a") or cell
        assert "color:transparent" in inner["style"], cell


def test_the_last_moves_dot_is_centred() -> None:
    """Half an em in a cell of one and a half; padding fills the link."""
    for sends in ({}, {Point(0, 0): "dead A1"}):
        page = html_board(("b",), last=Point(0, 0), links=PointLinks("mailto:x", sends))
        cell = BeautifulSoup(page, "html.parser").find("td", class_="b")
        assert cell is not None
        (dot,) = cell.find_all("b")
        assert {"display:block", "margin:auto", "width:.5em", "height:.5em"} <= {
            *str(dot["style"]).split(";")
        }
        assert all("padding:.5em 0" in link["style"] for link in cell.find_all("a"))


def test_hoshi_are_gradients_with_a_fallback() -> None:
    """A large dot."""
    page = BeautifulSoup(html_board(["." * 9] * 9), "html.parser")
    drawn = [cell for cell in page.find_all("td") if "radial-gradient" in str(cell.get("style"))]
    assert len(drawn) == 5
    assert {cell.get_text() for cell in drawn} == {"•"}


def test_captured_stones_leave_crosses() -> None:
    """On points that are still empty; they remain links."""
    rows = mark_emptied(("b.w", "..."), (Point(0, 1), Point(1, 1)))
    assert list(rows) == ["btw", "..."]
    page = html_board(rows, links=PointLinks("mailto:x?body=", {Point(1, 1): "B2"}))
    assert _read(page)[1] == ["2", "●", "✕", "○", "2"]
    (link,) = BeautifulSoup(page, "html.parser").find_all("a")
    assert link["aria-label"] == "B2"
    assert TAKEN in str(link.b)
    assert mark_emptied(("b.",), ()) == ("b.",)
