"""The process in which letters are written when there are many; started by `copyist`.

It reads requests from its standard input until that ends, and writes the letters to its standard
output. It touches no file and no socket, and knows what it is sent and nothing else. The key that
signs comes with each request, so that a new one is used at once.

A request is how many letters are asked for and how many bytes follow (two numbers of four bytes),
and then a pickled composer and matters. The answer is, for each letter, its Message-ID and its
bytes, each after its length; a letter without a Message-ID could not be written. Before the first
request stands `READY`.
"""

from __future__ import annotations

import pickle
import signal
import struct
import sys
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from mailgate.letters.compose import Composed, Composer
from mailgate.letters.letter_data import LetterData

__all__ = ["READY", "answered", "asked", "main"]

READY = b"ready\n"
_REQUEST = struct.Struct(">II")
_LENGTH = struct.Struct(">I")


def asked(composer: Composer, matters: Sequence[LetterData]) -> bytes:
    """A request."""
    body = pickle.dumps((composer, list(matters)), pickle.HIGHEST_PROTOCOL)
    return _REQUEST.pack(len(matters), len(body)) + body


def answered(stream: BinaryIO, count: int) -> list[Composed | None]:
    """The answer to a request for so many letters; raises `EOFError` where it breaks off."""
    found: list[Composed | None] = []
    for _ in range(count):
        message_id, raw = _block(stream).decode(), _block(stream)
        found.append(Composed(message_id, raw) if message_id else None)
    return found


def _block(stream: BinaryIO) -> bytes:
    return _exactly(stream, _LENGTH.unpack(_exactly(stream, _LENGTH.size))[0])


def _exactly(stream: BinaryIO, count: int) -> bytes:
    found = stream.read(count)
    if len(found) < count:
        raise EOFError(f"{len(found)} bytes of {count}")
    return found


def main() -> None:
    """Write letters until nobody asks for more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # nobody reads our letters: we are done
    inward, outward = sys.stdin.buffer, sys.stdout.buffer
    outward.write(READY)
    outward.flush()
    while head := inward.read(_REQUEST.size):
        count, length = _REQUEST.unpack(head)
        for block in _letters(_exactly(inward, length), count):
            outward.write(_LENGTH.pack(len(block)) + block)
        outward.flush()


def _letters(request: bytes, count: int) -> Iterator[bytes]:
    """Two blocks for each letter; whoever asked will see for himself why one is missing."""
    try:
        # From the daemon that started us, over a pipe that nobody else has.
        composer, matters = pickle.loads(request)  # noqa: S301
    except Exception:  # noqa: BLE001 - the same
        composer, matters = None, [None] * count
    for matter in matters:
        try:
            letter = composer.compose(matter)
            blocks = letter.message_id.encode(), letter.raw
        except Exception:  # noqa: BLE001 - the same
            blocks = b"", b""
        yield from blocks
