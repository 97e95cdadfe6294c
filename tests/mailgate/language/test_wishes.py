"""Requests to the service, by their form; what is asked of the opponent stays talk."""

from __future__ import annotations

import pytest

from mailgate.language.arguments import rematches
from mailgate.language.parser import parse_text
from mailgate.language.questions import question_to_us

OURS = {
    "Could you estimate the score for me?": "score",
    "score estimate please": "score",
    "Please inform me who leads.": "score",
    "I'd like an estimate of the score please.": "score",
    "I wonder whether I am ahead or behind.": "score",
    "I'd like letters for the stones": "boards",
    "could the board be drawn with letters please": "boards",
    "I cannot see the coordinates, could you put them on all sides?": "boards",
    "a rated game please": "rating",
    "I want to see my rating": "rating",
    "I would like some lessons": "learn",
    "My grandfather played Go and I would like to learn it now.": "learn",
    "Please send me only plain text.": "plain",
}
THEIRS = (
    "I would like to thank you for this game",
    "I want to win this one!",
    "can you teach me that trick some day?",
    "please say hello to your wife",
    "I need a coffee before I can think about this",
    "You play well, what is your rating?",
    "you are winning, well played!",
    "How are you getting on with the new house?",
    "My rating has gone up since we began",
    "I would like to play more often with you.",
)


@pytest.mark.parametrize("line", OURS)
def test_a_request_by_its_form(line: str) -> None:
    """It is answered with the verb for it, and held back from the opponent."""
    found = question_to_us([line])
    assert found is not None
    assert found.name == OURS[line]
    assert parse_text([line]).message == ""


@pytest.mark.parametrize("line", THEIRS)
def test_talk_in_the_same_forms(line: str) -> None:
    """It is passed on."""
    assert question_to_us([line]) is None
    assert parse_text([line]).message == line


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("Again? 13x13, and you get 3 stones", "rematch 13x13 handicap 3 as white"),
        ("can I take 4 stones on 19x19 next time?", "rematch 19x19 handicap 4 as black"),
        ("rematch with 3 stones and I take white", "rematch handicap 3 as white"),
    ],
)
def test_who_is_given_stones_is_black(words: str, line: str) -> None:
    """A line that gave them to the other was suggested."""
    assert rematches(words) == (line,)
