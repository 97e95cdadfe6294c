"""Handicap stones that Black places by letter: what is read, what is written."""

from __future__ import annotations

import pytest

from godaemon.games import commands as cmd
from godaemon.rules.points import parse_point
from mailgate.language.parser import parse_text

STONES = tuple(map(parse_point, ("D4", "Q16", "C10")))


@pytest.mark.parametrize(
    "letter",
    [
        *("place D4 Q16 C10", "Place d4, q16 and c10.", "place stones at D4, Q16, C10"),
        *("place my handicap stones on d4 q16 c10", "place: D4 Q16 C10"),
    ],
)
def test_stones_are_named_on_one_line_or_more(letter: str) -> None:
    """As people list points, and as mail programs break long lines."""
    (spoken,) = parse_text(letter.split("\n")).commands
    assert spoken.command == cmd.Place(STONES)


@pytest.mark.parametrize("line", ["place stars", "place on the star points", "place hoshi"])
def test_the_star_points_by_name(line: str) -> None:
    """Without any point."""
    (spoken,) = parse_text([line]).commands
    assert spoken.command == cmd.Place(())


def test_a_sentence_is_no_command() -> None:
    """Words about places are words."""
    for line in ("Place your bets on who wins!", "places like this are nice", "placed well, Bob"):
        assert not parse_text([line]).commands
