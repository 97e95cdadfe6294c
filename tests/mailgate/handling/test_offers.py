"""Offers for words that are no command: a few lines that the game would accept now."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.games.model import Seat
from godaemon.texts.catalogue import sentence_to_json
from mailgate.handling.decision_table import AWAITED, moment_of
from mailgate.handling.plain_words import (
    MAX_LINES,
    PlainWords,
    find_topic,
    lines_to_offer,
    meaning_question,
)
from mailgate.handling.player_games import GameView
from mailgate.language.meaning_model import meanings
from mailgate.language.parser import parse_text
from mailgate.letters.board_blocks import is_possible
from tests.support.phrase_outcome import situation_of

SITUATIONS = ("confirm", "invited", "mine", "theirs", "undo", "void", "count", "agreed", "over")


@cache
def seated(situation: str) -> GameView:
    seat = Seat.INVITED if situation == "invited" else Seat.PROPOSER
    return GameView(situation_of(situation).game(), seat)


def offered(situation: str, text: str) -> list[str]:
    at = seated(situation)
    return [*lines_to_offer(PlainWords(text, meanings(text)), moment_of(at), at)]


TABLE = """
mine    | What about D4?                       | try D4
mine    | Ich nehme wohl D4 oder E5            | D4, E5
mine    | F5 was strong                        |
mine    | I think I have had enough, you win   | resign
mine    | shall I pass now?                    | pass
mine    | right in the middle lol. gl          | E5
mine    | je me mets au milieu                 | E5
mine    | 4-4 point please                     | D4, D6
mine    | 4-4 top right                        | F6
mine    | the middle game is my weak spot      |
mine    | please stop writing to me            | stop all, stop
over    | arrete de mecrire stp                | stop all
mine    | Can I have that move back?           |
theirs  | I'll pass next time                  | if any then pass
theirs  | if you play D4 I will take E5        | if D4 then E5
count   | D4 and H8 look dead to me            | done
count   | those stones at C3 are dead I think  | dead C3, done
count   | I do not agree, let us play on       | resume, done
agreed  | I would rather play on               | resume, done
invited | not on such a big board please       | accept, decline
invited | could it be 13x13?                   | accept but 13x13, accept, decline
confirm | oh no, forget about it               | yes, no
undo    | hmm, I do not know                   | yes, no
void    | why would you?                       | void
over    | one more, on 13x13?                  | rematch 13x13
"""


@pytest.mark.parametrize("row", TABLE.strip().split("\n"))
def test_offers_contain_the_points_and_terms_of_the_words(row: str) -> None:
    """At least these lines."""
    situation, text, wanted = (cell.strip() for cell in row.split("|"))
    found = offered(situation, text)
    assert [line for line in wanted.split(", ") if line and line not in found] == [], found


@pytest.mark.parametrize(
    "text",
    [
        "Could you please tell me what the score is at the moment? I have rather lost track.",
        "Would you be so kind as to tell me the score?",
    ],
)
def test_a_question_offers_no_end_of_the_game(text: str) -> None:
    """Unless nothing else is likelier."""
    assert {"resign", "void", "stop"}.isdisjoint(offered("mine", text))


def test_an_invitation_offers_no_unlikely_lines() -> None:
    """Only its answers."""
    assert offered("invited", "Hm, a game by email, how odd") == ["accept", "decline"]


WORDS = st.sampled_from(
    [
        *(
            "D4",
            "E5",
            "C3",
            "F5",
            "H8",
            "dead",
            "alive",
            "undo",
            "resign",
            "pass",
            "13x13",
            "komi 5",
        ),
        *("if", "then", "yes", "no", "I think", "can I", "please", "vacation", "note", "stop", "?"),
        *("how", "who are you", "another game", "my games", "the board", "die Steine", "もう一局"),
    ]
)


@given(st.sampled_from(SITUATIONS), st.lists(WORDS, min_size=1, max_size=8).map(" ".join))
def test_each_offer_is_possible(situation: str, text: str) -> None:
    """One command that the game accepts; there are few, among them the awaited one."""
    at = seated(situation)
    found = offered(situation, text)
    assert len(found) == len({*found}) <= MAX_LINES + 1
    for line in found:
        assert len(parse_text([line]).commands) == 1, line
        assert is_possible(at.game, at.seat, line), line
    awaited = AWAITED.get(moment_of(at), ())
    assert {*awaited} <= {*found} or (situation == "void" and "void" in found)


@pytest.mark.parametrize(
    ("text", "private"),
    [
        ("If he plays D4 I answer at E5, do not tell him", True),
        ("Note to myself: watch the corner", True),
        ("What a lovely day", False),
        ("", False),
    ],
)
def test_plans_and_notes_are_private(text: str, private: bool) -> None:
    """They are not passed on in doubt."""
    assert PlainWords(text, meanings(text)).private is private


def test_the_sentence_for_us_is_quoted() -> None:
    """The one that is least likely talk."""
    text = "It rains all day here. Whose turn is it? We had soup."
    words = PlainWords(text, meanings(text))
    assert words.quotation == "Whose turn is it?"
    assert words.likeliest_sentence("show") == "Whose turn is it?"
    assert words.talk < 0.5
    assert words.likeliest_meaning[0] == "show"


def test_an_empty_text_is_talk() -> None:
    """It has no meaning for us."""
    words = PlainWords("", [])
    assert (words.talk, words.likeliest_meaning) == (1.0, ("", 0.0))
    assert words.likeliest_sentence("show") == ""


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("How do I resign?", "resign"),
        ("What is a ladder?", "ladder"),
        ("When is our club night, Bob?", None),
    ],
)
def test_the_topic_is_the_likeliest_intent_or_a_go_term(text: str, name: str | None) -> None:
    """Talk has none."""
    found = find_topic(PlainWords(text, meanings(text)))
    assert (found.name if found else None) == name


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_question_gets_its_topic_and_command(situation: str) -> None:
    """At every moment."""
    at, text = seated(situation), "How do I see my games?"
    refusal = meaning_question(PlainWords(text, meanings(text)), moment_of(at), at, "why")
    assert refusal.detail == "why"
    assert sentence_to_json(refusal.public) == {"say": "topic-games", "with": {}}
    assert "games" in refusal.hints
