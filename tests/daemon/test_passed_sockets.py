"""A daemon restarts on inherited sockets without refusing or losing anything."""

import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from godaemon.control.control_client import ask
from tests.support.daemon import LiveDaemon
from tests.support.knocking import begin
from tests.support.waiting import PATIENCE, until

LETTER = b"From: a@x.example\r\nSubject: x\r\nMessage-ID: <1@x>\r\n\r\nhelp\r\n"


class HeldDaemon(LiveDaemon):
    """A daemon on sockets that a parent keeps open, as systemd does."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.smtp = socket.create_server(("127.0.0.1", self.port))
        self.control = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.control.bind(str(folder / "control.sock"))
        self.control.listen()
        self.inherited = [self.smtp.fileno(), self.control.fileno()]
        moves = f"exec 8<&{self.inherited[0]} 9<&{self.inherited[1]} 3<&8 4<&9"
        self.program = ["bash", "-c", f'{moves}; LISTEN_PID=$$ exec "$@"', "bash", *self.program]
        self.environ = {"LISTEN_FDS": "2", "LISTEN_FDNAMES": "smtp:control"}


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[HeldDaemon]:
    """A daemon that does not run yet."""
    daemon = HeldDaemon(tmp_path)
    with closing(daemon.smtp), closing(daemon.control):
        yield daemon
        daemon.kill()


@pytest.mark.slow
def test_a_restart_on_passed_sockets_refuses_nobody(daemon: HeldDaemon) -> None:
    """A client in the middle of a letter retries, new ones wait; the letter is stored once."""
    daemon.start()
    with begin(daemon.port) as early:
        early.sendall(LETTER)
        daemon.stop()
        assert early.recv(4096).startswith(b"421 ")
        assert early.recv(4096) == b""
    with socket.create_connection(("127.0.0.1", daemon.port), timeout=PATIENCE) as waiting:
        daemon.launch()
        assert ask(daemon.folder / "control.sock", "status")["smtp"] == f"127.0.0.1:{daemon.port}"
        assert waiting.recv(4096).startswith(b"220 ")
    with begin(daemon.port) as second:
        second.sendall(LETTER + b".\r\n")
        assert second.recv(4096).startswith(b"250 ")
    answers = daemon.mail / "a@x.example/new"
    until(lambda: answers.is_dir() and len(list(answers.iterdir())) == 1, "it is answered once")
    assert (daemon.folder / "control.sock").exists(), "it is not ours to remove"
