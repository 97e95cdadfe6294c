"""Two GUIs in one game of a real daemon, and moves that cross with letters."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from godaemon.records import sgf
from godaemon.rules.points import Color
from tests.support.daemon import LiveDaemon
from tests.support.gui import Gui
from tests.support.letters import plain
from tests.support.mailgame import begin, dead_stones, recorded, word
from tests.support.players import MailPlayer


class Seats:
    """Both GUIs, each attached to its seat as GUIs do."""

    def __init__(self, daemon: LiveDaemon, number: int, stack: ExitStack) -> None:
        self.guis: dict[Color, Gui] = {}
        for color in Color:
            gui = stack.enter_context(Gui(daemon.gtp("--game", str(number), "--as", color.word)))
            self.guis[color] = gui.attach()

    def __getitem__(self, color: Color) -> Gui:
        return self.guis[color]

    def move(self, color: Color, vertex: str) -> None:
        """One GUI moves and asks for the answer, the other gets the move it has waited for."""
        mover, waiting = self[color], self[color.opponent]
        waiting.send(f"genmove {color.word}")
        mover.ask(f"play {color.word} {vertex}")
        mover.send(f"genmove {color.opponent.word}")
        answer = waiting.answer().removeprefix("=").strip()
        assert answer.upper() == vertex.upper()
        mover.send("protocol_version")  # as Sabaki ends a wait
        assert mover.answer() in {"? interrupted", "= pass"}
        assert mover.answer() == "= 2"


@pytest.fixture
def number(daemon: LiveDaemon, alice: MailPlayer, bob: MailPlayer) -> int:
    """A game that was agreed on by mail, Alice with black."""
    return begin(alice, bob, "9x9 komi 6.5")


@pytest.fixture
def seats(daemon: LiveDaemon, number: int) -> Iterator[Seats]:
    with ExitStack() as stack:
        yield Seats(daemon, number, stack)


def test_a_whole_game_by_gtp(
    daemon: LiveDaemon, number: int, seats: Seats, alice: MailPlayer, bob: MailPlayer
) -> None:
    """It is played, counted and agreed by GTP alone; letters only report it."""
    black, white = seats[Color.BLACK], seats[Color.WHITE]
    record = recorded("nine-lines-ko")
    for move in record.moves:
        seats.move(move.color, word(move))
    assert daemon.game(number)["phase"] == "scoring"

    assert record.rows is not None
    stones = " ".join(map(str, dead_stones(record.rows)))
    assert "look at the marks" in black.refused("godaemon-done")
    black.ask(f"godaemon-dead {stones} only")
    assert sorted(white.ask("final_status_list dead").split()) == sorted(stones.split())
    assert white.ask("final_score") == "W+3.5"
    assert white.ask("godaemon-done") == "white has said done, black has not"
    assert "MARK" in black.ask("godaemon-gfx")
    assert black.ask("godaemon-done") == "the game is over: W+3.5"
    assert daemon.game(number)["result"] == "W+3.5"

    assert "State: over, W+3.5." in white.ask("godaemon-status")
    assert white.ask("godaemon-games").startswith(f"{number} 9x9")
    loaded = sgf.parse_sgf(white.ask("printsgf").encode())
    assert loaded.moves == record.moves
    assert loaded.result == "W+3.5"
    for player in (alice, bob):
        assert "by 3.5 points" in plain(player.expect("finished"))


def test_a_letter_crosses_a_move_at_the_gui(
    daemon: LiveDaemon, number: int, seats: Seats, alice: MailPlayer, bob: MailPlayer
) -> None:
    """Black moves at the GUI and by an older letter: the first move counts."""
    black = seats[Color.BLACK]
    letter = alice.newest  # that the game has started
    black.ask("play black D4")
    black.send("genmove white")
    bob.expect("your-turn")
    alice.reply("E5", to=letter)
    alice.expect("refused")
    shown = daemon.game(number)
    assert (shown["move_number"], shown["last"]) == (1, "black D4")

    bob.reply("G7")
    assert black.answer() == "= G7"
    seats[Color.WHITE].send("genmove black")
    alice.reply("show", to=letter)  # her GUI spares her the turn letter
    letter = alice.expect("show")
    alice.reply("C7", to=letter)
    black.send("play black C3")
    assert seats[Color.WHITE].answer() == "= D4"
    bob.expect("your-turn")
    black.answer()  # pending, or illegal by then
    black.ask("name")
    assert daemon.game(number)["move_number"] == 3
    assert daemon.game(number)["last"] in {"black C7", "black C3"}


def test_a_gui_catches_up_days_later(daemon: LiveDaemon, number: int, alice: MailPlayer) -> None:
    """By replaying the record or by genmove, without changing the game."""
    seat = daemon.gtp("--game", str(number), "--as", "white")
    alice.reply("D4")
    with Gui(seat) as gui:
        assert gui.ask("genmove black") == "D4"
        gui.ask("play white E5")
        gui.ask("godaemon-say back in a week")
    assert "back in a week" in plain(alice.expect("chat"))
    alice.reply("C3", to=alice.expect("your-turn"))
    with Gui(seat) as gui:
        gui.send("genmove black")
        assert gui.answer() == "= D4"
        before = daemon.unclocked(number)
        record = sgf.parse_sgf(gui.ask("printsgf").encode())
        gui.ask("clear_board")
        together = " ".join(f"{move.color.word} {word(move)}" for move in record.moves)
        gui.ask(f"gogui-play_sequence {together}")
        assert daemon.unclocked(number) == before
        assert gui.refused("genmove white") == (
            "it is white's turn, which is yours: play white and a point, or play white pass"
        )
        assert gui.ask("kata-get-rules").startswith("{")
