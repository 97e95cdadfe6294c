"""What people write who know only a mail program: asked, answered, or talk that does nothing."""

from __future__ import annotations

import pytest

from godaemon.games import events as ev
from tests.support.gateway import Gateway, Person
from tests.support.letters import part

ASKED = (
    "Oh no, wrong point! May I take D5 back?",
    "Hi Bob, would you mind if I take back my last move?",
    "I'd like to take back D5 please, I wanted E6",
    "sorry, misclicked. can i take that back?",
    "Would it be ok if I took back my last move?",
    "Could you let me take that move back? Sorry!",
    "can i pls have my last move back",
)
"""Wishes for D5 back, which is Alice's last move."""
ANSWERED = (
    ("Please send me fewer emails.", "digest at 20"),
    ("I get too many emails from you!", "digest at 20"),
    ("Can I have less emails please?", "digest at 20"),
    ("What is a ladder? And what is komi?", "In a ladder a chain runs"),
    ("How do I resign? What's atari?", "To give up the game, reply: “resign”"),
    ("So, how does the game stand?", "who is ahead"),
    ("Who is winning?", "This game has no estimates"),
    ("settings everywhere", "Your settings"),
    ("watch Margaret", "can be watched"),
    ("Can I watch Carol's games?", "For a list of games you can watch: “watch”"),
    ("How do I take a move back?", "undo"),
)
"""Questions and wishes for us, with what the answer says."""
TALK = (
    "I take back what I said about your dog.",
    "You can take D5 back into the opening book, haha.",
    "I would never take back a move.",
    "Can we take back the trophy next year?",
    "May I take back my umbrella on Sunday?",
    "If you want to take back C3, just say so.",
    "I don't want to take back D5.",
    "Should I have taken back D5? No way!",
    "Did you want to undo your last move?",
    "My wife says I should take it back to the shop.",
    "No takebacks, as my brother says!",
    "I meant E5, of course, in the game with my uncle.",
    "Please don't undo anything, I like D5.",
    "Can I take back D5? Just kidding!",
    "Could I take it back? On second thought, no.",
    "Sorry for the slip of the tongue yesterday.",
    "Too many mails at work today, so I am slow.",
    "How did the game go last night, did Arsenal win?",
    "How is your daughter's game going?",
    "Watch the news tonight, my nephew is on it!",
    "I watch Carol play every Tuesday.",
    "How are you, and how is the garden?",
    "Where are you from? What is your rank?",
    "A digest of the news: it rained.",
    "Never mind the mistake, it was a good game.",
    "Would you let me win once, please?",
)
"""Words that ask nothing of us, or take back what they ask."""


@pytest.fixture
def alice() -> Person:
    """She has just played D5, and it is Bob's turn."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    gateway.play(alice, bob, "E5 C3 D5")
    return alice


def done(alice: Person) -> list[str]:
    """What an email of hers did in the game, but for words."""
    log = alice.gateway.writer.state.logs[1]
    since = [type(one.event).__name__ for one in log if not isinstance(one.event, ev.Handed)]
    return [one for one in since[since.index("Started") + 1 :] if one not in ("Moved", "Said")]


@pytest.mark.parametrize("text", ASKED)
def test_a_move_is_asked_back(alice: Person, text: str) -> None:
    """The opponent is asked, and reads none of it."""
    alice.reply(text)
    assert done(alice) == ["UndoAsked"]
    assert alice.gateway.game().chat == ()


@pytest.mark.parametrize(("text", "answer"), ANSWERED)
def test_what_is_for_us_is_answered(alice: Person, text: str, answer: str) -> None:
    """It does nothing, and reaches nobody else."""
    told = len(alice.gateway.outbox)
    alice.reply(text)
    assert [who for who, _ in alice.gateway.told(told)] == ["alice"]
    assert answer in " ".join(part(alice.read(), "plain").split())
    assert done(alice) == []


@pytest.mark.parametrize("text", TALK)
def test_talk_does_nothing(alice: Person, text: str) -> None:
    """Whether it is passed on or held back in doubt, nobody is asked for anything by it."""
    before = alice.gateway.writer.state.preferences
    alice.reply(text)
    assert done(alice) == []
    assert alice.gateway.game().move_number == 3
    assert alice.gateway.writer.state.preferences == before
    assert alice.gateway.writer.state.watchers == {}
