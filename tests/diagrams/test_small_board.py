"""Small boards: a few kilobytes each, whole where no style survives."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup

from godaemon.diagrams.small_board import STYLE, small_board
from godaemon.rules.points import Point

ROWS = ["b.w", ".cx", "BW."]


def text(html: str) -> str:
    """What is left of it without any style."""
    return BeautifulSoup(html, "html.parser").get_text().strip()


def test_without_styles_it_is_a_text_board() -> None:
    """With the signs of the letter's text."""
    assert text(small_board(ROWS)).split("\n") == [
        "ABC",
        "3X+O3",
        "2+xo2",
        "1bw+1",
        " ABC",
    ]


def test_each_link_says_where_it_leads() -> None:
    """Points that send nothing are no links, and without an address none are."""
    sends = {Point(1, 2): "7:%20B3", Point(0, 1): "7:%20A2"}
    links = BeautifulSoup(small_board(ROWS, start="mailto:x?body=", sends=sends), "html.parser")
    assert [a["href"] for a in links.find_all("a")] == [
        "mailto:x?body=7:%20B3",
        "mailto:x?body=7:%20A2",
    ]
    assert "<a" not in small_board(ROWS, sends=sends)


def test_the_last_move_stands_out() -> None:
    """By a class of its own, which the style has."""
    assert 'class="qw l"' in small_board(ROWS, last=Point(2, 2))
    assert all(f".q{state} " in STYLE for state in "bwcx")
    assert ".l " in STYLE


@pytest.mark.parametrize(("side", "most"), [(9, 330), (13, 330), (19, 330)])
def test_it_fits_a_telephone(side: int, most: int) -> None:
    """Its width in pixels, as its own style has it."""
    style = str(BeautifulSoup(small_board(["." * side] * side), "html.parser").pre["style"])  # type: ignore[index]
    fields = dict(one.split(":", 1) for one in style.split(";"))
    assert float(fields["width"][:-2]) * int(fields["font-size"][:-2]) <= most


def test_no_line_is_long() -> None:
    """A full board with links goes into a letter as it is (RFC 5322, 2.1.1)."""
    rows = ["bw" * 9 + "."] * 19
    sends = {Point(column, row): "123:%20dead%20A1" for column in range(19) for row in range(19)}
    start = "mailto:go%2Bl00000000000000b1-544bugazg726zgsy@go.example?subject=Go&amp;body="
    drawn = small_board(rows, start=start, sends=sends)
    assert max(map(len, drawn.split("\n"))) < 998
    assert drawn.isascii()
