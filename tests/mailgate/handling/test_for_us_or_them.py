"""What is said of our emails, an opponent, or a point, and talk that has the same words.

Each sentence is one of several that a rule is for, as people write them who know no commands.
"""

from __future__ import annotations

import pytest

from tests.support.phrase_outcome import Situation

OURS = (
    ("The picture doesn't show up", "about my emails"),
    ("Hi, the links in this email do not work for me.", "about my emails"),
    ("Sorry, but the board looks completely garbled on my phone", "about my emails"),
    ("I don't understand the numbers at the side", "about my emails"),
    ("I cannot see any picture.", "about my emails"),
    ("I got the same email three times", "about my emails"),
    ("I sent my move yesterday but nothing happened", "about my emails"),
    ("my last move isn't shown", "about my emails"),
    ("I think there's a bug in the counting", "about my emails"),
    ("Something is wrong with the clock", "about my emails"),
    ("These emails end up in my spam folder", "about my emails"),
    ("I think my last email got lost", "about my emails"),
    ("Your email is all gibberish on my phone", "about my emails"),
    ("It says it's not my turn but it is", "about my emails"),
    ("Stop writing to me every day", "digest at 20"),
    ("My opponent is being rude", "meant for me"),
    ("my opponent hasn't answered for weeks!", "meant for me"),
    ("My opponent seems to have vanished", "meant for me"),
    ("Clicking on the board doesn't do anything", "about my emails"),
    ("Please remind him that it's his move", "cannot tell from your words"),
    ("could you tell my opponent that I am late?", "cannot tell from your words"),
    ("My new address is alice@new.example", "move me to"),
    ("Please don't send me pictures", "plain"),
    ("Please call me Ally from now on", "name"),
    ("Oops, wrong point", "undo"),
    ("That's not what I played!", "undo"),
    ("sorry, misclick", "undo"),
    ("4-4 point", "D4"),
    ("the 3-4 point in the upper right corner", "C4"),
    ("One to the right of my last stone.", "a letter and a number"),
    ("The corner at the bottom right", "a letter and a number"),
    ("just above your two stones", "a letter and a number"),
)
THEIRS = (
    "It says snow for tomorrow",
    "The email you sent me about the club was funny",
    "It says a lot about you that you played there",
    "I like the board, it looks like the one my father had",
    "The picture on your wall is lovely, does it show Mount Fuji?",
    "I can't see a way to save my stones",
    "I don't understand your last move at all",
    "My move was slow, I know",
    "I think I played in the wrong order in that corner",
    "You played on the wrong side of the board, I think",
    "In my last tournament my opponent was a 5 dan",
    "I'm off to bed, see you",
    "My opponent played very slowly at the club yesterday",
    "My stones are dead, I fear",
    "The numbers were against me yesterday at work",
    "I sent you a card, did it arrive?",
    "That corner is big",
    "I got your email about the club, thanks",
    "Tell me about your holiday!",
)


@pytest.fixture(scope="module")
def mine() -> Situation:
    """Alice's turn against Bob, for every sentence as if it were the first."""
    return Situation("mine")


@pytest.mark.parametrize(("said", "answer"), OURS)
def test_what_is_for_us(mine: Situation, said: str, answer: str) -> None:
    """The opponent reads nothing of it, nothing is played, and the answer says what helps."""
    outcome = mine.say(said)
    assert (outcome.told, outcome.events) == (False, [])
    assert answer in " ".join(outcome.own_words)


@pytest.mark.parametrize("said", THEIRS)
def test_talk_with_the_same_words(mine: Situation, said: str) -> None:
    """It is passed on, as all talk is."""
    assert mine.say(said).said == [said]
