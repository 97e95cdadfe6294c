"""A GUI against a person at a mail program: what it shows is not mailed to its own player."""

from __future__ import annotations

import pytest

from tests.support.daemon import LiveDaemon
from tests.support.gui import Gui
from tests.support.mailgame import begin, recorded, word
from tests.support.players import MailPlayer

MOVES = [word(move) for move in recorded("nine-lines-ko").moves[:12]]


def sit_down(daemon: LiveDaemon) -> Gui:
    """Alice's GUI, in her seat."""
    gui = Gui(daemon.gtp("--game", "1", "--as", "black"))
    for line in ("boardsize 9", "clear_board"):
        gui.ask(line)
    return gui


def play(gui: Gui, bob: MailPlayer, moves: list[str]) -> None:
    """Moves of both, to one of Bob's, which the GUI has shown."""
    for mine, theirs in zip(moves[::2], moves[1::2], strict=True):
        gui.ask(f"play black {mine}")
        gui.send("genmove white")
        bob.expect("your-turn")
        bob.reply(theirs)
        assert gui.answer() == f"= {theirs}"


@pytest.fixture
def game(daemon: LiveDaemon, alice: MailPlayer, bob: MailPlayer) -> int:
    """A game in which Alice is to move."""
    return begin(alice, bob, "9x9 komi 6.5")


@pytest.mark.usefixtures("game")
def test_a_game_at_a_gui(daemon: LiveDaemon, alice: MailPlayer, bob: MailPlayer) -> None:
    """Not a letter comes while it is played, one when the GUI is closed, and then the result."""
    before = alice.kinds()
    with sit_down(daemon) as gui:
        play(gui, bob, MOVES)
        assert alice.kinds() == before
    alice.expect("your-turn")
    alice.reply("resign")
    alice.expect("finished")
    assert alice.kinds() == [*before, "your-turn", "finished"]


@pytest.mark.usefixtures("game")
def test_a_daemon_that_dies(daemon: LiveDaemon, alice: MailPlayer, bob: MailPlayer) -> None:
    """After its next start the turn that the GUI had shown is owed, once."""
    with sit_down(daemon) as gui:
        play(gui, bob, MOVES[:2])
        daemon.kill()
        daemon.start()
        alice.expect("your-turn")
    assert alice.kinds().count("your-turn") == 1
