"""`review`: a look back on a game by letter, when it is over, for its players alone."""

from __future__ import annotations

import asyncio

import pytest
from bs4 import BeautifulSoup

from godaemon.games import commands as cmd
from godaemon.games.notices import Kind
from godaemon.texts.catalogue import retold
from mailgate.language.parser import parse_text
from mailgate.letters.letter_data import LetterData, load_letter_data, with_review
from tests.support.gateway import Gateway, Person
from tests.support.letters import parsed, part
from tests.support.played_games import composer

GAME = "E5 C3 C7 G3 A1 G7"
FOUND = """leads 0.5 0.2 0.4 0.3 0.3 -8.4 -8.2
chances 0.51 0.49 0.52 0.51 0.51 0.04 0.02
expected black 2 3
expected white 1 3
good 4 white G3
mistake 5 black 8.7 0.47 - A1 E3 E7 pass"""


class Table:
    """A game of Alice's, who has black, with Bob."""

    def __init__(self, moves: str = GAME, terms: str = "9x9 as black") -> None:
        self.gateway = Gateway()
        self.alice, self.bob = self.gateway.person("Alice"), self.gateway.person("Bob")
        self.gateway.start(self.alice, self.bob, terms)
        self.gateway.play(self.alice, self.bob, moves)

    def ask(self, who: Person, text: str = "review") -> list[tuple[str, str]]:
        """Who is told what when somebody writes that."""
        before = len(self.gateway.outbox)
        who.reply(text)
        return self.gateway.told(before)

    def data(self) -> LetterData:
        """What the letter that is owed last is written from."""
        return load_letter_data(self.gateway._look(), self.gateway.outbox[-1])


def letter(table: Table, found: str | None, form: str = "plain") -> str:
    """The last letter with what the player found."""

    async def look(_: object) -> str | None:
        return found

    return part(parsed(composer().compose(asyncio.run(with_review(table.data(), look))).raw), form)


def test_while_the_game_is_on_it_would_be_advice() -> None:
    """Nobody gets it, however they ask, and the answer says when they will."""
    table = Table()
    for who in (table.alice, table.bob):
        assert table.ask(who) == [(who.name.casefold(), "refused")]
        assert "I give no advice" in retold(who.newest().notice.about["reason"])


def test_when_it_is_over_the_asker_gets_it() -> None:
    """The other does not; how it went, what was good, what it cost, and what was better."""
    table = Table()
    table.alice.reply("resign")
    assert table.ask(table.bob) == [("bob", "review")]
    text = " ".join(letter(table, FOUND).split())
    assert "Move 5 decided the game for White" in text
    assert "Well found, and I hadn't seen it: your G3 (move 4)." in text
    assert "first choice" not in text, "of less than half of Bob's moves"
    assert "1 move to learn from" in text
    assert "Move 5, A1 by Black, lost about 9 points and the lead. Better: E3" in text


def test_who_asks_is_praised_for_what_they_had_in_mind() -> None:
    """Where it was half of their moves or more; nobody is told that it was few."""
    table = Table()
    table.alice.reply("resign")
    table.ask(table.alice)
    assert "2 of your 3 moves were my first choice." in letter(table, FOUND)


@pytest.mark.parametrize(
    ("chances", "story"),
    [
        ("0.5 0.6 0.4 0.5", "It was close from the first move to the last."),
        ("0.7 0.7 0.6 0.8", "Black was ahead from the start, but the game stayed open to the end."),
        ("0.5 0.7 0.3 0.7", "From move 3 on, Black stayed ahead, but the game stayed open"),
        ("0.96 0.97 0.99 0.99", "Black was far ahead from the first move to the last."),
    ],
)
def test_the_game_in_a_sentence(chances: str, story: str) -> None:
    """Who was ahead since when, and since when nothing could change it."""
    table = Table()
    table.alice.reply("resign")
    table.ask(table.alice)
    text = letter(table, f"leads 0 0 0 0\nchances {chances}")
    assert story in " ".join(text.split())


@pytest.mark.parametrize(
    ("mistake", "words"),
    [
        ("2 white 13 0.02 - C3 E3", "lost about 13 points, but the game was decided by then"),
        ("2 white 9.0 0.02 E5 C3 E3", "It kills the stones around E5."),
        ("3 black 9.0 0.02 E5 C7 E3", "It saves the stones around E5."),
        ("2 white 1.4 0.02 - C3 E3", "I'd prefer E3 (1)."),
        ("2 white 13 0.02 - C3 C7", "Better: C7 (1). Black played there at once"),
        ("2 white 13 0.02 - C3 pass", "Better: a pass."),
        ("2 white 13 0.02 - C3 D5", "Better: D5 (1)."),
    ],
)
def test_what_is_said_of_a_move(mistake: str, words: str) -> None:
    """What it meant for the game, and what the better one does, where that can be said."""
    table = Table()
    table.alice.reply("resign")
    table.ask(table.alice)
    found = f"leads 9 9 9 9 9 9 9\nchances 0.9 0.9 0.9 0.9 0.9 0.9 0.9\nmistake {mistake}"
    assert words in " ".join(letter(table, found).split())


def test_stones_that_a_better_move_takes_are_counted() -> None:
    """In atari, they were overlooked."""
    table = Table("A2 A1 E5 E6")
    table.alice.reply("resign")
    table.ask(table.alice)
    found = "leads 0 0 0 0 0\nchances 0.5 0.5 0.5 0.5 0.1\nmistake 3 black 9 0.4 - E5 B1"
    assert "Better: B1 (1). It takes 1 stone." in " ".join(letter(table, found).split())


def test_the_board_is_drawn_as_it_stood_then() -> None:
    """The move is marked, the better one and what follows are numbered, in text and HTML."""
    table = Table()
    table.alice.reply("resign")
    table.ask(table.alice)
    board = """\
   A B C D E F G H J
6  . . . . . . . . .  6
5  . . . . X . . . .  5
4  . . . . . . . . .  4
3  . . O . 1 . O . .  3
2  . . . . . . . . .  2
1 (X). . . . . . . .  1
   A B C D E F G H J"""
    assert board in letter(table, FOUND)
    page = BeautifulSoup(letter(table, FOUND, "html"), "html.parser")
    (drawn,) = page.find_all("table", class_="gb")
    assert drawn["aria-label"] == "Part of a Go board: move played A1, 1 at E3"
    assert [one.get_text() for one in drawn.find_all("td", class_="b")] == ["●", "1", "◉"]
    assert "A1 by Black (you)" in letter(table, FOUND)


def test_moves_of_a_record_are_nobodys() -> None:
    """A game that goes on from one is looked back on from there: its players made no other move."""
    table = Table("")
    table.alice.write(f"new vs {table.bob.address}\n9x9 E5b C3w C7b G3w A1b")
    table.alice.reply("yes", to=table.alice.newest(Kind.CONFIRM))
    table.bob.reply("yes")
    table.alice.resign(to=table.alice.newest(Kind.STARTED))
    table.ask(table.bob)
    text = letter(table, FOUND)
    assert "Move 5, " not in text
    assert "Well found" not in text
    assert "first choice" not in text


def test_without_an_answer_it_says_so() -> None:
    """A player's process that fails is no reason to send nothing."""
    table = Table()
    table.alice.reply("resign")
    table.ask(table.alice)
    assert "I can't look back on game 1 just now" in letter(table, None)


def test_a_game_without_mistakes() -> None:
    """Is praised."""
    table = Table()
    table.alice.reply("resign")
    table.ask(table.alice)
    assert "Well played, both of you!" in letter(table, "leads 0.1 0.2\nchances 0.5 0.5")


@pytest.mark.parametrize(
    ("moves", "terms"), [(GAME, "5x9 as black"), ("", "9x9 as black"), ("", "20x20 as black")]
)
def test_what_cannot_be_judged(moves: str, terms: str) -> None:
    """Boards of which the network knows nothing, and games without a move."""
    table = Table("C3" if moves else "", terms)
    table.alice.resign()
    assert table.ask(table.alice) == [("alice", "refused")]
    assert "I cannot look back on game 1" in retold(table.alice.newest().notice.about["reason"])


def test_a_stranger_to_the_game_learns_nothing() -> None:
    """Only its players may ask."""
    table = Table()
    table.alice.reply("resign")
    carol, dave = table.gateway.person("Carol"), table.gateway.person("Dave")
    table.gateway.start(carol, dave, "9x9 as black")
    assert table.ask(carol, "review 1") == [("carol", "refused")]
    assert "You have no game 1" in retold(carol.newest().notice.about["reason"])
    assert table.ask(table.alice, "review 1") == [("alice", "review")]


class TestUnasked:
    """`reviews on`: the end of a game brings a look back on it to who has said so."""

    def test_it_follows_the_end(self) -> None:
        """Behind the result, for who wants it, whoever ended the game; a click ends it."""
        table = Table()
        assert table.ask(table.bob, "reviews on") == [("bob", "settings")]
        told = table.ask(table.alice, "resign")
        assert told == [("alice", "finished"), ("bob", "finished"), ("bob", "review")]
        assert "Move 5, A1" in letter(table, FOUND)
        assert "get no more of these, reply: reviews off everywhere" in " ".join(
            letter(table, FOUND).split()
        )

    def test_it_is_off_until_somebody_says_so(self) -> None:
        """Who asks for one learns how to have one each time, and the end how to ask."""
        table = Table()
        assert table.ask(table.alice, "resign") == [("alice", "finished"), ("bob", "finished")]
        assert "reply: review" in letter(table, None)
        table.ask(table.bob)
        assert "reply: reviews on everywhere" in " ".join(letter(table, FOUND).split())

    def test_in_answer_to_a_game_that_is_over(self) -> None:
        """It holds for all games: this one has no end to come."""
        table = Table()
        table.alice.reply("resign")
        table.ask(table.bob, "reviews on")
        assert "a review of each game when it's over" in " ".join(letter(table, None).split())
        table.gateway.start(table.alice, table.bob, "9x9 as black")
        table.alice.reply("E5")
        assert ("bob", "review") in table.ask(table.bob, "resign")

    @pytest.mark.parametrize("words", ["reviews off", "emails none"])
    def test_it_ends(self, words: str) -> None:
        """By its own word, and for who wants no letters of the game."""
        table = Table()
        table.ask(table.bob, "reviews on")
        table.ask(table.bob, words)
        assert ("bob", "review") not in table.ask(table.alice, "resign")

    def test_a_game_of_which_nothing_is_known(self) -> None:
        """Without a move there is nothing to look back on."""
        table = Table("")
        table.ask(table.bob, "reviews on everywhere")
        assert table.ask(table.alice, "resign") == [("alice", "finished"), ("bob", "finished")]

    def test_the_settings_show_it(self) -> None:
        """With what changes it."""
        table = Table()
        table.ask(table.bob, "settings")
        assert "reviews on" in letter(table, None)


def test_only_a_review_needs_one() -> None:
    """No other letter waits for it."""
    table = Table()

    async def never(_: object) -> str:
        raise AssertionError

    assert asyncio.run(with_review(table.data(), never)) == table.data()
    assert table.gateway.outbox[-1].notice.kind is Kind.YOUR_TURN


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("review", cmd.Review()),
        ("review 12", cmd.Review(12)),
        ("review game 12", cmd.Review(12)),
        ("Review the game", cmd.Review()),
        ("reviews on", cmd.Reviews(wanted=True)),
        ("Reviews off everywhere", cmd.Reviews(wanted=False, everywhere=True)),
        ("review on everywhere", cmd.Reviews(wanted=True, everywhere=True)),
    ],
)
def test_how_it_is_asked(line: str, command: cmd.Command) -> None:
    """By the word, with or without a number."""
    assert [one.command for one in parse_text([line]).commands] == [command]
