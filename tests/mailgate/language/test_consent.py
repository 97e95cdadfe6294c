"""A yes or a no in people's own words, where one was asked for."""

from __future__ import annotations

import pytest

from mailgate.language.consent import read_consent, taken_back, wholehearted

YES = """
Yes, it was me | Yes please! | yes :) | Hi,⏎⏎yes⏎⏎Alice | Sure, let's play | With pleasure
Yes, please do take it back! | Please do
I'd love to | of course | Hi Alice,⏎accept | Sounds good! | Why not | ok, let's go | Gerne!
Avec plaisir | Yes!! | Of course it was me. | I accept, thank you | Count me in!
"""
NO = """
No, thank you | Sorry, no | no | I don't want to play | Not now, thanks | It wasn't me
Leider keine Zeit | I'd rather not | decline, sorry | I have no time at the moment
Of course not | Certainly not | Absolutely not! | I do mind
I'd prefer you didn't | Please don't, Bob | please do not
"""
NEITHER = """
Maybe later | Who is this? | Yes, but not on 19x19 | Yes. No. | What is Go? | Hello
I'd like to resign | yes, if you take white | D4 | yes or no? | I am not sure | Thanks
Yes... I mean no! | yes, that's spam | ok, never mind
Yes? | Sure, once I learned the rules | Not now, but yes in January | No way I'd miss that!
No no, please do take it back! | Of course! ... not. | Yes, that's not ok | Sure you can't
let me think | no idea what this is, sure | I'd like to play with carol@example.org
"""


def letters(table: str) -> list[str]:
    """The letters of a table, apart by bars; ⏎ ends a line."""
    rows = table.strip().split("\n")
    return [one for row in rows for one in row.replace("⏎", "\n").split(" | ") if one.strip()]


@pytest.mark.parametrize("text", letters(YES))
def test_yes(text: str) -> None:
    """Said in any of these ways it is a yes."""
    assert read_consent(text.split("\n")) is True


@pytest.mark.parametrize("text", letters(NO))
def test_no(text: str) -> None:
    """And in these a no."""
    assert read_consent(text.split("\n")) is False


@pytest.mark.parametrize("text", letters(NEITHER))
def test_neither(text: str) -> None:
    """In doubt, both are offered."""
    assert read_consent(text.split("\n")) is None


@pytest.mark.parametrize(
    ("said", "yes"),
    [
        *((f"I would like {what}", None) for what in ("a lesson", "some information", "to watch")),
        *((f"I'd love to {what}", None) for what in ("know more", "learn the game", "see it")),
        *(
            (f"I'd love to{what}", True)
            for what in ("", "!", " play", " give it a try", ", thanks")
        ),
        *((f"I would like {what}", True) for what in ("that", "a game", "to, very much")),
    ],
)
def test_a_wish_is_a_yes_where_it_is_to_play(said: str, *, yes: bool | None) -> None:
    """Who wished for a lesson found themselves in a game."""
    assert read_consent([said]) is yes


MEANT = """
yes | Yes, I'm sure. Thanks for the game Bob. | Yes.⏎⏎Bob, thanks, that was a lesson! | yes! thanks
y | Yes really. Well played Bob! | Yes I'm sure, my group is dead and I'm 40 points behind
oui, je suis sûre. Merci pour la partie
Yes I do | ok | Yes, I want to resign | Yes, forget me please | yes⏎Anna
"""
NOT_MEANT = """
yes I want to play on | Yes, that was a mistake | sure, play on | ok, forget it
Fine, let's continue | Yes, I'm sure I don't want to | Right, it was Bob's turn, sorry
OK, I stay in the game | Yes, keep playing | Yes, I was wrong, let's go on
Yes, I want to keep everything | Yes? | Yes, let's wait for Bob's move
"""


@pytest.mark.parametrize(
    ("text", "meant"),
    [*((one, True) for one in letters(MEANT)), *((one, False) for one in letters(NOT_MEANT))],
)
def test_what_is_for_ever_takes_a_yes_with_nothing_beside_it(text: str, *, meant: bool) -> None:
    """Bug: `Of course not` resigned, and so did `yes I want to play on`."""
    assert wholehearted(text.split("\n")) is meant


@pytest.mark.parametrize("text", ["Yes.⏎Sorry for the delay, I was not at home!", "No. Not today."])
def test_talk_beside_an_answer_takes_nothing_back(text: str) -> None:
    """It is about something else, or says the same."""
    assert not taken_back(text.replace("⏎", "\n").split("\n"))


def test_no_answer_at_all_is_taken_back_by_what_takes_a_yes_back() -> None:
    """`resign` again, in answer to whether that is meant, is no yes beside `never mind`."""
    assert taken_back(["resign", "never mind"])
    assert not wholehearted(["resign", "never mind"])
