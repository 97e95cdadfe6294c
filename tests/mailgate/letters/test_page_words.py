"""Texts for screen readers about drawn boards."""

import pytest

from godaemon.diagrams import text
from godaemon.diagrams.symbols import Part
from godaemon.rules.points import Point
from godaemon.texts.catalogue import speaking
from mailgate.letters.page_words import (
    html_legend,
    legend,
    spoken_board,
    spoken_part,
)
from mailgate.letters.phrases import lead_in_words


@pytest.mark.parametrize(
    ("language", "half", "more"),
    [
        ("en", "Black is ahead by half a point", "Black is ahead by 1.5 points"),
        ("fr", "Noir mène de 0,5 point", "Noir mène de 1,5 point"),
        ("ja", "黒が半目リード", "黒が1目半リード"),
        ("ko", "흑 반집 우세", "흑 1집 반 우세"),
    ],
)
def test_half_points_are_said_as_each_language_does(language: str, half: str, more: str) -> None:
    """Without a decimal in some; the other numbers of points are written alike."""
    with speaking(language):
        assert (lead_in_words("B+0.5"), lead_in_words("B+1.5")) == (half, more)


def test_a_legend_in_text_names_only_what_is_there() -> None:
    """The same words as on a terminal, and the last move if there is one."""
    for rows in (("b..", "..."), ("bwcxBW.",)):
        assert legend(rows, None) == text.legend(rows)
    assert legend(("b",), Point(0, 0)) == "X black, O white, ( ) the last move"


def test_a_legend_in_html_explains_what_does_not_explain_itself() -> None:
    """Dead stones, squares and crosses, but no stones."""
    assert html_legend(("bw",)) == ""
    assert html_legend(("bc",)) == "x dead black"
    assert html_legend(("bB", "tx")) == (
        "o dead white, small squares: territory, in its owner's colour, ✕ taken by the last move"
    )


def test_a_board_that_is_not_seen_has_a_name() -> None:
    """The number of stones; for a detail the marks on it."""
    rows = ("b.w", "cB.")
    assert (
        spoken_board(rows, Point(2, 1))
        == "Go board of 3x2: 2 black and 1 white stones; last move C2"
    )
    assert spoken_board(rows, None) == "Go board of 3x2: 2 black and 1 white stones"
    part = Part(rows, range(3), range(2), last=Point(2, 1), signs={Point(0, 0): "1"})
    assert spoken_part(part) == "Part of a Go board: move played C2, 1 at A1"
