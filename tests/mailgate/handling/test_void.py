"""No result after a long cycle, as letters: the offer, the question, the answer, the end."""

from __future__ import annotations

from godaemon.games import commands as cmd
from godaemon.games.model import Seat
from godaemon.records import sgf_read
from godaemon.rules.points import Size
from tests.support.boards import TRIPLE_KO_CYCLE, TRIPLE_KO_MOVES
from tests.support.gateway import Gateway, Person
from tests.support.played_games import PlayedGames, Posted

GAME = cmd.Propose("bob@players.example", Size(4, 9))


def cycled() -> PlayedGames:
    """A triple ko that has gone round twice; all letters before the last move are out."""
    made = PlayedGames()
    made.start(GAME)
    moves = f"{TRIPLE_KO_MOVES} {TRIPLE_KO_CYCLE} {TRIPLE_KO_CYCLE}".split()
    made.play(" ".join(moves[:-1]))
    assert not any("third time" in one.text for one in made.letters())
    made.play(moves[-1])
    return made


def by_reader(letters: list[Posted]) -> dict[str, Posted]:
    """The letters, each by whom it is for."""
    return {str(one.letter["To"]).partition("@")[0].rpartition("<")[2]: one for one in letters}


def test_the_offer_and_the_end() -> None:
    """The third time is told; one word asks the other player, and the second ends it."""
    made = cycled()
    offers = by_reader(made.letters())
    assert {name: one.kind for name, one in offers.items()} == {
        "bob": "moved",
        "alice": "your-turn",
    }
    for offer in offers.values():
        assert "has come up for the third time" in " ".join(offer.text.split())
        assert "reply: void" in " ".join(offer.text.split())
        assert "receipt" not in offer.text
    made.act(Seat.WHITE, cmd.Void())
    asked = by_reader(made.letters())
    assert {one.kind for one in asked.values()} == {"void"}
    assert asked["alice"].text.startswith("Bob offers to end game 1 without a result")
    assert asked["bob"].text.startswith("You have offered to end game 1 without a result")
    assert "has come up" not in asked["alice"].text
    made.act(Seat.WHITE, cmd.Void())
    assert [one.kind for one in made.letters()] == ["void"]
    made.act(Seat.BLACK, cmd.Void())
    ends = made.letters()
    assert {one.kind for one in ends} == {"finished"}
    for one in ends:
        assert "The game has no result." in " ".join(one.text.split())
        assert "resigned" not in one.text
        (attached,) = one.letter.iter_attachments()
        assert sgf_read.read(attached.get_content()).result == "Void"


def test_by_replies_alone() -> None:
    """The word is a command like any other, and the next move answers it."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    alice.write("new 4x9 as black vs bob@players.example")
    alice.reply("yes")
    bob.reply("accept")
    players = [alice, bob]
    for number, word in enumerate(f"{TRIPLE_KO_MOVES} {TRIPLE_KO_CYCLE} {TRIPLE_KO_CYCLE}".split()):
        assert players[number % 2].reply(word).event == "accepted", word
        if number == 5:
            assert bob.reply("void").event == "accepted"
    assert alice.reply("no result").event == "accepted"
    assert gateway.game().voiding
    assert bob.reply("void").event == "accepted"
    assert gateway.game().result == "Void"


def offered() -> tuple[Gateway, Person, Person]:
    """A game that Bob offers to end without a result."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    gateway.play(alice, bob, "D4 E5 F6 C3")
    assert bob.reply("void").event == "accepted"
    return gateway, alice, bob
