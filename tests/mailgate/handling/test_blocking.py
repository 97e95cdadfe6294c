"""Who is left in peace, and by whom: `block`, `unblock`, and the button of the mail program."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from godaemon.games.model import Phase
from godaemon.games.notices import Kind
from godaemon.texts.catalogue import retold
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


def refused(person: Person) -> str:
    """Why a person's last letter was refused; empty where it was not."""
    due = person.newest()
    return retold(due.notice.about["reason"]) if due.notice.kind is Kind.REFUSED else ""


def invitations(bob: Person) -> int:
    """How many invitations Bob has had."""
    return len(bob.letters(Kind.INVITATION))


def test_block_declines_and_keeps_that_proposer_away() -> None:
    """The proposer hears a no, and later that they would rather not; others may still invite."""
    gateway = Gateway()
    alice, bob = invited(gateway)
    assert bob.reply("block").event == "accepted"
    assert gateway.game().phase is Phase.DECLINED
    assert bob.newest().notice.kind is Kind.BLOCKED
    assert alice.newest().notice.kind is Kind.DECLINED
    invited(gateway)
    assert "would rather not be invited" in refused(alice)
    assert invitations(bob) == 1
    invited(gateway, "Carol")
    assert invitations(bob) == 2


def test_news_of_the_no_is_told_once() -> None:
    """Who had declined before, and blocks now, is told of the block alone."""
    for first, told in (("", True), ("decline", False)):
        _, bob = invited(Gateway())
        asked = bob.newest(Kind.INVITATION)
        for line in filter(None, (first, "block")):
            bob.reply(line, to=asked)
        said = part(bob.read(), "plain")
        assert bob.newest().notice.kind is Kind.BLOCKED
        assert ("Game 1 is declined" in said) == told


def test_block_all() -> None:
    """Nobody invites them any more; with `unblock all` everybody may again."""
    gateway = Gateway()
    _, bob = invited(gateway)
    bob.reply("block all")
    invited(gateway, "Carol")
    assert invitations(bob) == 1
    bob.reply("unblock all")
    invited(gateway, "Dan")
    assert invitations(bob) == 2


def test_unblock() -> None:
    """Whoever was shut out may invite again."""
    gateway = Gateway()
    _, bob = invited(gateway)
    bob.reply("block")
    bob.reply("unblock")
    assert bob.newest().notice.about == {"on": False, "everybody": False}
    invited(gateway)
    assert invitations(bob) == 2


@pytest.mark.parametrize("address", ["ALICE@players.example", "Alice+x@players.example"])
def test_other_spellings_are_the_same_person(address: str) -> None:
    """A tag or another case does not get an invitation through."""
    gateway = Gateway()
    _, bob = invited(gateway)
    bob.reply("block")
    mallory = gateway.person("Mallory", address)
    mallory.write("new 9x9 vs BOB+go@players.example")
    mallory.reply("yes", to=mallory.newest(Kind.CONFIRM))
    assert not [due for due in gateway.outbox[5:] if due.notice.kind is Kind.INVITATION]


def test_games_go_on() -> None:
    """`block` during a game concerns invitations only, and its opponent is not told."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    before = len(alice.letters())
    bob.reply("block")
    assert gateway.game().phase is Phase.PLAYING
    assert len(alice.letters()) == before
    assert alice.reply("D4", to=alice.newest(Kind.STARTED)).event == "accepted"


@pytest.mark.parametrize("word", ["block", "block all", "unblock", "unblock all"])
def test_only_ones_own_letter_can_ask(word: str) -> None:
    """Anybody can write Bob's address into From: without a token nothing is changed."""
    gateway = Gateway()
    bob = gateway.person("Bob")
    bob.write(word)
    assert bob.kinds() == [Kind.REFUSED]
    gateway.start(bob, gateway.person("Carol"))
    gateway.wait(hours=25)
    bob.write(word)
    assert gateway.writer.state.blocks == {}
    assert bob.newest().notice.about["meant"] == [word]  # one click, with the seat's token


def test_programs_cannot_be_blocked() -> None:
    """A game that one plays alone has nobody to keep away."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    gateway.start(alice, alice)
    alice.reply("block")
    assert "no other person" in refused(alice)


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


@pytest.mark.parametrize("line", ["Nice blocking move!", "Your block there was strong."])
def test_talk_is_not_a_command(line: str) -> None:
    """Words that come up in games are passed on and not taken for these verbs."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    alice.reply(line, to=alice.newest(Kind.STARTED))
    assert gateway.writer.state.blocks == {}
    assert bob.newest().notice.kind is Kind.CHAT


@pytest.mark.parametrize(
    "line", ["block carol@players.example", "Please block Carol@Players.example"]
)
def test_another_person_is_blocked_by_their_address(line: str) -> None:
    """Nothing of it is told to the opponent at hand, as it once was."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    had = len(bob.letters())
    alice.reply(line, to=alice.newest(Kind.STARTED))
    assert len(bob.letters()) == had
    said = part(alice.read(), "plain")
    assert "no more invitations from carol@players.example" in said.replace("\n", " ").lower()
    carol = gateway.person("Carol")
    carol.write(f"new 9x9 vs {alice.address}")
    carol.reply("yes", to=carol.newest(Kind.CONFIRM))
    assert "would rather not be invited" in refused(carol)
    bob.write(f"new 9x9 vs {alice.address}")
    assert not refused(bob)


def test_a_person_is_blocked_by_the_name_that_one_knows() -> None:
    """The opponent's, or that of somebody one has played with, whose address stays theirs."""
    gateway = Gateway()
    alice, bob, carol = (gateway.person(name) for name in ("Alice", "Bob", "Carol"))
    gateway.start(alice, carol)
    gateway.start(alice, bob)
    for line, who, undo in (
        ("block Bob", "Bob", "unblock  let"),
        ("block Carol please", "Carol", "unblock Carol  let"),
    ):
        assert alice.reply(line, to=alice.newest(Kind.STARTED)).event == "accepted"
        said = part(alice.read(), "plain")
        assert f"no more invitations from {who}, and I won't tell them." in said
        assert undo in said
    assert len(gateway.writer.state.blocks) == 2
    alice.reply("unblock Carol", to=alice.newest(Kind.STARTED))
    assert list(gateway.writer.state.blocks) == [(alice.address, bob.address)]


def test_a_name_that_nobody_has_is_asked_about() -> None:
    """It is not told to the opponent, whose name it may be in other letters."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    had = len(bob.letters())
    alice.reply("block Robert", to=alice.newest(Kind.STARTED))
    assert "You have met nobody called “Robert”" in refused(alice)
    assert len(bob.letters()) == had


def test_an_invitation_is_declined_by_a_block_of_who_sent_it_alone() -> None:
    """Whoever else is named."""
    for line, phase in (
        ("block Alice", Phase.DECLINED),
        ("block alice@players.example", Phase.DECLINED),
        ("block mallory@players.example", Phase.PROPOSED),
    ):
        gateway = Gateway()
        _, bob = invited(gateway)
        bob.reply(line)
        assert gateway.game().phase is phase


@pytest.mark.parametrize(
    "line", ["block carl and dave", "block carl, dave", "block carl@x.example and dave@x.example"]
)
def test_of_several_none_is_blocked(line: str) -> None:
    """One line is about one of them: it is asked back, and the opponent is told nothing."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    had = len(bob.letters())
    alice.reply(line, to=alice.newest(Kind.STARTED))
    assert refused(alice)
    assert len(bob.letters()) == had
    assert gateway.writer.state.blocks == {}


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


def test_an_invitation_by_name_is_not_declined_by_a_guess() -> None:
    """Else the decline would tell that it was right."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    alice.write("new 13x13 vs Bob")
    alice.reply("yes", to=alice.newest(Kind.CONFIRM))
    bob.reply(f"block {alice.address}", to=bob.newest(Kind.INVITATION))
    assert gateway.game(2).phase is Phase.PROPOSED
    bob.reply("block Alice", to=bob.newest(Kind.INVITATION))
    assert gateway.game(2).phase is Phase.DECLINED
