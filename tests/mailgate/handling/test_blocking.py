"""Who is left in peace, and by whom: `block`, `unblock`, and the button of the mail program."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from godaemon.games.notices import Kind
from mailgate.letters.compose import Composer
from mailgate.letters.letter_data import load_letter_data
from tests.support.gateway import ADDRESS, KEY, Gateway, Person
from tests.support.letters import parsed, part


def invited(gateway: Gateway, proposer: str = "Alice") -> tuple[Person, Person]:
    """Somebody has invited Bob."""
    alice, bob = gateway.person(proposer), gateway.person("Bob")
    alice.write(f"new 9x9 vs {bob.address}")
    alice.reply("yes", to=alice.newest(Kind.CONFIRM))
    return alice, bob


def invitations(bob: Person) -> int:
    return len(bob.letters(Kind.INVITATION))


def test_the_unsubscribe_button() -> None:
    """The letter that a mail program sends for it, as it is filled in, shuts everybody out."""
    gateway = Gateway()
    _, bob = invited(gateway)
    due = bob.newest(Kind.INVITATION)
    matter = gateway.writer.run_sync(lambda unit: load_letter_data(unit, due))
    letter = parsed(Composer(KEY, ADDRESS, "Go by mail", invitation_days=14).compose(matter).raw)
    found = re.fullmatch(r"<(mailto:[!-;=?-~]+)>", letter["List-Unsubscribe"])
    assert found
    link = urlsplit(found[1])
    query = parse_qs(link.query)
    assert bob.write(query["body"][0], to=unquote(link.path), in_reply_to="").event == "accepted"
    invited(gateway, "Carol")
    assert invitations(bob) == 1
    assert "block all" in part(letter, "plain")


def test_nobody_learns_by_a_block_whose_an_address_is() -> None:
    """Where two met by name a right guess is answered as a wrong one is, in all that we write."""
    told = []
    for guess in ("dave@players.example", "nobody@players.example"):
        gateway = Gateway()
        alice, dave = gateway.person("Alice"), gateway.person("Dave")
        dave.write("new 9x9 open")
        dave.reply("yes", to=dave.newest(Kind.CONFIRM))
        alice.write("take 1")
        alice.reply("take 1")
        alice.reply(f"block {guess}", to=alice.newest(Kind.STARTED))
        answer = part(alice.read(), "plain")
        alice.reply("export", to=alice.newest(Kind.STARTED))
        blocks = alice.newest(Kind.EXPORT).notice.about["blocks"]
        told.append((answer.replace(guess, "GUESS"), blocks))
    assert told[0] == told[1]
    assert told[0][1] == ["somebody else"]


@pytest.mark.parametrize("line", ["move me to {}", "move me to {} everywhere", "new 9x9 vs {}"])
def test_nobody_learns_whose_an_address_is_by_inviting_or_moving_there(line: str) -> None:
    """Where two met by name a right guess is answered as a wrong one is."""
    told = []
    for guess in ("seven@players.example", "eight@players.example"):
        gateway = Gateway()
        alice, dave = gateway.person("Alice"), gateway.person("Dave", "seven@players.example")
        dave.write("new 9x9 open")
        dave.reply("yes", to=dave.newest(Kind.CONFIRM))
        alice.write("take 1")
        alice.reply("take 1")
        event = alice.reply(line.format(guess), to=alice.newest(Kind.STARTED)).event
        answer = part(alice.read(), "plain").replace(guess.partition("@")[0], "GUESS")
        told.append((event, answer))
    assert told[0] == told[1]
    assert "Dave" not in told[0][1]
