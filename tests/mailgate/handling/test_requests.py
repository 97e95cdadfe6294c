"""Requests by letter: settings, new games, records, blocks; scenes have the rest."""

from email.message import EmailMessage

import pytest

from godaemon.games import commands as cmd
from godaemon.games.notices import Kind
from godaemon.records.sgf import parse_sgf
from godaemon.texts.catalogue import sentence_from_json
from mailgate.handling.parsed_letter import parse_letter
from mailgate.language.parser import parse_text
from mailgate.language.verb_table import verbs
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.gateway import Gateway, Person, started
from tests.support.letters import html
from tests.support.mailto import button_clicks

SET = [
    example
    for entry in verbs().values()
    for example in entry.examples
    if isinstance(parse_text([example]).commands[0].command, cmd.Setting | cmd.Export)
    and example != "settings"
]


@pytest.mark.parametrize("line", [*SET, "digest at 21:30", "emails daily at 8"])
def test_a_setting_in_a_new_email_needs_one_reply(line: str) -> None:
    """The answer has the line to reply with."""
    dora = Gateway().person("Dora")
    assert dora.write(line).event == "refused"
    assert f"`{line}`" in sentence_from_json(dora.newest(Kind.REFUSED).notice.about["reason"])
    assert dora.reply(line).event == "accepted"
    assert dora.newest().notice.kind in (Kind.SETTINGS, Kind.EXPORT)


def test_settings_outside_a_game_offer_working_clicks() -> None:
    """For their reader alone."""
    gateway, alice, bob = started()
    gateway.start(bob, alice)
    alice.write("games")
    alice.reply("vacation 2 weeks")
    assert alice.reply("back").event == "accepted"
    assert "Welcome back" in alice.text()
    alice.reply("settings", to=alice.newest(Kind.GAMES))
    shown = alice.newest(Kind.SETTINGS)
    for offer in button_clicks(html(alice.read())):
        assert alice.reply(offer, to=shown).event == "accepted", offer
    gateway.send()
    assert bob.reply("emails none everywhere", to=shown).event == "bad-token"


@pytest.mark.parametrize("name", ["Bob", "BOB", "bob smith", "Smith"])
def test_a_known_opponent_can_be_invited_by_name(name: str) -> None:
    """By any of their names."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    bob = gateway.person("Bob Smith", "bob@players.example")
    gateway.start(alice, bob)
    alice.reply(f"new 13x13 vs {name}")
    assert bob.newest().notice.kind is Kind.INVITATION
    assert gateway.game(2).spec.invited.address == bob.address


def test_an_ambiguous_name_is_asked_back() -> None:
    """A whole name goes before a part of one."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    for name, address in (("Bob Smith", "smith@x.example"), ("Bob Jones", "jones@y.example")):
        gateway.start(alice, gateway.person(name, address))
    alice.reply("new 9x9 komi 5.5 vs bob")
    about = alice.newest(Kind.REFUSED).notice.about
    assert "2 people called “bob”" in sentence_from_json(about["reason"])
    assert about["hints"] == ["new 9x9 komi 5.5 vs Bob Jones", "new 9x9 komi 5.5 vs Bob Smith"]
    gateway.start(alice, gateway.person("Bob", "bob@z.example"))
    alice.reply("new 9x9 vs Bob")
    assert gateway.game(4).spec.invited.address == "bob@z.example"


CORNER = b"(;GM[1]SZ[5]KM[0.5]RU[Chinese]PL[W]AB[bb][cb][db]AW[bc][cc])"


def attached(person: Person, text: str, content: bytes, name: str = "game.sgf") -> EmailMessage:
    letter = person.letter(text)
    letter.add_attachment(content, "application", "octet-stream", filename=name)
    return letter


def test_a_record_is_parsed_before_the_transaction() -> None:
    """Only for a proposal."""
    alice = Gateway().person("Alice")
    for text, is_read in (("new vs bob@players.example", True), ("games", False)):
        letter = bytes(attached(alice, text, CORNER))
        parsed = parse_letter(InboundLetter("go@go.example", alice.address, letter))
        assert (parsed.record == parse_sgf(CORNER)) is is_read


def test_an_encoded_file_name_is_decoded() -> None:
    """As mail programs write other scripts."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    name = "=?utf-8?B?5qOL6LCxLnNnZg==?="
    alice.post(attached(alice, f"new vs {alice.address}", CORNER, name))
    alice.reply("yes")
    assert alice.reply("D3").event == "accepted"


def acquainted(address: str = "dave@players.example") -> Person:
    """Alice, who has met Dave by an open challenge, and does not know his address."""
    gateway = Gateway()
    alice, dave = gateway.person("Alice"), gateway.person("Dave", address)
    dave.write("new 9x9 open")
    dave.reply("yes", to=dave.newest(Kind.CONFIRM))
    alice.write("take 1")
    alice.reply("take 1")
    return alice


def test_a_block_does_not_reveal_an_address() -> None:
    """A right and a wrong guess get the same answer."""
    answers = []
    for guess in ("dave@players.example", "nobody@players.example"):
        alice = acquainted()
        alice.reply(f"block {guess}", to=alice.newest(Kind.STARTED))
        answer = alice.text()
        alice.reply("export", to=alice.newest(Kind.STARTED))
        blocks = alice.newest(Kind.EXPORT).notice.about["blocks"]
        answers.append((answer.replace(guess, "GUESS"), blocks))
    assert answers[0] == answers[1]
    assert answers[0][1] == ["somebody else"]


@pytest.mark.parametrize("line", ["move me to {}", "move me to {} everywhere", "new 9x9 vs {}"])
def test_an_invitation_does_not_reveal_an_address(line: str) -> None:
    """Nor does a move of a seat."""
    answers = []
    for guess in ("seven@players.example", "eight@players.example"):
        alice = acquainted("seven@players.example")
        event = alice.reply(line.format(guess), to=alice.newest(Kind.STARTED)).event
        answers.append((event, alice.text().replace(guess.partition("@")[0], "GUESS")))
    assert answers[0] == answers[1]
    assert "Dave" not in answers[0][1]
