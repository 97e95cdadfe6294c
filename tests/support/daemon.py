"""A real godaemon in its own process on loopback; a test may stop, kill and restart it."""

import atexit
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from godaemon.control.control_client import ask
from tests.support import stores
from tests.support.fork_server import ForkedProcess, fork_server, run
from tests.support.players import MailPlayer
from tests.support.waiting import PATIENCE, until

PROGRAM = (sys.executable, "-m", "godaemon")
PATIENT = f"""
from gtp.board import kept_board
kept_board.PATIENCE = {PATIENCE}
from godaemon.cli import main
main()
"""
_random = random.Random()  # our own: Hypothesis reseeds the global one
_reserved: deque[socket.socket] = deque(maxlen=200)


@atexit.register
def _release_ports() -> None:
    while _reserved:
        _reserved.pop().close()


def free_port() -> int:
    """A free port on loopback, reserved for a while.

    A server must find its port free when it restarts, but the system may give the port to an
    outgoing connection. So the port stays bound with SO_REUSEADDR: a server can still listen on
    it, but no outgoing connection and no other call of this function gets it.
    """
    while True:
        port = _random.randrange(10_000, 32_000)
        holding = socket.socket()
        try:
            holding.bind(("127.0.0.1", port))
        except OSError:
            holding.close()
            continue
        holding.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if len(_reserved) == _reserved.maxlen:
            _reserved[0].close()
        _reserved.append(holding)
        return port


class LiveDaemon:
    """`godaemon serve` with its state in a folder.

    Leaving a `with` block stops it and checks for exit status 0 and no traceback. `gtp` and
    `outgoing` are appended to these sections of the configuration, `extra` to its end. `url` is the
    database; "" means the default store of the folder.
    """

    def __init__(
        self,
        folder: Path,
        extra: str = "",
        *,
        smarthost: str | None = None,
        gtp: str = "",
        outgoing: str = "",
        url: str = "",
    ) -> None:
        self.folder = folder
        self.port = free_port()
        self.config = folder / "godaemon.toml"
        self.mail = folder / "mail"
        delivery = f'smarthost = "{smarthost}"' if smarthost else f'maildir = "{self.mail}"'
        url = url or stores.server_url(folder / "state")
        store = f'database_url = "{url}"\n' if url else ""
        self.config.write_text(
            f'state_directory = "{folder / "state"}"\n{store}'
            f'[mail.smtp]\nlisten = "127.0.0.1:{self.port}"\n'
            f"[mail.outgoing]\n{delivery}\n{outgoing}"
            f'[gtp]\nsocket = "{folder / "gtp.sock"}"\nquiet_seconds = 0.3\n{gtp}'
            f'[control]\nsocket = "{folder / "control.sock"}"\n{extra}',
            encoding="utf-8",
        )
        self.program: Sequence[str] = PROGRAM
        self.output: int | None = None
        """File descriptor for stdout and stderr; None for the log file."""
        self.environ: Mapping[str, str] = {}
        self.inherited: Sequence[int] = ()
        """File descriptors to inherit."""
        self._process: subprocess.Popen[bytes] | ForkedProcess | None = None
        self._ending = threading.Lock()

    @property
    def pid(self) -> int:
        """The process id; raises `AssertionError` if it does not run."""
        if self._process is None:
            raise AssertionError("the daemon does not run")
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process is not None and not self.ended

    @property
    def ended(self) -> bool:
        """Whether it has exited by itself."""
        return self._process is not None and self._process.poll() is not None

    @property
    def status(self) -> int | None:
        """The exit status after it has exited by itself; else None."""
        return self._process.poll() if self._process is not None else None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        status = self.stop()
        if kind is None:
            assert status == 0
            assert "Traceback" not in self.log()

    def person(self, name: str) -> MailPlayer:
        """A player who writes to this daemon by SMTP."""
        return MailPlayer(f"{name.lower()}@players.example", name, self.port, self.mail)

    def start(self) -> None:
        """Start it, and wait until it accepts letters."""
        self.launch()
        self.ready()

    def launch(self) -> None:
        """Start it without waiting."""
        state = self.folder / "state"
        if not state.exists() and "database_url" not in self.config.read_text(encoding="utf-8"):
            stores.create(state)
        words, environ = ["serve", "--config", str(self.config)], {**os.environ, **self.environ}
        plain = self.program is PROGRAM and not (self.environ or self.inherited)
        with (self.folder / "log").open("ab") as log:
            output = log.fileno() if self.output is None else self.output
            if plain:
                self._process = fork_server().fork(words, stdout=output, stderr=output, env=environ)
            else:
                self._process = subprocess.Popen(
                    [*self.program, *words],
                    stdout=output,
                    stderr=output,
                    env=environ,
                    pass_fds=self.inherited,
                )

    def ready(self) -> None:
        """Wait until it accepts letters; fails if it exits."""
        until(self._listening, "the daemon listens")

    def _listening(self) -> bool:
        if self.ended:
            raise AssertionError("the daemon ended: " + self.log()[-3000:])
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as line:
                greeted = line.recv(3) == b"220"
        except OSError:
            return False
        return greeted and (self.folder / "control.sock").exists()

    def log(self) -> str:
        path = self.folder / "log"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def kill(self) -> None:
        """Send SIGKILL, and wait for its end."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Send SIGTERM, and return the exit status; raises after `PATIENCE`."""
        return self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> int:
        with self._ending:  # a thread goes on after the task that waits for it is cancelled
            if self._process is None:
                return 0
            self._process.send_signal(number)
            status = self._process.wait(PATIENCE)
            self._process = None
        return status

    def command(
        self, *arguments: str, check: bool = True, patience: float = PATIENCE
    ) -> subprocess.CompletedProcess[str]:
        """Run `godaemon ARGUMENTS` with this daemon's configuration."""
        return run([*arguments, "--config", str(self.config)], check=check, patience=patience)

    def json(self, *arguments: str) -> Any:  # noqa: ANN401 - JSON
        may_warn = arguments == ("status",)  # its exit status is not 0 if there is a warning
        return json.loads(self.command(*arguments, "--json", check=not may_warn).stdout)

    def ask(self, request: str, **arguments: Any) -> Any:  # noqa: ANN401 - JSON
        """Send a request to its control socket, and return the answer."""
        return ask(self.folder / "control.sock", request, patience=PATIENCE, **arguments)

    def game(self, number: int) -> dict[str, Any]:
        """A game as JSON, from the running daemon or by `godaemon show N --json`."""
        found: dict[str, Any] = (
            self.ask("show", number=number) if self.running else self.json("show", str(number))
        )
        return found

    def gtp(self, *arguments: str) -> list[str]:
        """The command line that a GUI starts; a free board waits longer for a busy daemon."""
        return [sys.executable, "-c", PATIENT, "gtp", "--config", str(self.config), *arguments]
