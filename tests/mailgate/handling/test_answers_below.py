"""Answers below a quotation: what is read is played and passed on, the rest is told, each once."""

from __future__ import annotations

import pytest

from godaemon.texts.catalogue import retold
from tests.support.gateway import Gateway, Person

QUOTED = "On Fri, Nov 20, 2026, Go wrote:\n> Bob played E5.\n>\n> resign\n"
WORDS = "How is the weather in Lagos?"


@pytest.fixture
def alice() -> Person:
    """Alice, who is to make the first move of a game with Bob."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    gateway.start(alice, gateway.person("Bob"), "9x9 as black")
    return alice


def outcome(alice: Person, text: str) -> tuple[str, list[str], str]:
    """The moves and words that a letter comes to, and what its writer is told was not read."""
    alice.reply(text)
    game, about = alice.gateway.game(), alice.newest().notice.about
    told = {**about, **about.get("aside", {})}
    moves = " ".join(str(move.point or "pass") for move in game.position.moves)
    return moves, [words.text for words in game.chat], retold(told.get("reason", ""))


@pytest.mark.parametrize("greeting", ["", "Hi,\n\n", "Hello Bob!\n\n", "Hallo Bob,\n"])
@pytest.mark.parametrize("end", ["", "\n> It is your move.\n", "\n-- \nAl\n"])
def test_what_was_read_is_not_told_again(alice: Person, greeting: str, end: str) -> None:
    """The first answer below is the new text, with or without a greeting above the quotation."""
    moves, said, told = outcome(alice, f"{greeting}{QUOTED}\nD4\n{WORDS}\n{end}")
    assert (moves, told) == ("D4", "")
    assert [words.endswith(WORDS) for words in said] == [True]


@pytest.mark.parametrize("greeting", ["Hi,\n", "Hello Bob!\n"])
def test_a_greeting_above_is_worth_no_words(alice: Person, greeting: str) -> None:
    """Above a quotation as above a command."""
    assert outcome(alice, f"{greeting}{QUOTED}\nD4\n") == ("D4", [], "")


def test_what_stands_below_a_second_quotation_is_told(alice: Person) -> None:
    """And `send` passes on that alone, without the move."""
    moves, said, told = outcome(alice, f"{QUOTED}\nD4\n\n> It is your move.\n\n{WORDS}\n")
    assert (moves, said) == ("D4", [])
    assert WORDS in told
    alice.reply("send")
    assert [words.text for words in alice.gateway.game().chat] == [WORDS]


@pytest.mark.parametrize("text", ["{}\nD4\n\n> More.\n\npass\n", "D4\n\n{}\npass\n"])
def test_a_command_that_is_left_out_is_told(alice: Person, text: str) -> None:
    """It is not done, and no words that could be sent."""
    moves, said, told = outcome(alice, text.format(QUOTED))
    assert (moves, said) == ("D4", [])
    assert "pass" in told
    assert alice.reply("send").event == "refused"


@pytest.mark.parametrize("above", ["Nice move!", "Hi Bob, how is the weather?", "D5?"])
def test_words_above_win(alice: Person, above: str) -> None:
    """Below them nothing is done; who wrote a command there is told."""
    moves, said, told = outcome(alice, f"{above}\n\n{QUOTED}\nD4\n")
    assert (moves, said) == ("", [])
    assert told
