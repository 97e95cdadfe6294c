"""Closings below commands are no message, with or without a name."""

import pytest

from godaemon.games.notices import Kind
from mailgate.language.closings import strip_closing, strip_contact, strip_signature
from tests.support import places
from tests.support.blocks import read_lines
from tests.support.gateway import Gateway, Person

NAMES = ("Sam Whitfield", "sam")
TABLES = read_lines(places.DATA / "closings.txt").values()
CLOSINGS, WITH_WORDS, DIVIDED, SIGNATURES, ADDRESSES = TABLES


@pytest.mark.parametrize("closing", CLOSINGS)
def test_a_closing_below_commands_is_removed(closing: str) -> None:
    """Below any lines that are no message."""
    for command in ("show", "D4", "I play D4.", "Dear Ruth,\nD4", "note too big"):
        lines = command.split("\n")
        assert strip_closing([*lines, "", *closing.split("\n")], NAMES) == tuple(lines)


@pytest.mark.parametrize("text", WITH_WORDS)
def test_a_closing_below_a_message_is_kept(text: str) -> None:
    """With anything else that is said a closing stays where it is."""
    lines = tuple(text.split("\n"))
    assert strip_closing(lines, NAMES) == lines


@pytest.mark.parametrize("text", DIVIDED)
def test_a_signature_is_no_wish(text: str) -> None:
    """But commands and sentences below a name may be."""
    above, _, below = text.partition("\n--")
    assert strip_signature((above + below).split("\n"), NAMES) == tuple(above.split("\n"))


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("D4\nThanks\nWait", "refused"),
        ("D4\nThanks\nOr E5", "refused"),
        ("resign\nThanks\nKidding", "refused"),
        ("投了\nよろしく\n冗談です", "refused"),
        ("D4\nNice to play!\n\nBest,\nSam Black\nHead of Sales, Example Ltd.", "accepted"),
    ],
)
def test_a_last_line_may_doubt_the_first(text: str, event: str) -> None:
    """Also below a closing; a name there holds no words back."""
    sam, _ = table()
    assert sam.reply(text).event == event
    chat = [one.text for one in sam.gateway.game().chat]
    assert chat == (["Nice to play!\n\nBest,\nSam Black"] if event == "accepted" else [])


@pytest.mark.parametrize("signature", SIGNATURES)
def test_contact_data_below_a_name_are_removed(signature: str) -> None:
    """A telephone, a street, a company; below a move or a message."""
    lines = ["D4", "", *signature.split("\n")]
    assert strip_closing(strip_contact(lines, NAMES), NAMES) == ("D4",)
    kept = strip_contact(["D4", "Nice move!", *lines[1:]], NAMES)
    assert kept[:2] == ("D4", "Nice move!")
    assert not any(digit in "".join(kept[2:]) for digit in "123567890")


def test_contact_data_below_a_longer_name_are_removed() -> None:
    """The name itself may be part of a message."""
    lines = ["D4", "", "Sam Whitfield", "D4 Consulting", "Tel. 01225 12345"]
    assert strip_contact(lines, ["Sam"]) == ("D4", "", "Sam Whitfield")


@pytest.mark.parametrize("text", ADDRESSES)
def test_sentences_with_addresses_are_kept(text: str) -> None:
    """Whatever number or street is in them."""
    lines = ("D4", "", *text.split("\n"))
    assert strip_contact(lines, NAMES) == lines


def test_a_signature_is_not_passed_on() -> None:
    """The text above and below it is."""
    sam, _ = table()
    sam.reply("D4\nNice to play!\n\nBest,\nSam Whitfield\nTel. 01225 12345\nPS: it snows")
    [message] = sam.gateway.game().chat
    assert "01225" not in message.text
    assert message.text.startswith("Nice to play!")
    assert message.text.endswith("PS: it snows")


def table() -> tuple[Person, Person]:
    """Sam, who has black and signs with his whole name, and Ruth, in a game."""
    gateway = Gateway()
    sam = gateway.person("Sam Whitfield", "sam@players.example")
    ruth = gateway.person("Ruth")
    gateway.start(sam, ruth, "9x9 as black estimates")
    return sam, ruth


def test_a_closing_alone_is_not_passed_on() -> None:
    """Not below a query, however often a day, nor below a move or a proposal."""
    sam, ruth = table()
    count = len(ruth.letters())
    for command in ("show", "show", "show", "show", "score", "export"):
        outcome = sam.reply(f"{command}\n\nWith kind regards,\nSam Whitfield")
        assert outcome.event == "accepted"
    assert len(ruth.letters()) == count
    sam.reply("D4\n\nSam", to=sam.newest(Kind.STARTED))
    assert ruth.newest().notice.kind is Kind.YOUR_TURN
    assert sam.gateway.game().chat == ()
    sam.reply(f"new 9x9 vs {ruth.address}\n\nBest wishes,\nSam")
    assert sam.gateway.game(2).spec.words == ""


@pytest.mark.parametrize(
    "letter",
    [
        ("E7", "Alice", "www.youtube.com/watch?v=abc"),
        ("E7", "My new number:", "Alice", "0171 555 6677"),
        ("E7", "Alice", "3 Kings Park Road", "Meet There Tomorrow"),
        ("E7", "Love to Alice", "www.gokgs.com"),
    ],
)
def test_text_below_a_name_is_kept(letter: tuple[str, ...]) -> None:
    """It resembles an address, but may be the purpose of the letter."""
    assert strip_contact(letter, ["Alice"])[-1] == letter[-1]
