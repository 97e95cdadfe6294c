"""Sentences about a count: of which stones they speak, and whether they agree."""

from __future__ import annotations

import pytest

from mailgate.language.counted import agrees, marks_said


@pytest.mark.parametrize(
    ("said", "dead", "alive"),
    [
        ("B2 is dead. My H7 lives", "B2", "H7"),
        ("dead are B2 and C3", "B2 C3", ""),
        ("B2 isn't dead", "", "B2"),
        ("Aren't B2 and C3 captured?", "B2 C3", ""),
        ("H7 is not dead but alive", "", "H7"),
        ("I don't think that B2 is alive", "B2", ""),
        ("B2 dead and H7 alive", "B2", "H7"),
        ("You are dead right", "", ""),
        ("C3 and D4 are alive, but your D5, Q4 and R5 are dead", "D5 Q4 R5", "C3 D4"),
        ("My group at C3, D4, E5 is alive. Your H7, H8 are dead.", "H7 H8", "C3 D4 E5"),
        ("G7, H13 sind tot", "G7 H13", ""),
        ("C3 is dead, D4 is alive", "C3", "D4"),
        ("A1,B2 are dead", "A1 B2", ""),
        ("C3 is dead and D4, E5 live", "C3", "D4 E5"),
        ("dead: B2, C3, and D4", "B2 C3 D4", ""),
        ("dead is B2, D4 lives", "B2", "D4"),
        ("Dead are B2, C3, D4 is alive", "B2 C3", "D4"),
        ("Alive: A1, B2 is dead", "B2", "A1"),
        ("you killed my group at C3, D4 is alive", "C3", "D4"),
        ("I don't think C3, D4 are dead", "", "C3 D4"),
    ],
)
def test_stones_said_dead_or_alive(said: str, dead: str, alive: str) -> None:
    """Each stone has the word that stands with it, turned round by a not."""
    found = marks_said([said])
    assert [name for name, is_dead in found.items() if is_dead] == dead.split()
    assert [name for name, is_dead in found.items() if is_dead is False] == alive.split()


@pytest.mark.parametrize(
    ("said", "agreed"),
    [
        ("I agree with the count.", True),
        ("The score is right.", True),
        ("Looks fine to me", None),
        ("I agree with the score. See you!", None),
        ("The score is not right", False),
        ("I agree with the score if B2 is dead", False),
        ("Do you agree with the score?", False),
        ("What a score!", False),
    ],
)
def test_words_that_agree(said: str, agreed: bool | None) -> None:
    """Only words that agree to the score, and nothing beside them, are taken for done."""
    assert agrees([said]) is agreed
