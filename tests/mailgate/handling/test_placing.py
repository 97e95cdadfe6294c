"""Handicap stones that Black places by letter: what is read, what is written."""

from __future__ import annotations

import pytest

from godaemon.games import commands as cmd
from godaemon.games.model import Seat
from godaemon.games.notices import Kind
from godaemon.rules.points import Point, Size, parse_point
from mailgate.language.parser import parse_text
from tests.support.gateway import Gateway
from tests.support.played_games import PlayedGames

GAME = cmd.Propose("bob@players.example", Size(9, 9), rules="chinese", handicap=3)
STONES = tuple(map(parse_point, ("D4", "Q16", "C10")))


@pytest.mark.parametrize(
    "letter",
    [
        *("place D4 Q16 C10", "Place d4, q16 and c10.", "place stones at D4, Q16, C10"),
        *("place my handicap stones on d4 q16 c10", "place: D4 Q16 C10"),
    ],
)
def test_stones_are_named_on_one_line_or_more(letter: str) -> None:
    """As people list points, and as mail programs break long lines."""
    (spoken,) = parse_text(letter.split("\n")).commands
    assert spoken.command == cmd.Place(STONES)


@pytest.mark.parametrize("line", ["place stars", "place on the star points", "place hoshi"])
def test_the_star_points_by_name(line: str) -> None:
    """Without any point."""
    (spoken,) = parse_text([line]).commands
    assert spoken.command == cmd.Place(())


@pytest.mark.parametrize("letter", ["place", "place i4 d4", "place d4 q99", "place d4 soon"])
def test_what_is_no_list_of_points_is_refused(letter: str) -> None:
    """Nothing is placed by half, and nothing is told."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob, "9x9 handicap 3 chinese as black")
    assert alice.reply(letter).event == "refused"
    assert gateway.game().chat == ()
    assert alice.reply("place stars").event == "accepted"


def test_a_sentence_is_no_command() -> None:
    """Words about places are words."""
    for line in ("Place your bets on who wins!", "places like this are nice", "placed well, Bob"):
        assert not parse_text([line]).commands


def test_a_game_by_replies_alone() -> None:
    """The first letter says what to send; the stones are told to White, who moves."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    alice.write("new 9x9 rules chinese handicap 3 as black vs bob@players.example")
    alice.reply("yes")
    bob.reply("accept")
    assert alice.reply("E5").event == "refused"
    assert bob.reply("E5").event == "refused"
    assert alice.reply("place E5 A1").event == "refused"
    assert alice.reply("place E5 A1 J9\nHave a good game!").event == "accepted"
    assert bob.newest().notice.kind is Kind.YOUR_TURN
    assert gateway.game().chat[0].text == "Have a good game!"
    assert bob.reply("D4").event == "accepted"
    assert alice.reply("C3").event == "accepted"
    assert gateway.game().position.board.color(Point(8, 8)) is not None


def test_the_letters() -> None:
    """Black is told how, with a line to send back and no board to click; White what was placed."""
    games = PlayedGames()
    games.start(GAME)
    letters = {str(one.letter["To"]): one for one in games.letters() if one.kind == "started"}
    (mine,) = [one for to, one in letters.items() if "alice" in to]
    (theirs,) = [one for to, one in letters.items() if "bob" in to]
    told = " ".join(mine.text.split())
    assert "Place your 3 handicap stones" in told
    assert "place C3 G7 C7" in told
    assert "place stars" in told
    assert "body=D4" not in mine.html
    assert "Black places the handicap stones first" in " ".join(theirs.text.split())
    games.act(Seat.BLACK, cmd.Place((Point(4, 4), Point(0, 0), Point(8, 8))))
    told_white = next(one for one in games.letters() if one.kind == "your-turn")
    first = told_white.text.splitlines()[0]
    assert first.startswith("Alice placed the 3 handicap stones: E5, A1, J9.")
    games.play("D4 C3")
    assert all(one.text for one in games.letters())
