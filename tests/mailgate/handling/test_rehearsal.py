"""The rehearsal reports a letter's effects without any."""

import asyncio

import pytest

from mailgate.handling.intake import Rehearsal, rehearse
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.gateway import Gateway, Person, started


@pytest.fixture
def gateway() -> Gateway:
    """A gateway in which Alice (black) and Bob play; Alice is to move."""
    return started()[0]


def trial(gateway: Gateway, letter: InboundLetter) -> Rehearsal:
    """What a letter would do; the store is as it was, and so is the game in memory."""
    before, position = gateway.writer.state.copy(), gateway.game_now(1)
    found = asyncio.run(rehearse(gateway.writer, gateway.intake.dispatcher, letter, gateway.now))
    assert gateway.writer.state == before
    assert gateway.game_now(1) == position
    return found


def written(person: Person, words: str) -> InboundLetter:
    """An answer to the newest letter, as it came, of a store that has never seen it."""
    state = person.gateway.writer.state.copy()
    person.reply(words)
    person.gateway.writer.state = state
    person.gateway.cache.clear()
    return person.posted[-1]


@pytest.mark.parametrize(
    ("words", "event", "commands", "why", "notices"),
    [
        ("D4", "accepted", ["play D4"], "", [("alice", "moved"), ("bob", "your-turn")]),
        ("Z99", "refused", [], "“z99” is not a point", [("alice", "refused")]),
        ("undo", "refused", ["undo"], "", [("alice", "refused")]),
        ("A nice day today.", "accepted", [], "say", [("bob", "chat"), ("alice", "show")]),
    ],
)
def test_a_rehearsal_predicts_the_outcome(
    gateway: Gateway,
    words: str,
    event: str,
    commands: list[str],
    why: str,
    notices: list[tuple[str, str]],
) -> None:
    """Result, commands, reason and notices."""
    letter = written(gateway.person("Alice"), words)
    found = trial(gateway, letter)
    assert (found.outcome.event, found.outcome.game, found.outcome.seat) == (event, 1, "black")
    assert found.commands == commands
    assert why in found.reason
    assert [(one.to.partition("@")[0], one.kind.value) for one in found.notices] == notices
    assert not found.repeated
    before = len(gateway.outbox)
    assert gateway.take(letter) == found.outcome
    assert gateway.notices(before) == notices


def test_a_rehearsal_reports_a_repeated_letter(gateway: Gateway) -> None:
    """With its first effects."""
    alice = gateway.person("Alice")
    alice.reply("help")
    found = trial(gateway, alice.posted[-1])
    assert (found.repeated, found.outcome.event) == (True, "accepted")


def test_a_rehearsal_reports_a_fault(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    """The letter would be quarantined."""
    letter = written(gateway.person("Alice"), "D4")

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("mailgate.handling.handler.check_words", fail)
    found = trial(gateway, letter)
    assert found.outcome.event == "quarantined"
    assert "ZeroDivisionError" in found.reason


def test_a_rehearsal_ignores_what_is_no_letter(gateway: Gateway) -> None:
    """As intake does."""
    found = trial(gateway, InboundLetter("go@go.example", "a@b.example", b""))
    assert found.outcome.event == "ignored"
