"""`godaemon gtp` without a daemon: a free board on standard input and output.

A plain blocking loop. Nothing but responses is ever written; end of file, `quit`, Ctrl-C and a
reader who has gone away all end it without a word.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import BinaryIO

from gtp.freesession import FreeSession

INTERRUPTED = 130
"""The exit status that shells know for Ctrl-C."""

_CHUNK = 8192


def run(stdin: BinaryIO, stdout: BinaryIO, *, session: FreeSession | None = None) -> int:
    """Serve one controller until it quits or goes away; returns the exit status."""
    session = session or FreeSession(local=True)
    try:
        _converse(session, stdin, stdout)
    except BrokenPipeError:
        _forget(stdout)
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def _converse(session: FreeSession, stdin: BinaryIO, stdout: BinaryIO) -> None:
    for lines in _batches(stdin):
        responses: list[bytes] = []
        for line in lines:
            if responses and session.slow(line):
                _send(stdout, responses)
                responses = []
            responses.append(session.answer(line))
            if session.over:
                break
        _send(stdout, responses)
        if session.over:
            return


def _send(stdout: BinaryIO, responses: list[bytes]) -> None:
    """Write responses and flush, so that none is held back while we wait or think."""
    stdout.write(b"".join(responses))
    stdout.flush()


def _batches(stdin: BinaryIO) -> Iterator[list[bytes]]:
    """The whole lines that have arrived, each time some have; at the end what has no line end."""
    read = getattr(stdin, "read1", None) or stdin.readline
    rest = b""
    while chunk := read(_CHUNK):
        head, newline, tail = chunk.rpartition(b"\n")
        if newline:
            yield (rest + head).split(b"\n")
            rest = tail
        else:
            rest += chunk
    if rest:
        yield [rest]


def _forget(stdout: BinaryIO) -> None:
    """Point standard output at nothing, else Python complains when it flushes at exit."""
    if stdout is sys.stdout.buffer:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stdout.fileno())
