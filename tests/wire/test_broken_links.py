"""Two GUIs with breaking connections play on a real daemon, one by TLS with a key."""

import re
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from godaemon.records.record import Record
from godaemon.records.sgf import parse_sgf
from godaemon.rules.points import Color
from tests.support.certificate import make_certificate
from tests.support.cutter import Cutter
from tests.support.daemon import LiveDaemon, free_port
from tests.support.gui import Gui
from tests.support.letters import plain
from tests.support.mailgame import begin, dead_stones, recorded, word
from tests.support.players import MailPlayer

pytestmark = pytest.mark.peer("openssl")


class House:
    """A daemon with a TLS door, and lines that can be cut to that door and to its Unix socket."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.certificate, key = make_certificate(folder)
        port = free_port()
        self.tcp = stack.enter_context(Cutter(("127.0.0.1", port)))
        self.daemon = LiveDaemon(
            folder,
            gtp=f'listen = "127.0.0.1:{port}"\npublic = "localhost:{self.tcp.port}"\n'
            f'tls_certificate = {{ file = "{self.certificate}" }}\n'
            f'tls_key = {{ file = "{key}" }}\n',
        )
        self.unix = stack.enter_context(Cutter(folder / "gtp.sock", folder / "cut.sock"))
        # What `godaemon gtp` reads, to go by the line that is cut.
        text = self.daemon.config.read_text(encoding="utf-8")
        self.detour = folder / "detour.toml"
        self.detour.write_text(text.replace("gtp.sock", "cut.sock"), encoding="utf-8")

    def local_command(self, number: int, color: str) -> list[str]:
        """The command of a GUI on this machine."""
        seat = ["--game", str(number), "--as", color, "--config", str(self.detour)]
        return [sys.executable, "-m", "godaemon", "gtp", *seat]

    def remote_command(self, player: MailPlayer) -> list[str]:
        """The command in the letter that the player has just requested."""
        letter = player.expect("gui")
        lines = [line.strip() for line in plain(letter).splitlines()]
        _, saved, *words = shlex.split(next(one for one in lines if one.startswith("python3 ")))
        file = self.daemon.folder / saved
        file.parent.mkdir(exist_ok=True)
        attached = {one.get_filename(): one.get_content() for one in letter.iter_attachments()}
        file.write_bytes(attached[file.name])
        return [sys.executable, str(file), *words, "--ca", str(self.certificate)]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A house with a running daemon, which must end cleanly."""
    with ExitStack() as stack:
        house = House(tmp_path, stack)
        with house.daemon:
            yield house
        assert '"level": "error"' not in house.daemon.log()


@pytest.fixture
def daemon(house: House) -> LiveDaemon:
    """What Alice, who has black, and Bob write to."""
    return house.daemon


class Breaks:
    """Ten breaks; odd moves are Black's, by the Unix socket, even ones White's, by TLS.

    `before` a GUI sends its stone, `between` that is answered and it asks for the opponent's, and
    while it is `waiting` for that.
    """

    def __init__(self, house: House) -> None:
        tcp, unix = house.tcp, house.unix
        self.before: dict[int, Callable[[], None]] = {
            21: lambda: unix.cut_upstream(5),  # in the middle of a command
            42: lambda: tcp.cut_upstream(20),  # the same, encrypted
            63: lambda: unix.cut_downstream(0),  # before any of the answer
            84: lambda: tcp.cut_downstream(11),  # in the middle of the answer
            105: unix.cut,  # with nothing on its way
        }
        self.between: dict[int, Callable[[], None]] = {
            127: unix.cut,  # between a stone and its release
            148: tcp.cut,
            170: lambda: tcp.cut_upstream(9),  # in the middle of what releases it
        }
        self.waiting: dict[int, Callable[[], None]] = {191: unix.cut, 212: tcp.cut}


def play_through(record: Record, guis: dict[Color, Gui], breaks: Breaks) -> None:
    """Play a record, each GUI its colour, and check that each gets the other's moves in order."""
    guis[Color.WHITE].send("genmove black")
    for number, move in enumerate(record.moves, start=1):
        mover, other = guis[move.color], guis[move.color.opponent]
        breaks.before.get(number, _nothing)()
        mover.ask(f"play {move.color.word} {word(move)}")
        breaks.between.get(number, _nothing)()
        mover.send(f"genmove {move.color.opponent.word}")
        answer = other.answer()
        assert answer.removeprefix("=").strip().upper() == word(move).upper(), number
        breaks.waiting.get(number, _nothing)()


def _nothing() -> None:
    pass


@pytest.mark.slow
def test_a_game_survives_ten_broken_connections(
    house: House, alice: MailPlayer, bob: MailPlayer
) -> None:
    """Nothing is lost, repeated or out of order at the GUIs, in the record or in letters."""
    record = recorded("nineteen-lines")
    number = begin(alice, bob, "19x19 rules japanese komi 7.5")
    bob.reply("gui")
    lines = {
        Color.BLACK: house.local_command(number, "black"),
        Color.WHITE: house.remote_command(bob),
    }
    with ExitStack() as stack:
        guis = {color: stack.enter_context(Gui(lines[color])) for color in Color}
        for gui in guis.values():
            gui.attach(19)
        before = house.unix.count + house.tcp.count
        play_through(record, guis, Breaks(house))
        assert house.unix.count + house.tcp.count == before + 10, "each break was one"
        for color, gui in guis.items():
            # The one to whom the last pass was told has not asked for more.
            if color is not record.moves[-1].color.opponent:
                assert gui.answer() == "= pass"
            else:
                assert gui.ask(f"genmove {color.opponent.word}") == "pass"
            assert record.rows is not None
            dead = set(map(str, dead_stones(record.rows)))
            if color is Color.BLACK and dead:
                gui.ask(f"godaemon-dead {' '.join(dead)} only")
            assert gui.ask("quit") == ""
    played = parse_sgf(house.daemon.command("sgf", str(number)).stdout.encode())
    assert played.moves == record.moves
    alice.expect("scoring-started")
    check_letters(record, {Color.BLACK: alice, Color.WHITE: bob})


def check_letters(record: Record, players: dict[Color, MailPlayer]) -> None:
    """What a program has shown is not mailed; what came by a letter came once, and is true."""
    for color, player in players.items():
        kinds = []
        for letter in player.letters().values():
            if str(letter["X-Godaemon-Notice"]) == "your-turn":
                found = re.search(r"\(move (\d+)\)", plain(letter))
                assert found is not None
                kinds.append(int(found[1]))
        others = [at for at, move in enumerate(record.moves, 1) if move.color is not color]
        assert set(kinds) <= set(others)
        assert len(set(kinds)) == len(kinds)


def test_guis_do_not_notice_a_killed_daemon(
    house: House, alice: MailPlayer, bob: MailPlayer
) -> None:
    """Even a waiting GUI gets the right answer after the restart."""
    number = begin(alice, bob, "9x9")
    bob.reply("gui")
    with (
        Gui(house.local_command(number, "black")) as black,
        Gui(house.remote_command(bob)) as white,
    ):
        for gui in (black, white):
            gui.attach()
        white.send("genmove black")
        black.ask("play black D4")
        house.daemon.kill()
        black.send("genmove white")
        house.daemon.start()
        assert white.answer() == "= D4"
        white.ask("play white F6")
        white.send("genmove black")
        assert black.answer() == "= F6"
        assert house.daemon.stop() == 0
        house.daemon.start()
        black.ask("play black C6")
        black.send("7 protocol_version")
        assert black.answer() == "=7 2"
        assert white.answer() == "= C6"
    assert house.daemon.game(number)["move_number"] == 3
