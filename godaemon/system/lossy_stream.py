"""Standard output and standard error that never raise and never block.

If a terminal is closed, a pipe's reader dies or sleeps, or the disk is full, the text is dropped
and counted, and the writer goes on. Uses a thread, because only a thread can wait for every kind of
descriptor without blocking those who write.
"""

from __future__ import annotations

import atexit
import io
import os
import select
import sys
import threading
import time
from contextlib import suppress
from queue import Empty, SimpleQueue

MOST = 10_000
"""The limit on queued pieces; further ones are dropped."""
STUCK = 3.0
"""Seconds without progress after which all queued text counts as lost."""
FAREWELL = 1.0
"""Seconds to write the queue when the process ends."""


class LossyStream(io.TextIOBase):
    """Text to a file descriptor, written by a thread of its own."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._waiting: SimpleQueue[bytes | threading.Event] = SimpleQueue()
        self._dropped = 0
        self._torn = b""
        self._in_hand = 0
        self._since = 0.0
        threading.Thread(target=self._work, name=f"output {descriptor}", daemon=True).start()

    def write(self, text: str) -> int:
        """Queue text for writing; dropped if the queue is full."""
        if self._waiting.qsize() < MOST:
            self._waiting.put(text.encode("utf-8", "backslashreplace"))
        else:
            self._dropped += 1
        return len(text)

    @property
    def lost(self) -> int:
        """The number of pieces dropped; all queued ones count while the writer is stuck."""
        stuck = self._in_hand and time.monotonic() - self._since > STUCK
        return self._dropped + (self._in_hand + self._waiting.qsize() if stuck else 0)

    def isatty(self) -> bool:
        return os.isatty(self._descriptor)

    def fileno(self) -> int:
        return self._descriptor

    def drain(self, seconds: float) -> None:
        """Wait until the queue is written, up to a timeout in seconds."""
        reached = threading.Event()
        self._waiting.put(reached)
        reached.wait(seconds)

    # -- on the thread -------------------------------------------------------------------------
    def _work(self) -> None:
        """Write all queued text at once, because each write gives up the GIL."""
        while True:
            pieces = [self._waiting.get()]
            with suppress(Empty):
                while True:
                    pieces.append(self._waiting.get_nowait())
            lines = [piece for piece in pieces if isinstance(piece, bytes)]
            self._since, self._in_hand = time.monotonic(), len(lines)
            if not self._write_all(b"".join(lines)):
                self._dropped += len(lines)
            self._in_hand = 0
            for piece in pieces:
                if isinstance(piece, threading.Event):
                    piece.set()

    def _write_all(self, data: bytes) -> bool:
        left = data and self._torn + data
        while left:
            try:
                left = left[os.write(self._descriptor, left) :]
            except BlockingIOError:  # another process has set our shared descriptor to non-blocking
                with suppress(OSError):
                    select.select([], [self._descriptor], [], 1.0)
            except OSError:
                self._torn = b"\n" if len(left) < len(data) else self._torn
                return False
            else:
                self._torn = b""
        return True


def install() -> None:
    """Replace this process's standard output and standard error by lossy streams.

    Closed descriptors are opened on /dev/null first, so that no other file gets their numbers; what
    is written to these is lost.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)  # gets the lowest free number, which is this one
    sys.stdout, sys.stderr = out, err = LossyStream(1), LossyStream(2)
    for stream in (out, err):
        atexit.register(stream.drain, FAREWELL)
