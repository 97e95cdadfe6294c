"""Another game with somebody one knows: `rematch`, `vs Bob`, several at once."""

from __future__ import annotations

import pytest

from godaemon.games import commands as cmd
from godaemon.games.engine_seats import Entrant, Roster
from godaemon.games.model import Game, Phase, Seat
from godaemon.games.notices import Kind
from godaemon.rules.points import Color
from godaemon.texts.catalogue import retold
from mailgate.language.parser import parse_text
from tests.support.gateway import Gateway, Person


class Table:
    """Alice, who has black, has played a game with Bob to its end: she has resigned."""

    def __init__(self, terms: str = "9x9 komi 5.5 rules chinese as black") -> None:
        self.gateway = Gateway()
        self.alice, self.bob = self.gateway.person("Alice"), self.gateway.person("Bob")
        self.gateway.start(self.alice, self.bob, terms)
        self.alice.resign()

    def again(self, who: Person | None = None, text: str = "rematch") -> Game:
        """The game that somebody's answer to the end of the first proposes."""
        (who or self.alice).reply(text, to=(who or self.alice).newest(Kind.FINISHED))
        return self.gateway.game(2)


def reason(who: Person) -> str:
    """Why somebody was refused last."""
    return retold(who.newest(Kind.REFUSED).notice.about["reason"])


def hints(who: Person) -> list[str]:
    """What they were told would work."""
    return list(who.newest(Kind.REFUSED).notice.about["hints"])


def test_everybody_is_called_as_they_are_known() -> None:
    """By the name that they play under, where an address alone is written; each reader is `you`."""
    table = Table()
    table.alice.write("new 9x9 as black vs bob@players.example")
    assert table.gateway.game(2).spec.invited.name == "Bob"
    assert "Black for you, White for Bob" in str(table.alice.read().get_body(("plain",)))
    table.alice.reply("yes")
    assert "Black for Alice, White for you" in str(table.bob.read().get_body(("plain",)))
    stranger = table.gateway.person("Carol")
    stranger.write("new 9x9 as black vs bob@players.example")
    assert table.gateway.game(3).spec.invited.name == "bob"


def test_a_rematch_that_the_other_has_offered_instead() -> None:
    """Whose offer waits is seen by the last one: `rematch` is a yes to it, or is asked already."""
    table = Table()
    table.alice.reply("new 13x13 rules chinese as white vs bob@players.example")
    if table.gateway.game(2).confirmed is False:
        table.alice.reply("yes", to=table.alice.newest(Kind.CONFIRM))
    offer = table.bob.newest(Kind.INVITATION)
    assert table.bob.reply("accept but 9x9 komi 5.5", to=offer).event == "accepted"
    table.bob.reply("rematch", to=table.bob.newest(Kind.FINISHED))
    assert "You have asked for that already: game 2 is waiting for Alice." in reason(table.bob)
    table.alice.reply("rematch\n\nGladly!", to=table.alice.newest(Kind.FINISHED))
    game = table.gateway.game(2)
    assert (game.phase, str(game.spec.size)) == (Phase.PLAYING, "9x9")
    assert "Gladly!" in [one.text for one in game.chat]


@pytest.mark.parametrize("text", ["rematch", "Rematch?", "play again", "another game", "revanche"])
def test_the_same_game_with_colours_exchanged(text: str) -> None:
    """On the same terms, once the other has said yes; the words go along with the proposal."""
    table = Table()
    game = table.again(text=f"{text}\n\nThat was fun!")
    assert (str(game.spec.size), game.spec.rules, game.spec.komi) == ("9x9", "chinese", 5.5)
    assert (game.phase, game.spec.words) == (Phase.PROPOSED, "That was fun!")
    assert table.bob.newest().notice.kind is Kind.INVITATION
    table.bob.reply("yes")
    game = table.gateway.game(2)
    assert game.player(Seat.BLACK).address == table.bob.address
    assert "That was fun!" in str(table.bob.read().get_body(("plain",)))


def test_handicap_stones_stay_whose_they_are() -> None:
    """They are given to the weaker player, who has not changed."""
    table = Table("19x19 handicap 3 as black")
    game = table.again(table.bob)
    table.alice.reply("yes", to=table.alice.newest(Kind.INVITATION))
    game = table.gateway.game(2)
    assert game.spec.handicap == 3
    assert game.player(Seat.BLACK).address == table.alice.address


def test_both_ask_for_it() -> None:
    """The second wish is a yes to the first; nobody is asked twice, and there is one game."""
    table = Table()
    table.again()
    table.bob.reply("rematch\n\nGladly!", to=table.bob.newest(Kind.FINISHED))
    game = table.gateway.game(2)
    assert game.phase is Phase.PLAYING
    assert [chat.text for chat in game.chat] == ["Gladly!"]
    assert len(table.alice.letters(Kind.INVITATION)) == 0


def test_it_is_asked_for_once() -> None:
    """Who asks again hears that the other has not answered yet."""
    table = Table()
    table.again()
    table.alice.reply("rematch", to=table.alice.newest(Kind.FINISHED))
    assert "game 2 is waiting for Bob" in reason(table.alice)
    table.bob.reply("no", to=table.bob.newest(Kind.INVITATION))
    table.alice.reply("rematch", to=table.alice.newest(Kind.FINISHED))
    assert table.gateway.game(3).phase is Phase.PROPOSED


def test_not_before_the_end() -> None:
    """In a game that goes on there is nothing to play again yet."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    alice.reply("rematch")
    assert "is not over yet" in reason(alice)
    assert "confirm" not in bob.kinds()


def test_by_its_number() -> None:
    """From anywhere, where somebody says yes to having asked."""
    table = Table()
    table.alice.write("rematch 1")
    assert table.alice.newest().notice.kind is Kind.CONFIRM
    table.alice.reply("yes")
    assert table.bob.newest().notice.kind is Kind.INVITATION
    eve = table.gateway.person("Eve")
    eve.write("rematch 1")
    assert "You have no game 1" in reason(eve)


def test_of_a_program() -> None:
    """It accepts at once."""
    gateway = Gateway(engines=Roster((Entrant("house"),), 5))
    alice = gateway.person("Alice")
    alice.write("new 9x9 vs house as black")
    alice.reply("yes")
    alice.resign()
    alice.reply("rematch")
    game = gateway.game(2)
    assert game.phase is Phase.PLAYING
    assert game.player(Seat.WHITE).address == alice.address


# -- on other terms ----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "size", "handicap", "komi", "color"),
    [
        (
            "rematch on 13x13, with no handicap, komi 6.5, unrated, I take black",
            *("13x13", 0, 6.5, Color.BLACK),
        ),
        ("rematch but 13x13 and no stones", "13x13", 0, 7.5, Color.BLACK),
        ("rematch 1 komi 0.5 please", "19x19", 3, 0.5, Color.BLACK),
        ("rematch as white", "19x19", 3, 0.5, Color.WHITE),
    ],
)
def test_a_rematch_on_other_terms(
    text: str, size: str, handicap: int, komi: float, color: Color
) -> None:
    """What is named is changed, the usual komi with it; all else is as in the last game."""
    table = Table("19x19 handicap 3 komi 0.5 rules chinese as black")
    spec = table.again(text=text).spec
    assert (str(spec.size), spec.handicap, spec.komi, spec.color) == (size, handicap, komi, color)
    assert (spec.rules, spec.rated, spec.words) == ("chinese", False, "")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("can we play again but on 13x13 and I take white", "rematch 13x13 as white"),
        ("yay i won!! can we play again but on 13x13 and I take white", "rematch 13x13 as white"),
        ("Another game, this time on 13x13?", "rematch 13x13"),
        ("rematch on a bigger board", "rematch 19x19"),
    ],
)
def test_a_sentence_is_answered_with_the_line(text: str, line: str) -> None:
    """What else it says is not understood, so nothing is done; and the other hears nothing."""
    table = Table()
    told = len(table.bob.letters())
    table.alice.reply(text, to=table.alice.newest(Kind.FINISHED))
    assert line in hints(table.alice)
    assert len(table.bob.letters()) == told


def test_words_about_another_game_are_no_terms() -> None:
    """They propose nothing, and wait for their writer, who reads what does."""
    table = Table()
    table.alice.reply("rematch would be nice", to=table.alice.newest(Kind.FINISHED))
    assert "another game with the same player, colours swapped: `rematch`" in reason(table.alice)
    assert len(table.gateway.writer.state.logs) == 1
    assert table.gateway.game().chat == ()


# -- by name -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "opponent"),
    [
        ("9x9 vs Bob", "engine:bob"),
        ("vs Bob Smith 9x9", "engine:bob smith"),
        ('9x9 vs "Bob Smith" japanese', "engine:bob smith"),
        ("9x9 vs bob smith komi 5.5", "engine:bob smith"),
        ("9x9 vs Jürgen Weiß rules new zealand", "engine:jürgen weiss"),
        ("9x9 vs bob new zealand rules", "engine:bob"),
        ("9x9 vs house as white", "engine:house"),
        ("9x9 vs house please", "engine:house"),
    ],
)
def test_a_name_in_a_proposal(text: str, opponent: str) -> None:
    """All its words, and none of the terms that follow."""
    (one,) = parse_text([f"new {text}"]).commands
    assert isinstance(one.command, cmd.Propose)
    assert one.command.opponent == opponent


@pytest.mark.parametrize("name", ["Bob", "BOB", "bob smith", "Smith"])
def test_somebody_played_before(name: str) -> None:
    """By any of their names; whoever is meant is invited as by their address."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    bob = gateway.person("Bob Smith", "bob@players.example")
    gateway.start(alice, bob)
    alice.reply(f"new 13x13 vs {name}")
    assert bob.newest().notice.kind is Kind.INVITATION
    assert gateway.game(2).spec.invited.address == bob.address


def test_two_of_one_name() -> None:
    """Nobody is invited, and the question names both; a whole name goes before a part of one."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    for name, address in (("Bob Smith", "smith@x.example"), ("Bob Jones", "jones@y.example")):
        gateway.start(alice, gateway.person(name, address))
    alice.reply("new 9x9 komi 5.5 vs bob")
    assert "2 people called “bob”" in reason(alice)
    assert hints(alice) == [
        "new 9x9 komi 5.5 vs Bob Jones",
        "new 9x9 komi 5.5 vs Bob Smith",
    ]
    gateway.start(alice, gateway.person("Bob", "bob@z.example"))
    alice.reply("new 9x9 vs Bob")
    assert gateway.game(4).spec.invited.address == "bob@z.example"


def test_nobody_of_that_name() -> None:
    """Who was only invited, or whom somebody else has played, is not known by name."""
    gateway = Gateway()
    alice, bob, eve = (gateway.person(name) for name in ("Alice", "Bob", "Eve"))
    gateway.start(alice, bob)
    eve.write("new 9x9 vs bob")
    assert "you have not played anybody of that name" in reason(eve)
    eve.write("new 9x9 vs alice@players.example")
    eve.reply("yes")
    alice.reply("decline", to=alice.newest(Kind.INVITATION))
    eve.write("new 9x9 vs Alice")
    assert "you have not played" in reason(eve)
    alice.reply("new 9x9 vs Eve", to=alice.newest(Kind.STARTED))
    assert "you have not played" in reason(alice)


def test_several_games_between_the_same_two() -> None:
    """Each by its own letters, colours and moves."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    for color in ("black", "white", "black"):
        gateway.start(alice, bob, f"9x9 as {color}")
    alice.reply("D4", to=alice.letters(Kind.STARTED)[0])
    bob.reply("E5", to=bob.letters(Kind.STARTED)[1])
    alice.write("games")
    alice.reply("3: C3\n2: F6")
    moves = [
        " ".join(str(move.point) for move in gateway.game(number).position.moves)
        for number in (1, 2, 3)
    ]
    assert moves == ["D4", "E5 F6", "C3"]


@pytest.mark.parametrize("terms", ["time 1h each as white", "as black", "komi 0.5 as white"])
def test_a_rematch_is_a_yes_to_the_very_same_game_only(terms: str) -> None:
    """Another time, or the other colour, has been proposed, and not been agreed to."""
    table = Table("9x9 as black")
    table.alice.reply(f"new 9x9 {terms} vs bob", to=table.alice.newest(Kind.FINISHED))
    game = table.again(table.bob)
    assert game.phase is Phase.PROPOSED
    assert table.gateway.game(3).spec.color is Color.BLACK
