"""The TCP port of a real daemon: who may connect, and how failures are diagnosed."""

import os
import signal
import socket
import ssl
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.certificate import make_certificate
from tests.support.daemon import LiveDaemon, free_port
from tests.support.examples import examples
from tests.support.gui import Gui
from tests.support.mailgame import begin, seat_key
from tests.support.players import MailPlayer
from tests.support.waiting import PATIENCE, until

ASK = b"? a seat needs its key here: write godaemon-key and the key\n\n"
NO_SEAT = "this key opens no seat"


class Door:
    """A daemon with a TCP port without TLS, and its game."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.daemon = LiveDaemon(
            folder, gtp=f'listen = "127.0.0.1:{self.port}"\nconnections_per_source = 6\n'
        )

    def ask(self, first: bytes, *, end: bool = False) -> bytes:
        """The whole answer to some first bytes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as line:
            line.sendall(first)
            if end:
                line.shutdown(socket.SHUT_WR)
            answer = b""
            try:
                while data := line.recv(4096):
                    answer += data
            except ConnectionResetError:  # it has closed without reading all that we sent
                pass
            return answer

    def gui(self, *words: str) -> list[str]:
        connect = ["--connect", f"127.0.0.1:{self.port}"]
        return [sys.executable, "-m", "godaemon", "gtp", *connect, *words]


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    """An open door, closed at the end."""
    made = Door(tmp_path)
    with made.daemon:
        yield made
    assert '"level": "error"' not in made.daemon.log()


@pytest.fixture
def daemon(door: Door) -> LiveDaemon:
    """The daemon of Alice (Black in every game) and Bob."""
    return door.daemon


def test_a_key_opens_its_seat_until_revoked(door: Door, alice: MailPlayer, bob: MailPlayer) -> None:
    """A connected program is disconnected at once, with the reason in a GTP response."""
    number = begin(alice, bob, "9x9")
    mine = seat_key(alice)
    with Gui(door.gui("--key", mine)) as gui:
        gui.ask("boardsize 9")
        gui.ask("play black D4")
        gui.send("genmove white")
        bob.expect("your-turn")
        alice.reply("gui off")
        alice.expect("gui")
        assert gui.answer().startswith(f"? {NO_SEAT}")
    assert door.daemon.game(number)["last"] == "black D4"
    assert door.ask(b"godaemon-key " + mine.encode() + b"\n").startswith(b"? " + NO_SEAT.encode())
    fresh = seat_key(alice)
    assert fresh != mine
    with Gui(door.gui("--key", fresh)) as gui:
        assert gui.ask("showboard")
    assert mine not in door.daemon.log()


def test_any_first_bytes(door: Door) -> None:
    """Fuzzed first lines get the same refusal, and do not harm the daemon."""

    @settings(max_examples=examples(60))
    @given(st.binary(max_size=300) | st.text(max_size=80).map(lambda text: text.encode("utf-8")))
    def fuzz(first: bytes) -> None:
        answer = door.ask(first + b"\n", end=True)
        assert answer in {ASK, b""} or answer.startswith(b"? " + NO_SEAT.encode())

    fuzz()
    until(lambda: door.daemon.ask("status")["gtp_connections"] == 0, "none is left")


def test_silent_connections_are_closed(door: Door) -> None:
    """Within ten seconds; the number of connections per source is limited."""
    lines = [socket.create_connection(("127.0.0.1", door.port), timeout=PATIENCE) for _ in range(6)]
    until(lambda: door.daemon.ask("status")["gtp_connections"] == 6, "six are connected")
    assert door.ask(b"name\n").startswith(b"? try again later: there are 6 connections")
    for line in lines:
        assert line.recv(4096) == ASK
        line.close()
    until(lambda: door.daemon.ask("status")["gtp_connections"] == 0, "none is left")
    assert door.ask(b"name\n") == ASK


class TestEncrypted:
    """A TCP port with a certificate."""

    @pytest.fixture
    def live(self, tmp_path: Path) -> Iterator[LiveDaemon]:
        """A daemon that shows the certificate in `served_certificate.crt`."""
        certificate, key_file = make_certificate(tmp_path, "shown")
        self.port = free_port()
        live = LiveDaemon(
            tmp_path,
            gtp=f'listen = "127.0.0.1:{self.port}"\n'
            f'tls_certificate = {{ file = "{certificate}" }}\n'
            f'tls_key = {{ file = "{key_file}" }}\n',
        )
        with live:
            yield live

    def served_certificate(self) -> bytes:
        text = ssl.get_server_certificate(("127.0.0.1", self.port), timeout=PATIENCE)
        return ssl.PEM_cert_to_DER_cert(text)

    @pytest.mark.peer("openssl")
    @pytest.mark.parametrize("how", ["by itself", "reload", "SIGHUP"])
    def test_a_renewed_certificate_is_served(
        self, live: LiveDaemon, tmp_path: Path, how: str
    ) -> None:
        """Without a restart; an invalid one is reported, and changes nothing."""
        first, process = self.served_certificate(), live.pid
        for name in ("shown.crt", "shown.key"):
            (tmp_path / name).write_text("not a certificate", encoding="ascii")
        if how == "reload":
            assert live.command("reload", check=False).returncode == 78
        elif how == "SIGHUP":
            os.kill(live.pid, signal.SIGHUP)
        assert self.served_certificate() == first
        troubled = partial(live.ask, "status")
        until(lambda: "certificate-bad" in str(troubled()["troubles"]), "status tells of it")
        if how != "by itself":
            until(lambda: "daemon.not-reloaded" in live.log(), "the log tells that it was refused")
        make_certificate(tmp_path, "shown")
        if how == "reload":
            live.command("reload")
        elif how == "SIGHUP":
            os.kill(live.pid, signal.SIGHUP)
        until(lambda: self.served_certificate() != first, "another certificate is shown")
        assert live.pid == process
        until(lambda: not troubled()["troubles"], "status has nothing to tell")

    @pytest.mark.peer("openssl")
    @pytest.mark.slow
    def test_concurrent_reloads_of_a_certificate(self, live: LiveDaemon, tmp_path: Path) -> None:
        """A reload and a connection that finds the file changed do not interfere."""
        first = self.served_certificate()
        with ThreadPoolExecutor(4) as pool:
            served_certificate = [pool.submit(self.served_certificate) for _ in range(500)]
            while not all(each.done() for each in served_certificate):
                (tmp_path / "shown.crt").touch()
                os.kill(live.pid, signal.SIGHUP)
                live.ask("status")
            assert {each.result() for each in served_certificate} == {first}
