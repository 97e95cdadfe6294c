"""Passes that end a game without a word of agreement, as the letters tell them."""

from __future__ import annotations

import pytest

from godaemon.games import commands as cmd
from godaemon.games.model import Seat
from godaemon.rules.points import Size
from tests.support.played_games import PlayedGames, Posted


def started(rules: str) -> PlayedGames:
    """A game of one move each; its letters are out."""
    made = PlayedGames()
    made.start(cmd.Propose("bob@players.example", Size(9, 9), rules=rules))
    made.play("E5 C3")
    made.letters()
    return made


def first_line(letters: list[Posted], kind: str, to: str) -> str:
    """What a letter begins with."""
    (found,) = (one for one in letters if one.kind == kind and to in str(one.letter["To"]))
    return " ".join(found.text.split("\n\n")[0].split())


@pytest.mark.parametrize("rules", ["aga", "bga", "ing"])
def test_four_passes(rules: str) -> None:
    """Who resumes is told what passing means from now on, and both how it ended."""
    made = started(rules)
    made.play("pass")
    line = first_line(made.letters(), "your-turn", "bob")
    assert "One more pass and you count." in line
    made.play("pass")
    made.letters()
    made.act(Seat.BLACK, cmd.Resume())
    line = first_line(made.letters(), "your-turn", "alice")
    assert "2 passes in a row now end the game, with every stone alive" in line
    made.play("pass")
    line = first_line(made.letters(), "your-turn", "bob")
    assert "One more pass and the game is over, with every stone on the board alive." in line
    made.play("pass")
    letters = made.letters()
    assert [one.kind for one in letters] == ["finished", "finished"]
    line = first_line(letters, "finished", "alice")
    assert "Bob passed (move 6). So every stone on the board is alive. Bob (White) wins" in line


def test_nothing_comes_off_under_tromp_taylor() -> None:
    """Two passes are enough, and the first one says so."""
    made = started("tromp-taylor")
    made.play("pass")
    line = first_line(made.letters(), "your-turn", "bob")
    assert "One more pass and the game is over, with every stone on the board alive." in line
    made.play("pass")
    assert {one.kind for one in made.letters()} == {"finished"}


def test_three_passes() -> None:
    """Where three passes stop play, the first two do not say that the next one does."""
    made = started("japanese passes=3")
    made.play("pass")
    line = first_line(made.letters(), "your-turn", "bob")
    assert "2 more passes stop play." in line
    made.play("pass")
    line = first_line(made.letters(), "your-turn", "alice")
    assert "One more pass and you count." in line


def test_rules_are_told_with_what_is_different() -> None:
    """The facts of every letter name the rules, and each thing that the players changed."""
    made = started("chinese ko=situational suicide=yes")
    made.play("D4")
    text = " ".join(made.letters()[-1].text.split())
    assert "Chinese rules with ko=situational and suicide=yes)" in text
