"""Requests to the service, by their form; what is asked of the opponent stays talk."""

from __future__ import annotations

import pytest

from godaemon.errors import Unreadable
from godaemon.games.commands import Propose
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
    "What rules can I choose from?": "rulesets",
    "Which rulesets are there?": "rulesets",
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


CAROL = "vs carol@players.example"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (f"new 13x13 {CAROL} handicap 3 she takes black", "new 13x13 handicap 3 as white"),
        (f"new 13x13 {CAROL}, he plays white, 3 stones", "new 13x13 handicap 3 as black"),
        (
            f"New game, 19x19, 6 handicap, {CAROL} (she's black), 1 day per move, komi 0.5",
            "new 19x19 handicap 6 komi 0.5 as white 1 day per move",
        ),
        (f"new 9x9 {CAROL} komi of seven and a half", "new 9x9 komi 7.5"),
        (f"new 9x9 {CAROL} komi half a point", "new 9x9 komi 0.5"),
        (f"new 9x9 {CAROL} no komi", "new 9x9 komi 0"),
        (
            "challenge carol@players.example, half point komi, I'm white, no time limit",
            "new 19x19 komi 0.5 as white no time limit",
        ),
        (f"I'd like to play {CAROL} on a medium size board", "new 13x13"),
        (f"I'd like to play {CAROL}, board nine, komi 6 and a half", "new 9x9 komi 6.5"),
        (f"Let's play {CAROL} on the big board without komi", "new 19x19 komi 0"),
        (f"Let's start a small board game {CAROL}: they're black", "new 9x9 as white"),
        (f"new 19x19 {CAROL} six handicap stones she is black", "new 19x19 handicap 6 as white"),
        (f"new 9x9 {CAROL} plaese", "new 9x9"),
        (f"new 19x19 {CAROL}, 4 stones, she has black", "new 19x19 handicap 4 as white"),
        (f"Could we have a game {CAROL} on the full size board, komi zero", "new 19x19 komi 0"),
        (f"new 9x9 {CAROL} you are white", "new 9x9 as black"),
        (f"I'd like a match {CAROL}: 9 handicap, big board", "new 19x19 handicap 9"),
    ],
)
def test_no_term_is_lost_in_the_line_that_is_offered(words: str, line: str) -> None:
    """It would be sent with a click: whose the stones are, too, is as it was wished."""
    with pytest.raises(Unreadable) as asked:
        parse_text([words])
    assert asked.value.hints == (f"{line} {CAROL}",)
    assert "says nothing" not in asked.value.public


@pytest.mark.parametrize(
    ("words", "term"),
    [
        (f"I'd like a 9x9 game {CAROL}, komi as always", "komi"),
        (f"I'd like a 9x9 game {CAROL} and some stones from them", "handicap"),
        (f"I'd like a 9x9 game {CAROL}, Japanese, please", "rules"),
        (f"I'd like a 9x9 game {CAROL} where Black is drawn", "colours"),
    ],
)
def test_a_term_that_is_not_understood_is_named(words: str, term: str) -> None:
    """Else it would be missed only in the game."""
    with pytest.raises(Unreadable) as asked:
        parse_text([words])
    assert f"says nothing of the {term}" in asked.value.public


@pytest.mark.parametrize(
    ("line", "handicap", "komi"),
    [
        (f"new 19x19 komi 6 handicap 3 {CAROL}", 3, 6),
        (f"new 19x19 6 handicap {CAROL}", 6, None),
        (f"new 9x9 komi 0.5 handicap 3 as white {CAROL}", 3, 0.5),
        ("new 19x19 4 handicap vs carol at players.example", 4, None),
    ],
)
def test_a_handicap_behind_its_number(line: str, handicap: int, komi: float | None) -> None:
    """As people say it; a komi right before it stays one."""
    [found] = parse_text([line]).commands
    assert isinstance(found.command, Propose)
    assert (found.command.handicap, found.command.komi) == (handicap, komi)
    assert found.command.opponent == "carol@players.example"


@pytest.mark.parametrize("sigh", ["oh dear ", "so sorry ", "oh dear so sorry "])
def test_a_sigh_that_goes_on_and_on_is_read_at_once(sigh: str) -> None:
    """As no two readings of it are alike: of many times `oh dear` there were millions."""
    parse_text([sigh * (290 // len(sigh)) + "x"])
