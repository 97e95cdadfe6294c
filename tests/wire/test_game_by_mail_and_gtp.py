"""Black by mail, White at a GUI, in one game of a real daemon."""

from godaemon.rules.points import Color
from tests.support.daemon import LiveDaemon
from tests.support.gui import Gui
from tests.support.letters import plain
from tests.support.mailgame import begin, dead_stones, recorded, word
from tests.support.players import MailPlayer


def attach(gui: Gui, moves: list[tuple[str, str]]) -> None:
    """What a GUI does when it attaches: handshake, set-up, and its own record of the game."""
    gui.attach()
    gui.ask("komi 6.5")
    for color, vertex in moves:
        gui.ask(f"play {color} {vertex}")


def test_black_plays_by_mail_and_white_by_gtp(
    daemon: LiveDaemon, alice: MailPlayer, bob: MailPlayer
) -> None:
    """The GUI reconnects repeatedly, and replays its record each time."""
    record = recorded("nine-lines-ko")
    number = begin(alice, bob, "9x9 komi 6.5")
    seat = daemon.gtp("--game", str(number), "--as", "white")
    played: list[tuple[str, str]] = []
    for start in range(0, len(record.moves), 20):
        with Gui(seat) as gui:
            before = daemon.game(number)
            attach(gui, played)
            after = {**daemon.game(number), "deadline": before["deadline"]}  # its email may be out
            assert after == before, "replaying the record changes nothing"
            for move in record.moves[start : start + 20]:
                if move.color is Color.BLACK:
                    alice.reply(word(move))
                    assert gui.ask("genmove black").upper() == word(move).upper()
                else:
                    gui.ask(f"play white {word(move)}")
                    if len(played) + 1 < len(record.moves):
                        gui.send("genmove black")  # asks for the answer: the move is released
                        alice.expect("your-turn")
                        gui.send("# interrupt")
                        assert gui.answer().startswith("? interrupted")
                played.append((move.color.word, word(move)))
    alice.expect("scoring-started")
    bob.expect("scoring-started")
    with Gui(seat) as gui:
        attach(gui, played)
        assert gui.ask("genmove black").upper() == "PASS"
        assert record.rows is not None
        stones = " ".join(map(str, dead_stones(record.rows)))
        alice.reply(f"dead {stones} only")
        bob.expect("marks-changed")
        marked = " ".join(gui.ask("final_status_list dead").split())
        assert sorted(marked.split()) == sorted(stones.split())
        assert gui.ask("final_score") == "W+3.5"
    bob.reply("done")
    alice.expect("done")
    alice.reply("done")
    assert "by 3.5 points" in plain(alice.expect("finished"))
    assert bob.expect("finished")


def test_an_acknowledged_gtp_move_survives_a_kill(
    daemon: LiveDaemon, alice: MailPlayer, bob: MailPlayer
) -> None:
    """A pending move is stored before `=`; the next daemon releases it."""
    number = begin(alice, bob, "9x9")
    with Gui(daemon.gtp("--game", str(number), "--as", "black")) as gui:
        gui.attach()
        gui.ask("play black D4")
        daemon.kill()
    daemon.start()
    assert "D4" in plain(bob.expect("your-turn"))
    assert daemon.game(number)["last"] == "black D4"
