"""`godaemon gtp` without a daemon: a free board on standard input and output.

A blocking loop; a command that thinks looks now and then for further input. The first commands of
most programs are answered before the modules of a board are loaded. Only responses are written. End
of file, `quit`, Ctrl-C and a closed output end it silently; commands before the end of file are
still answered.
"""

from __future__ import annotations

import os
import select
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial

from godaemon.errors import GodaemonError
from gtp.client.syntax import LineBuffer, Reply, encode, is_interrupt, parse

TYPE_CHECKING = False  # importing `typing` takes a tenth of our start time
if TYPE_CHECKING:
    from gtp.board.board_session import BoardSession

INTERRUPTED = 130
"""The exit status after Ctrl-C, as in shells."""

MAX_AHEAD = 2**24
"""The limit on bytes read ahead of a running command."""

WITHOUT_BOARD = {"name": "godaemon", "protocol_version": "2"}
_CHUNK = 2**13
_CLOSED = select.POLLERR | select.POLLHUP | select.POLLNVAL


def run(load: Callable[[], BoardSession], stdin: int = 0, stdout: int = 1) -> int:
    """Serve one controller until it quits or goes away; returns the exit status.

    Nothing may have been read from these descriptors before. If `load` raises `GodaemonError`, each
    command is answered with it, and it is raised again.
    """
    incoming = StdinLines(stdin, stdout)
    try:
        lines = incoming.batch() or deque()
        _write(stdout, b"".join(_first_answers(lines)))
        with closing(_load_or_refuse(load, lines, stdout)) as session:
            _converse(session, incoming, stdout)
    except BrokenPipeError:
        pass
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def _first_answers(lines: deque[bytes]) -> Iterator[bytes]:
    """Remove and answer the first lines that need no board."""
    while lines and (request := parse(lines[0])) and request.name in WITHOUT_BOARD:
        lines.popleft()
        yield encode(Reply(ok=True, text=WITHOUT_BOARD[request.name]), request.id)


def _load_or_refuse(
    load: Callable[[], BoardSession], lines: Iterable[bytes], stdout: int
) -> BoardSession:
    try:
        return load()
    except GodaemonError as refusal:
        for request in filter(None, map(parse, lines)):
            _write(stdout, encode(Reply(ok=False, text=refusal.public), request.id))
        raise


def _write(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data) :]


def _converse(session: BoardSession, incoming: StdinLines, stdout: int) -> None:
    responses: list[bytes] = []

    def _send() -> None:
        _write(stdout, b"".join(responses))
        responses.clear()

    session.flush, session.send = _send, partial(_write, stdout)
    session.stop, session.has_line = incoming.is_interrupted, incoming.has_line
    incoming.wait = session.wait
    while lines := incoming.batch():
        while lines and not session.over:
            responses.append(session.answer(lines.popleft()))
        _send()
        if session.over:
            return


class StdinLines:
    """A controller's lines in order; an unterminated tail is the last line."""

    def __init__(self, stdin: int, stdout: int) -> None:
        self._stdin, self._stdout = stdin, stdout
        self.wait: Callable[[], object] = lambda: None
        """Called before each read that waits."""
        self._lines: deque[bytes] = deque()
        self._buffer = LineBuffer()
        self._ended = self._output_closed = False
        self._ahead = 0
        """The bytes read since the running command began."""
        self._poll = select.poll()
        self._poll.register(stdout, 0)
        self._poll.register(stdin, select.POLLIN)

    def batch(self) -> deque[bytes] | None:
        """Wait for whole lines, to be taken from the left; None at the end of input."""
        while not self._lines and not self._ended:
            self.wait()
            self._read()
        self._ahead = 0
        return self._lines or None

    def is_interrupted(self) -> bool:
        """True if the running command should stop: after `# interrupt`, or a closed output."""
        self._read_ahead()
        lines = self._lines
        return self._output_closed or any(b"#" in line and is_interrupt(line) for line in lines)

    def has_line(self) -> bool:
        """True if a line has come after the running command, or the input has ended."""
        self._read_ahead()
        return bool(self._lines) or self._ended or self._output_closed

    def _read_ahead(self) -> None:
        """Read what has come, without waiting for more."""
        events = dict(self._poll.poll(0))
        if events.get(self._stdout, 0) & _CLOSED:
            self._output_closed = True
        if self._stdin in events and not self._ended and self._ahead < MAX_AHEAD:
            self._read()

    def _read(self) -> None:
        data = os.read(self._stdin, _CHUNK)
        self._ahead += len(data)
        self._ended = not data
        self._lines.extend(self._buffer.feed(data) if data else self._buffer.end())
