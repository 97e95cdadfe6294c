"""A closing below commands is no message: with or without a name, in several languages."""

from __future__ import annotations

import pytest

from godaemon.games.notices import Kind
from mailgate.language.closings import without_closing
from tests.support.gateway import Gateway, Person

NAMES = ("Sam Whitfield", "sam")
CLOSINGS = (
    "With kind regards,\n\nSam Whitfield",
    "Best wishes",
    "Sam",
    "Sam Whitfield",
    "S.",
    "thanks",
    "Thank you so much, Sam",
    "Thanks and best regards,\nSam",
    "Cheers, Sam",
    "All the best,\nS.",
    "LG",
    "mfg\nSam W.",
    "Liebe Grüße\nSam",
    "Mit freundlichen Grüßen\nSam Whitfield",
    "Cordialement,\nSam",
    "Un abrazo, Sam",
    "Saludos",
    "С уважением, Sam",
)


@pytest.mark.parametrize("command", ["show", "D4", "I play D4.", "Dear Ruth,\nD4", "note too big"])
@pytest.mark.parametrize("closing", CLOSINGS)
def test_a_closing_below_commands_is_taken_off(command: str, closing: str) -> None:
    """Whatever stands above it, where that is no words to anybody."""
    lines = command.split("\n")
    assert without_closing([*lines, "", *closing.split("\n")], NAMES) == tuple(lines)


@pytest.mark.parametrize(
    "text",
    [
        "D4\nNice move!\nCheers, Sam",
        "say Good morning, Ruth\nKind regards\nSam",
        "D4\nBest move so far",
        "D4\nLove this game",
        "D4\nThanks for waiting",
        "D4\nThanks!",
        "D4\n👍",
        "D4\nKind regards to your sister",
        "D4\nRuth",
        "Cheers, Sam",
        "I think so too.\nSam",
    ],
)
def test_words_keep_their_closing(text: str) -> None:
    """With anything else that is said a closing stays where it is."""
    lines = tuple(text.split("\n"))
    assert without_closing(lines, NAMES) == lines


def table() -> tuple[Person, Person]:
    """Sam, who has black and signs with his whole name, and Ruth, in a game."""
    gateway = Gateway()
    sam = gateway.person("Sam Whitfield", "sam@players.example")
    ruth = gateway.person("Ruth")
    gateway.start(sam, ruth, "9x9 as black estimates")
    return sam, ruth


@pytest.mark.parametrize("command", ["show", "score", "export"])
def test_a_closing_is_mailed_to_nobody(command: str) -> None:
    """Not below what is only asked of us, however often a day; nor is it a reason to refuse."""
    sam, ruth = table()
    told = len(ruth.letters())
    for _ in range(4):
        outcome = sam.reply(f"{command}\n\nWith kind regards,\nSam Whitfield")
        assert outcome.event == "accepted"
    assert len(ruth.letters()) == told


def test_a_signed_move_says_nothing() -> None:
    """The other player reads of the move alone."""
    sam, ruth = table()
    sam.reply("D4\n\nSam")
    assert ruth.newest().notice.kind is Kind.YOUR_TURN
    assert sam.gateway.game().chat == ()


def test_a_proposal_that_is_only_signed_says_nothing() -> None:
    """There are no words with it for whoever is invited."""
    sam, ruth = table()
    sam.reply(f"new 9x9 vs {ruth.address}\n\nBest wishes,\nSam")
    assert sam.gateway.game(2).spec.words == ""
