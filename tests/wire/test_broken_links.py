"""Two GUIs with breaking connections play on a real daemon, one by TLS with a key."""

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from godaemon.records.sgf import parse_sgf
from godaemon.rules.points import Color
from tests.support.certificate import make_certificate
from tests.support.cutter import Cutter
from tests.support.daemon import LiveDaemon, free_port
from tests.support.gui import Gui
from tests.support.letters import plain
from tests.support.mailgame import begin, recorded, word
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


def breaks(house: House) -> dict[tuple[int, str], Callable[[], None]]:
    """Breaks by the number of the move: odd ones are Black's, by the socket, even ones by TLS.

    They come "before" a GUI sends its stone, "between" that is answered and it asks for the
    opponent's, and "after" that, while it waits.
    """
    tcp, unix, daemon = house.tcp, house.unix, house.daemon

    def restart(end: Callable[[], object]) -> None:
        end()
        daemon.start()

    return {
        (3, "before"): lambda: unix.cut_upstream(5),  # in the middle of a command
        (4, "before"): lambda: tcp.cut_upstream(20),  # the same, encrypted
        (5, "before"): lambda: unix.cut_downstream(0),  # before any of the answer
        (6, "before"): lambda: tcp.cut_downstream(11),  # in the middle of the answer
        (7, "before"): unix.cut,  # with nothing on its way
        (9, "between"): unix.cut,
        (10, "between"): tcp.cut,
        (12, "between"): lambda: tcp.cut_upstream(9),  # in the middle of what releases the stone
        (13, "between"): lambda: restart(daemon.kill),
        (15, "after"): unix.cut,
        (16, "after"): tcp.cut,
        (17, "after"): lambda: restart(daemon.stop),
    }


def test_guis_notice_neither_breaks_nor_deaths(
    house: House, alice: MailPlayer, bob: MailPlayer
) -> None:
    """Nothing is lost, repeated or out of order at the GUIs or in the record."""
    number, moves = begin(alice, bob, "9x9"), recorded("nine-lines-ko").moves[:20]
    bob.reply("gui")
    with (
        Gui(house.local_command(number, "black")) as black,
        Gui(house.remote_command(bob)) as white,
    ):
        guis = {Color.BLACK: black.attach(), Color.WHITE: white.attach()}
        planned, before = breaks(house), house.unix.count + house.tcp.count

        def strike(at: int, moment: str) -> None:
            if (at, moment) in planned:
                planned.pop((at, moment))()

        white.send("genmove black")
        for at, move in enumerate(moves, start=1):
            mover, other = guis[move.color], guis[move.color.opponent]
            strike(at, "before")
            mover.ask(f"play {move.color.word} {word(move)}")
            strike(at, "between")
            mover.send(f"genmove {move.color.opponent.word}")
            assert other.answer().upper() == f"= {word(move)}", at
            strike(at, "after")
        assert planned == {}
        assert house.unix.count + house.tcp.count >= before + 12, "each break was one"
        white.send("protocol_version")
        assert white.answer() == "? interrupted"
    played = parse_sgf(house.daemon.command("sgf", str(number)).stdout.encode())
    assert played.moves == moves
