"""A real HAProxy with config/haproxy before two daemons on one PostgreSQL."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support import places, stores
from tests.support.certificate import make_certificate
from tests.support.daemon import LiveDaemon, free_port
from tests.support.gui import Gui
from tests.support.mailgame import begin, seat_key
from tests.support.players import MailPlayer
from tests.support.site import member, start_all
from tests.support.waiting import PATIENCE, until

pytestmark = [pytest.mark.peer("haproxy"), pytest.mark.peer("postgresql")]


EXAMPLE = places.ROOT / "config" / "haproxy" / "haproxy.cfg"


@contextmanager
def haproxy(folder: Path, ports: Mapping[str, str]) -> Iterator[None]:
    """It runs, with other places in the place of the example's."""
    text = EXAMPLE.read_text(encoding="utf-8")
    for there, here in ports.items():
        assert text.count(there) >= 1
        text = text.replace(there, here)
    config = folder / "haproxy.cfg"
    config.write_text(text, encoding="utf-8")
    subprocess.run(["haproxy", "-c", "-q", "-f", config], check=True)
    with (folder / "haproxy.log").open("wb") as log:
        process = subprocess.Popen(["haproxy", "-db", "-f", config], stdout=log, stderr=log)
        try:
            yield
        finally:
            process.terminate()
            process.wait(PATIENCE)


class Site:
    """East and west, and where HAProxy takes emails and Go programs for both."""

    def __init__(self, folder: Path, url: str) -> None:
        self.certificate, key = make_certificate(folder)
        self.daemons: list[LiveDaemon] = []
        self.emails, self.programs, ports = free_port(), free_port(), [free_port(), free_port()]
        for number, port in enumerate(ports):
            daemon = member(url, folder / f"host{number}")
            text = daemon.config.read_text(encoding="utf-8")
            listener = (
                f'listen = "127.0.0.1:{port}"\ntls_certificate = {{ file = "{self.certificate}" }}'
            )
            listener += f'\ntls_key = {{ file = "{key}" }}\nconnections_per_source = 1000'
            daemon.config.write_text(text.replace("[gtp]", f"[gtp]\n{listener}"), encoding="utf-8")
            self.daemons.append(daemon)
        east, west = self.daemons
        self.places = {
            "127.0.0.1:2525": f"127.0.0.1:{self.emails}",
            "bind :7000": f"bind 127.0.0.1:{self.programs}",
            "127.0.0.1:8025": f"127.0.0.1:{east.port}",
            "127.0.0.1:8026": f"127.0.0.1:{west.port}",
            "127.0.0.1:7001": f"127.0.0.1:{ports[0]}",
            "127.0.0.1:7002": f"127.0.0.1:{ports[1]}",
        }

    def gui(self, player: MailPlayer) -> list[str]:
        """What a GUI starts, by the key that its player asks for."""
        reach = ["--connect", f"127.0.0.1:{self.programs}", "--tls", "--ca", str(self.certificate)]
        return [sys.executable, "-m", "godaemon", "gtp", *reach, "--key", seat_key(player)]

    def held_by(self) -> LiveDaemon:
        """The daemon at which the one program sits."""
        seated = list[LiveDaemon]()

        def found() -> bool:
            seated[:] = [daemon for daemon in self.daemons if "gtp.seated" in daemon.log()]
            return bool(seated)

        until(found, "the program sits")
        (daemon,) = seated
        return daemon


@pytest.mark.slow
def test_a_game_continues_while_one_of_two_daemons_is_stopped(tmp_path: Path) -> None:
    """HAProxy connects emails and a Go program to the one that runs; the program resumes there."""
    with stores.postgresql_server() as server:
        site = Site(tmp_path, server.url)
        start_all(site.daemons)
        with haproxy(tmp_path, site.places):
            alice, bob = (
                MailPlayer(f"{name}@players.example", name, site.emails, site.daemons[0].mail)
                for name in ("alice", "bob")
            )
            until(lambda: reached(alice), "emails are let through")
            number = begin(alice, bob, "9x9")
            with Gui(site.gui(alice)) as gui:
                gui.ask("boardsize 9")
                gui.ask("play black D4")
                gui.send("genmove white")
                bob.expect("your-turn")
                stopped = site.held_by()
                assert stopped.stop() == 0
                (other,) = (daemon for daemon in site.daemons if daemon is not stopped)
                bob.reply("E5")
                assert gui.answer() == "= E5"
                gui.ask("play black C3")
                stopped.start()
                gui.send("genmove white")
                bob.expect("your-turn")
                bob.reply("F6")
                assert gui.answer() == "= F6"
            assert other.game(number)["move_number"] == 4
        for daemon in site.daemons:
            assert daemon.stop() == 0
            assert "Traceback" not in daemon.log()


def reached(player: MailPlayer) -> bool:
    """Whether a letter is taken: HAProxy looks at its daemons first."""
    try:
        player.write("help")
    except OSError:
        return False
    return bool(player.expect("help"))
