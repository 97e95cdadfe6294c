"""Moves told by a place, or as a telephone took them down."""

from __future__ import annotations

import pytest

from godaemon.rules.points import Size
from mailgate.language.told_places import told_places
from mailgate.language.written_moves import normalize


@pytest.mark.parametrize(
    ("words", "points"),
    [
        ("The 3-3 point bottom left, please.", ["C3"]),
        ("Hoshi in the lower right corner then", ["Q4"]),
        ("Ich nehme den Sternpunkt oben links", ["D16"]),
        ("je prends le hoshi en bas à gauche", ["D4"]),
        ("komoku, upper right", ["R16", "Q17"]),
        ("左下の星にします", ["D4"]),
        ("우상 삼삼에 둡니다", ["R17"]),
        ("One to the left of K10", ["J10"]),
        ("directly above your stone at C3", ["C4"]),
        ("rechts von D4", ["E4"]),
        ("debajo de Q16 por favor", ["Q15"]),
        ("Tengen!", ["K10"]),
        ("Good evening. I begin in the middle of the board.", ["K10"]),
        ("queue sixteen please", ["Q16"]),
        ("are seventeen", ["R17"]),
        ("I go to delta four full stop", ["D4"]),
        ("okay let me take jay ten period or no make it K 11 period", ["J10", "K11"]),
    ],
)
def test_the_points_that_a_place_may_be(words: str, points: list[str]) -> None:
    """They are worked out, to be offered."""
    assert sorted(told_places(normalize(words), Size(19, 19)) or ()) == sorted(points)


@pytest.mark.parametrize(
    "words",
    [
        "I place it in the empty corner",
        "somewhere on the right side",
        "In die leere Ecke links oben",
        "en el lado derecho, arriba",
    ],
)
def test_a_place_without_a_point(words: str) -> None:
    """Nobody but us is meant, and the point is asked for."""
    assert told_places(normalize(words), Size(9, 9)) == ()


@pytest.mark.parametrize(
    "words",
    [
        "You took the left corner from me!",
        "That corner in the upper left looks scary",
        "the right side was mine",
        "What a corner!",
        "There are two of us at home, and seven cats",
        "I see three of them every day on my way to the office, above the bakery",
        "Left or right, who cares",
        "I live in the middle of nowhere",
        "Are you one of those?",
        "See two films this week?",
    ],
)
def test_talk_of_places_is_talk(words: str) -> None:
    """What was, what the other has, and what has nothing to do with a board."""
    assert told_places(normalize(words), Size(19, 19)) is None


def test_a_point_beside_the_edge_is_none() -> None:
    """There is nothing to the left of A."""
    assert told_places("left of a5", Size(9, 9)) is None
