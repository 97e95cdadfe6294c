"""Words on the page of a letter: lines, and texts for screen readers."""

import pytest

from godaemon.diagrams.symbols import Part
from godaemon.rules.points import Point
from godaemon.texts.catalogue import speaking
from mailgate.letters.page_words import html_legend, spoken_board, spoken_part, width, wrap_words
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
def test_half_points_follow_the_language(language: str, half: str, more: str) -> None:
    """Some say half a point without a decimal."""
    with speaking(language):
        assert (lead_in_words("B+0.5"), lead_in_words("B+1.5")) == (half, more)


def test_the_html_legend_omits_plain_stones() -> None:
    """It explains dead stones, squares and crosses."""
    assert html_legend(("bw",)) == ""
    assert html_legend(("bc",)) == "x dead black"
    assert html_legend(("bB", "tx")) == (
        "o dead white, small squares: territory, in its owner's colour, ✕ taken by the last move"
    )


def test_a_board_has_a_spoken_name() -> None:
    """With the number of stones; a detail lists its marks."""
    rows = ("b.w", "cB.")
    assert (
        spoken_board(rows, Point(2, 1))
        == "Go board of 3x2: 2 black and 1 white stones; last move C2"
    )
    assert spoken_board(rows, None) == "Go board of 3x2: 2 black and 1 white stones"
    part = Part(rows, range(3), range(2), last=Point(2, 1), signs={Point(0, 0): "1"})
    assert spoken_part(part) == "Part of a Go board: move played C2, 1 at A1"


@pytest.mark.parametrize("blank", ["", " ", "  ", "\t", "\N{IDEOGRAPHIC SPACE}"])
def test_wide_words_are_wrapped_whatever_their_blanks(blank: str) -> None:
    """Lines fill their columns, and blanks within a line stay."""
    words = f"相手は D4 に打ちました。{blank}" * 9
    lines = wrap_words(words, 40, "> ", "  ")
    assert all(30 < width(line) <= 40 for line in lines[:-1])
    assert "".join("".join(line[2:] for line in lines).split()) == "".join(words.split())
    assert blank.replace("\t", " ") in lines[0]
