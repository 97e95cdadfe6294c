"""`godaemon gtp` without a daemon: a free board on standard input and output.

A plain blocking loop; while a command thinks, a thread of its own reads on. Nothing but responses
is ever written; end of file, `quit`, Ctrl-C and a reader who has gone away all end it without a
word. What was asked before the end of file is still answered, as long as somebody reads it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

from gtp.board.board_session import BoardSession
from gtp.board.stdin_lines import StdinLines

INTERRUPTED = 130
"""The exit status that shells know for Ctrl-C."""

_AT_ONCE = 256  # responses that are written together, when so many commands have come together


def run(stdin: BinaryIO, stdout: BinaryIO, *, session: BoardSession | None = None) -> int:
    """Serve one controller until it quits or goes away; returns the exit status.

    Nothing may have been read from `stdin` yet.
    """
    session = session or BoardSession(local=True)
    try:
        _converse(session, StdinLines(stdin, stdout), stdout)
    except BrokenPipeError:
        _forget(stdout)
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def _converse(session: BoardSession, incoming: StdinLines, stdout: BinaryIO) -> None:
    responses: list[bytes] = []

    def _send() -> None:
        stdout.write(b"".join(responses))
        stdout.flush()
        responses.clear()

    @contextmanager
    def thinking() -> Iterator[Callable[[], bool]]:
        """No answer is held back while we think, and no line unheard."""
        _send()
        with incoming.reading_ahead() as interrupted:
            yield interrupted

    def _tell(data: bytes) -> None:
        stdout.write(data)
        stdout.flush()

    session.thinking, session.stirred, session.send = thinking, incoming.stirred, _tell
    while lines := incoming.batch():
        while lines and not session.over and len(responses) < _AT_ONCE:
            responses.append(session.answer(incoming.taken(lines.popleft())))
        _send()
        if session.over:
            return


def _forget(stdout: BinaryIO) -> None:
    """Point standard output at nothing, else Python complains when it flushes at exit."""
    if stdout is sys.stdout.buffer:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stdout.fileno())
