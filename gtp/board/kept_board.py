"""`godaemon gtp` beside a daemon: a free board of this process, and the daemon's copy of it.

This process answers all commands about stones, so that a GUI need not wait for another process.
The daemon answers all commands about our player. It gets changes before each such command, in a
quiet moment, and at the end. If it goes away, our player runs in this process; if it comes back, it
gets the board.
"""

from __future__ import annotations

import select
import socket
from collections.abc import Iterator
from contextlib import suppress
from time import monotonic
from typing import Self

from godaemon.errors import Refusal
from gtp.argument_readers import color, vertex
from gtp.board.board_session import BoardSession
from gtp.client.resend import ANALYSES, INTERRUPT, STREAMS
from gtp.client.syntax import ByBoard, Reply, Request
from gtp.command_table import Command

SOON, LATE = 0.02, 0.5
"""Seconds until the daemon gets changes: without commands, and between commands."""

MOST_SENT_SINGLY = 50
"""The most changes to send one by one; beyond that the resulting board is sent."""

PATIENCE = 1.0
"""Timeout of sending a message, in seconds; Sabaki waits three for our exit."""

_POLL = 0.05
"""Seconds between checks whether to interrupt the daemon."""
_LONGEST_WAIT = 5.0
"""Seconds between two attempts to reach a daemon."""
_CHUNK = 2**16
_STDIN = 0


class KeptBoard(BoardSession):
    """A session on a free board of which a daemon has a copy."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.local = True
        self._path, self._number = path, 0
        self._link: socket.socket | None = None
        self._tries = 0
        self._begun = False
        """True once a daemon has had a copy."""
        self._changes: list[bytes] = []
        """Changes that the copy lacks (at most `MOST_SENT_SINGLY` + 1); b"" for a loaded file."""
        self._since = 0.0
        self._settings: dict[tuple[str, ...], Request] = {}
        """The last command for each setting of the player."""
        self._settled = True
        """Whether the player of this process has these settings."""
        self._events = select.poll()
        self._events.register(_STDIN, select.POLLIN)

    def take_up(self, number: int) -> Self:
        """Resume one of the daemon's boards, by number; raises `Refusal` or `OSError`."""
        from gtp.client.connect import ConnectionRefused, Unix, dial  # noqa: PLC0415 - rarely needed

        try:
            link = dial(Unix(self._path), ByBoard(number).line())
        except ConnectionRefused as refusal:
            raise Refusal(str(refusal)) from refusal
        if not isinstance(link, socket.socket):
            raise AssertionError  # noqa: TRY004 - a Unix socket is never encrypted
        self._number = number
        self._use_link(link)
        self.board.load(self._exchange(Request(None, "printsgf", ())).text.encode())
        return self

    def wait(self) -> None:
        """Wait for the controller; meanwhile bring the copy up to date."""
        if self._changes and monotonic() - self._since > LATE:
            self._update()
        while not (ready := self._events.poll(self._wait_ms())) or ready[0][0] != _STDIN:
            self._update()

    def close(self) -> None:
        """Send the daemon, or its replacement, the final board."""
        for _ in range(2):  # retry over a new connection
            if not (self._begun or self._changes) or self._send_final_board():
                return

    def _send_final_board(self) -> bool:
        """Send the final board and `quit`; returns whether the daemon has saved the board."""
        answers = b""
        if self._update() and self._link is not None:
            with suppress(OSError):
                self._link.settimeout(PATIENCE)
                self._link.sendall(b"1 quit\n")
                while data := self._link.recv(_CHUNK):
                    answers += data
        self._drop_link()
        return b"=1" in answers

    # -- commands ------------------------------------------------------------------------------
    def _reply(self, request: Request) -> Reply:
        command = self.commands.get(request.name)
        if command is not None and command.slow:
            reply = self._ask_daemon(request, command) or self._reply_here(request)
        else:
            reply = super()._reply(request)
        if reply.ok and command is not None and command.changes:
            self._remember(request, command)
        return reply

    def _ask_daemon(self, request: Request, command: Command) -> Reply | None:
        """The daemon's reply; None if there is no daemon to ask."""
        for _ in range(2):
            if self._update():
                try:
                    reply = self._exchange(request)
                    move = reply.text.rpartition(" ")[2]
                    if reply.ok and command.changes == "choice" and move.lower() != "resign":
                        self.board.play(color(request.arguments, 0), vertex((move,), 0))
                    return reply._replace(text="") if self._answer_begun else reply
                except (OSError, Refusal):  # it has gone, or its board differs
                    self._drop_link()
        return None

    def _reply_here(self, request: Request) -> Reply:
        for setting in () if self._settled else self._settings.values():
            super()._reply(setting)
        self._settled = True
        return super()._reply(request)

    def _remember(self, request: Request, command: Command) -> None:
        """Remember a command that succeeded, for the daemon."""
        if command.slow:
            has_key = request.name in {"kata-set-param", "time_left"}
            if command.changes == "settings" and request.arguments:
                key = request.name, *request.arguments[:has_key]
                self._settings.pop(key, None)
                self._settings[key] = request
                self._settled = self._link is None
            return
        if not self._changes:
            self._since = monotonic()
        if len(self._changes) <= MOST_SENT_SINGLY:
            self._changes.append(b"" if command.changes == "record" else _line(request))

    # -- the daemon ----------------------------------------------------------------------------
    def _wait_ms(self) -> float | None:
        """Milliseconds to wait for a command before the next update; None for no limit."""
        if self._link is None:
            return 1000 * min(SOON * 2.0 ** min(self._tries, 20), _LONGEST_WAIT)
        return 1000 * SOON if self._changes else None

    def _update(self) -> bool:
        """Bring the daemon's copy up to date; False if there is no daemon."""
        for _ in range(2):  # another daemon may have replaced ours
            try:
                if self._link is None:
                    self._connect()
                elif self._changes:
                    one_by_one = len(self._changes) <= MOST_SENT_SINGLY and b"" not in self._changes
                    lines = self._changes if one_by_one else [self._board_command()]
                    self._send(self._link, lines)
                self._drop_answers()
            except (OSError, Refusal):
                self._drop_link()
            else:
                return True
        return False

    def _connect(self) -> None:
        link = socket.socket(socket.AF_UNIX)
        try:
            link.settimeout(PATIENCE)
            link.connect(self._path)
            greeting = [ByBoard(self._number).line()] if self._begun else []
            self._send(
                link, [*greeting, self._board_command(), *map(_line, self._settings.values())]
            )
        except (OSError, Refusal):
            link.close()
            raise
        self._use_link(link)

    def _use_link(self, link: socket.socket) -> None:
        self._link, self._begun, self._settled = link, True, False
        self._events.register(link, select.POLLIN)

    def _drop_link(self) -> None:
        self._tries, self._since = self._tries + 1, monotonic()
        if self._link is not None:
            self._events.unregister(self._link)
            self._link.close()
            self._link = None

    def _send(self, link: socket.socket, lines: list[bytes]) -> None:
        link.settimeout(PATIENCE)
        link.sendall(b"\n".join([*lines, b""]))
        self._changes.clear()

    def _drop_answers(self) -> None:
        """Drop the daemon's answers to changes; raises `OSError` if it has gone."""
        if self._link is None:
            return
        self._link.settimeout(0)
        with suppress(BlockingIOError):
            while data := self._link.recv(_CHUNK):
                if data.startswith(b"="):
                    self._tries = 0
            raise ConnectionError

    def _board_command(self) -> bytes:
        """The command that sends this board; raises `Refusal` if the game is too long."""
        from godaemon.records.sgf import format_sgf  # noqa: PLC0415 - not before the first answer
        from gtp.board.game_file import pack, record_of  # noqa: PLC0415

        return b"loadsgf " + pack(format_sgf(record_of(self.board)).encode()).encode()

    def _exchange(self, request: Request) -> Reply:
        """Ask the daemon, and pass on a streamed answer line by line; raises `OSError`."""
        frame: list[str] = []
        for line in self._answer_lines(request):
            frame.append(line)
            if request.name in STREAMS and frame[0] == "=1":
                self.tell(line if len(frame) > 1 else "")
        return Reply(frame[0].startswith("="), "\n".join(frame)[3:])

    def _answer_lines(self, request: Request) -> Iterator[str]:
        """The lines of the daemon's answer, as they come; raises `OSError`."""
        link, rest, begun, interrupted = self._link, b"", False, False
        if link is None:
            raise ConnectionError
        link.settimeout(_POLL)
        with self.thinking() as stop:
            link.sendall(b"1 " + _line(request) + b"\n")
            while True:
                should_stop = stop() or (request.name in ANALYSES and self.has_line())
                if should_stop and not interrupted:
                    interrupted = True
                    link.sendall(INTERRUPT + b"\n")
                try:
                    data = link.recv(_CHUNK)
                except TimeoutError:
                    continue
                if not data:
                    raise ConnectionError
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    begun = begun or line[1:2] == b"1"  # or it is the answer to a change
                    if begun and not line:
                        return
                    if begun:
                        yield line.decode("utf-8", "surrogateescape")


def _line(request: Request) -> bytes:
    words = " ".join((request.name, *request.arguments))
    return words.encode("utf-8", "surrogateescape")
