"""A real godaemon in a process of its own, for tests on loopback; killed and started at will."""

from __future__ import annotations

import atexit
import json
import os
import random
import signal
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from godaemon.control.control_client import ask
from tests.support import stores
from tests.support.nursery import Born, nursery, run
from tests.support.players import MailPlayer
from tests.support.waiting import until

PATIENCE = 60.0
PROGRAM = (sys.executable, "-m", "godaemon")
_luck = random.Random()  # its own: Hypothesis sets the common one back
_held: deque[socket.socket] = deque(maxlen=200)


@atexit.register
def _let_go() -> None:
    while _held:
        _held.pop().close()


def free_port() -> int:
    """A free port on loopback, reserved for a while.

    A server that is stopped must find its port free when it starts again, but the system may give
    it to an outgoing connection. So we keep it bound with SO_REUSEADDR: a server can still listen
    on it, but neither an outgoing connection nor another call of this function gets it.
    """
    while True:
        port = _luck.randrange(10_000, 32_000)
        holding = socket.socket()
        try:
            holding.bind(("127.0.0.1", port))
        except OSError:
            holding.close()
            continue
        holding.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if len(_held) == _held.maxlen:
            _held[0].close()
        _held.append(holding)
        return port


class LiveDaemon:
    """`godaemon serve` with its state in a folder; a `with` block stops it, and sees it was well.

    `gtp` and `outgoing` are added to those sections of its configuration, `extra` at its end. `url`
    is its database; "" for the one that a test usually has in that folder.
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
        way = f'smarthost = "{smarthost}"' if smarthost else f'maildir = "{self.mail}"'
        url = url or stores.server_url(folder / "state")
        store = f'database_url = "{url}"\n' if url else ""
        self.config.write_text(
            f'state_directory = "{folder / "state"}"\n{store}'
            f'[mail.smtp]\nlisten = "127.0.0.1:{self.port}"\n'
            f"[mail.outgoing]\n{way}\n{outgoing}"
            f'[gtp]\nsocket = "{folder / "gtp.sock"}"\nquiet_seconds = 0.3\n{gtp}'
            f'[control]\nsocket = "{folder / "control.sock"}"\n{extra}',
            encoding="utf-8",
        )
        self.program: Sequence[str] = PROGRAM
        self.says_to: int | None = None
        """The descriptor for its output; None for a log file."""
        self.environ: Mapping[str, str] = {}
        self.held: Sequence[int] = ()
        """Descriptors that it inherits."""
        self._process: subprocess.Popen[bytes] | Born | None = None

    @property
    def pid(self) -> int:
        """The process number of the running daemon."""
        if self._process is None:
            raise AssertionError("the daemon does not run")
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process is not None and not self.ended

    @property
    def ended(self) -> bool:
        """Whether it was started and has ended by itself."""
        return self._process is not None and self._process.poll() is not None

    @property
    def status(self) -> int | None:
        """Its exit status, once it has ended by itself."""
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
        """Somebody who writes to it by SMTP."""
        return MailPlayer(f"{name.lower()}@players.example", name, self.port, self.mail)

    def start(self) -> None:
        """Start it and wait until it takes letters."""
        self.launch()
        self.ready()

    def launch(self) -> None:
        """Start it, and do not wait."""
        state = self.folder / "state"
        if not state.exists() and "database_url" not in self.config.read_text(encoding="utf-8"):
            stores.lay(state)
        words, environ = ["serve", "--config", str(self.config)], {**os.environ, **self.environ}
        plain = self.program is PROGRAM and not (self.environ or self.held)
        with (self.folder / "log").open("ab") as log:
            to = log.fileno() if self.says_to is None else self.says_to
            if plain:
                self._process = nursery().bear(words, stdout=to, stderr=to, env=environ)
            else:
                self._process = subprocess.Popen(
                    [*self.program, *words],
                    stdout=to,
                    stderr=to,
                    env=environ,
                    pass_fds=self.held,
                )

    def ready(self) -> None:
        """Wait until it takes letters; fail where it ended by itself."""
        until(self._listening, "the daemon listens", PATIENCE)

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
        """SIGKILL: no farewell."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """SIGTERM, and its exit status; within the fifteen seconds it has."""
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        if self._process is None:
            return 0
        self._process.send_signal(how)
        status = self._process.wait(15)
        self._process = None
        return status

    def command(
        self, *arguments: str, check: bool = True, patience: float = PATIENCE
    ) -> subprocess.CompletedProcess[str]:
        """Run a subcommand of `godaemon` for this daemon."""
        return run([*arguments, "--config", str(self.config)], check=check, patience=patience)

    def json(self, *arguments: str) -> Any:  # noqa: ANN401 - JSON
        unwell = arguments == ("status",)  # its exit status is not 0 if there is a warning
        return json.loads(self.command(*arguments, "--json", check=not unwell).stdout)

    def ask(self, request: str, **arguments: Any) -> Any:  # noqa: ANN401 - JSON
        """The answer on its control socket, like the command line's but without a process."""
        return ask(self.folder / "control.sock", request, **arguments)

    def game(self, number: int) -> dict[str, Any]:
        """A game as JSON, from the running daemon, else by `godaemon show N --json`."""
        away = self._process is None or self.ended
        shown: dict[str, Any] = (
            self.json("show", str(number)) if away else self.ask("show", number=number)
        )
        return shown

    def unclocked(self, number: int) -> dict[str, Any]:
        """A game without its deadline, which depends on when the email went out."""
        return {**self.game(number), "deadline": None}

    def gtp(self, *arguments: str) -> list[str]:
        """The command that a GUI would start."""
        return [
            *(sys.executable, "-m", "godaemon", "gtp", "--config", str(self.config)),
            *arguments,
        ]
