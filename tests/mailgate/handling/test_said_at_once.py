"""Several things in one email: one answer to all of them, and nothing of them is told."""

from __future__ import annotations

import pytest

from godaemon.games.notices import Kind
from tests.support.gateway import Gateway, Person
from tests.support.letters import part


@pytest.fixture
def gateway() -> Gateway:
    """Alice (Black) is to move in a game with Bob."""
    gateway = Gateway()
    gateway.start(gateway.person("Alice"), gateway.person("Bob"))
    return gateway


@pytest.fixture
def alice(gateway: Gateway) -> Person:
    """She asks much at once."""
    return gateway.person("Alice")


def said(person: Person) -> str:
    """The newest letter as plain words."""
    return " ".join(part(person.read(), "plain").split())


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("What is komi? And how do I pass?", "Komi is the points White gets", "Reply with: pass"),
        ("How do I pass?\nWhat is atari?", "Stones are in atari when", "Reply with: pass"),
    ],
)
def test_each_question_is_answered(
    gateway: Gateway, alice: Person, text: str, first: str, second: str
) -> None:
    """One has its answer and the other its line in one email; neither question is passed on."""
    before = len(gateway.outbox)
    alice.reply(text)
    assert len(gateway.outbox) == before + 1
    assert first in said(alice)
    assert second in said(alice)
    assert gateway.game().chat == ()


def test_one_question_and_talk(alice: Person) -> None:
    """The answer is to the question; what follows and asks nothing of us adds nothing."""
    alice.reply("How do I pass? I am quite tired today. What is your rank?")
    assert said(alice).startswith("To pass, reply: “pass”.")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("D4\nWhat is atari?", "Stones are in atari when"),
        (
            "D4\nThis is just for myself: he is weak below.",
            "Bob hasn't seen your words",
        ),
        ("D4\nPlease do not tell Bob. What is komi?", "Komi is the points White gets"),
    ],
)
@pytest.mark.parametrize("receipts", ["on", "off"])
def test_a_move_and_what_is_for_us(
    gateway: Gateway, alice: Person, text: str, shown: str, receipts: str
) -> None:
    """One email says that the move was made, and what became of the rest; its words can be sent."""
    alice.reply(f"receipts {receipts} everywhere")
    before = len(gateway.outbox)
    alice.reply(text, to=alice.newest(Kind.STARTED))
    assert sorted(gateway.told(before)) == [("alice", "moved"), ("bob", "your-turn")]
    assert said(alice).startswith("You played D4 (move 1).")
    assert shown in said(alice)
    assert alice.reply("send").event == "accepted"
    assert gateway.game().chat[0].text == text.partition("\n")[2]


@pytest.mark.parametrize(
    "text",
    ["Could I get fewer emails", "Too many emails!", "I want less notifications", "fewer emails"],
)
def test_who_wants_fewer_emails(alice: Person, text: str) -> None:
    """They are offered the lines that do it."""
    alice.reply(text)
    for line in ("digest at 20", "emails my-turn everywhere", "settings"):
        assert f"Reply with: {line}" in said(alice)
    assert alice.reply("digest at 20").event == "accepted"
