"""What is said of our emails, an opponent, or a point, and talk that has the same words.

Each sentence is one of several that a rule is for, as people write them who know no commands.
"""

from __future__ import annotations

import pytest

from tests.support.phrase_outcome import Situation


@pytest.fixture(scope="module")
def mine() -> Situation:
    """Alice's turn against Bob, for every sentence as if it were the first."""
    return Situation("mine")


@pytest.fixture(scope="module")
def theirs() -> Situation:
    """Bob's turn against Alice, who has just played F6."""
    return Situation("theirs")


@pytest.mark.parametrize(
    "said", ["I meant E6", "Did you mean E6?", "typo, I meant the E6 variation"]
)
def test_what_is_no_plain_correction(theirs: Situation, said: str) -> None:
    """It may answer a question, or ask one: nothing is done by it."""
    assert theirs.say(said).events == []


@pytest.mark.parametrize("said", ["I agree with that", "looks right to me"])
def test_words_that_agree_to_a_count(said: str) -> None:
    """They are done where the other has said so."""
    for closing in ("", "\n\nBest,\nAlice", "\nAlice"):
        assert Situation("agreed").say(said + closing).events == ["Agreed"]


@pytest.fixture(scope="module")
def undo() -> Situation:
    """Bob has asked Alice for his last move back."""
    return Situation("undo")


@pytest.mark.parametrize(
    "said",
    [
        "I'd rather leave it as it is",
        "Let it stand please",
        "a move is a move, I'm afraid",
        "yes, but only if I may, too",
    ],
)
def test_half_an_answer_to_a_wish_for_a_move_back(undo: Situation, said: str) -> None:
    """Nothing is granted or refused by it: a yes or a no is asked for, and Bob is told nothing."""
    outcome = undo.say(said)
    assert (outcome.told, outcome.events) == (False, [])
    assert outcome.clickable("yes")
    assert outcome.clickable("no")


@pytest.mark.parametrize(
    "said",
    [
        *("fine, but just this time", "be my guest", "I'm fine with that"),
        *("Oh go on then", "ok, only this time", "Hmm. Ok, but only this once!", "works for me"),
    ],
)
def test_a_move_back_granted_in_other_words(undo: Situation, said: str) -> None:
    """That the next one may be another matter makes it no less a yes."""
    assert "Undone" in undo.say(said).events[0]


@pytest.mark.parametrize("said", ["Lovely weather here today", "How is the new flat, all well?"])
def test_talk_while_a_move_is_asked_back(undo: Situation, said: str) -> None:
    """It is passed on, and answers nothing."""
    assert undo.say(said).said == [said]


@pytest.mark.parametrize(
    "said",
    [
        "I didn't want to play there",
        "Can I change what I just sent?",
        "My finger slipped on the phone",
        "sorry, that was meant to be the other corner",
        "Darn, I clicked one too far to the left",
    ],
)
def test_a_slip_in_other_words(theirs: Situation, said: str) -> None:
    """Before the other has answered, the wish for the move back is offered."""
    outcome = theirs.say(said)
    assert (outcome.told, outcome.events) == (False, [])
    assert outcome.clickable("undo")


@pytest.mark.parametrize("said", ["that was a typo", "Sorry, my mouse slipped"])
def test_the_excuse_below_a_wish_for_a_move_back(theirs: Situation, said: str) -> None:
    """It is for the opponent, who is asked."""
    assert theirs.say(f"undo\n{said}").said == [said]
