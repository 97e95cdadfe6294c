"""`godaemon gtp` where a daemon runs: a free board of its, by standard input and output.

Plain and blocking: one loop over `select`, so that neither side can hold the other up. It never
writes anything of its own to standard output; why it could not begin goes to standard error. A free
board ends with its connection; seats outlive theirs (`gtp.client.seat_relay`).
"""

from __future__ import annotations

import os
import select
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from gtp.client.handshake import ByBoard

OK, REFUSED, UNAVAILABLE, INTERRUPTED = 0, 1, 69, 130
"""Exit statuses; 69 is EX_UNAVAILABLE of sysexits.h."""

_CHUNK = 2**16


def run(
    path: Path | str, stdin: BinaryIO, stdout: BinaryIO, *, board: ByBoard | None = None
) -> int:
    """Connect a controller to the daemon's GTP socket, to a free board; returns the exit status.

    The board is a new one, or the one asked for. Both streams must be real files, and nothing may
    have been read from `stdin` yet.
    """
    with socket.socket(socket.AF_UNIX) as link:
        try:
            link.connect(os.fspath(path))
            refusal = _take_up(link, board) if board is not None else ""
        except OSError as fault:
            sys.stderr.write(f"godaemon gtp: the daemon cannot be reached at {path}: {fault}\n")
            return UNAVAILABLE
        if refusal:
            sys.stderr.write(f"godaemon gtp: {refusal}\n")
            return REFUSED
        try:
            return _Copy(link, stdin.fileno(), stdout.fileno()).run()
        except BrokenPipeError:  # the controller reads no more
            return OK
        except KeyboardInterrupt:
            return INTERRUPTED


def _take_up(link: socket.socket, board: ByBoard) -> str:
    """Ask for a board; the reason why it cannot be had, or nothing."""
    link.sendall(board.line() + b"\n")
    answer = b""
    while not answer.endswith(b"\n\n"):
        data = link.recv(1)  # no more than the answer: what follows is for the controller
        if not data:
            return "the daemon closed the connection"
        answer += data
    return "" if answer.startswith(b"=") else answer[1:].decode("utf-8", "replace").strip()


class _Copy:
    """The bytes on their way; we read from the controller only what the daemon has room for."""

    def __init__(self, link: socket.socket, stdin: int, stdout: int) -> None:
        self._link, self._stdin, self._stdout = link, stdin, stdout
        self._waiting = b""
        self._tail = b""
        self._ended = self._deaf = False

    def run(self) -> int:
        """Copy until the daemon has closed the connection."""
        self._link.settimeout(0)
        while True:
            reads: list[int | socket.socket] = [self._link]
            if not (self._ended or self._deaf or self._waiting):
                reads.append(self._stdin)
            writes = [self._link] if self._waiting else []
            readable, writable, _ = select.select(reads, writes, [])
            if self._stdin in readable:
                self._take()
            if writable:
                self._pass_on()
            if self._link in readable and not self._give():
                return OK if self._ended or self._has_quit() else UNAVAILABLE

    def _take(self) -> None:
        data = os.read(self._stdin, _CHUNK)
        self._waiting = data
        self._tail = (self._tail + data)[-256:]
        if not data:
            self._ended = True
            self._close_if_done()

    def _pass_on(self) -> None:
        try:
            self._waiting = self._waiting[self._link.send(self._waiting) :]
        except ConnectionError:  # the daemon listens no more; what it has said is still to be read
            self._waiting, self._deaf = b"", True
        self._close_if_done()

    def _close_if_done(self) -> None:
        """After the controller's end of file say so to the daemon, once everything is sent."""
        if self._ended and not self._waiting:
            with suppress(OSError):
                self._link.shutdown(socket.SHUT_WR)

    def _give(self) -> bool:
        """Hand over what the daemon has said; false at its end."""
        try:
            data = self._link.recv(_CHUNK)
        except ConnectionResetError:  # it closed without reading all that we had sent
            return False
        view = memoryview(data)
        while view:
            view = view[os.write(self._stdout, view) :]
        return bool(data)

    def _has_quit(self) -> bool:
        """Whether the last command was to quit, so that the end is no surprise."""
        return any(b"quit" in line.split() for line in self._tail.splitlines())
