"""Standard output and standard error that never raise and never block.

If a terminal is closed, the reader of a pipe dies or sleeps, or the disk is full, the text is
dropped and counted. A thread writes it, because only a thread can wait for every kind of descriptor
without blocking the callers.
"""

import atexit
import io
import os
import select
import sys
import threading
import time
from contextlib import suppress
from queue import Empty, SimpleQueue

MAX_QUEUED = 10_000
"""The limit on queued texts; further ones are dropped."""
STUCK_SECONDS = 3.0
"""Seconds without progress after which all queued texts count as lost."""
EXIT_TIMEOUT = 1.0
"""Seconds to write the queue when the process ends."""


class LossyStream(io.TextIOBase):
    """A text stream to a file descriptor, written by its own thread."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._queue: SimpleQueue[bytes | threading.Event] = SimpleQueue()
        self._dropped = 0
        self._line_end = b""
        self._pending = 0
        self._started = 0.0
        threading.Thread(target=self._work, name=f"output {descriptor}", daemon=True).start()

    def write(self, text: str) -> int:
        """Queue a text for writing; it is dropped if the queue is full."""
        if self._queue.qsize() < MAX_QUEUED:
            self._queue.put(text.encode("utf-8", "backslashreplace"))
        else:
            self._dropped += 1
        return len(text)

    @property
    def lost(self) -> int:
        """The number of dropped texts; all queued ones count while the thread is stuck."""
        is_stuck = self._pending and time.monotonic() - self._started > STUCK_SECONDS
        return self._dropped + (self._pending + self._queue.qsize() if is_stuck else 0)

    def isatty(self) -> bool:
        return os.isatty(self._descriptor)

    def fileno(self) -> int:
        return self._descriptor

    def drain(self, seconds: float) -> None:
        """Wait until the queue is written, up to a timeout in seconds."""
        mark = threading.Event()
        self._queue.put(mark)
        mark.wait(seconds)

    # -- on the thread -------------------------------------------------------------------------
    def _work(self) -> None:
        """Write all queued texts together, because each write releases the GIL."""
        while True:
            pieces = [self._queue.get()]
            with suppress(Empty):
                while True:
                    pieces.append(self._queue.get_nowait())
            lines = [piece for piece in pieces if isinstance(piece, bytes)]
            self._started, self._pending = time.monotonic(), len(lines)
            if not self._write_all(b"".join(lines)):
                self._dropped += len(lines)
            self._pending = 0
            for piece in pieces:
                if isinstance(piece, threading.Event):
                    piece.set()

    def _write_all(self, data: bytes) -> bool:
        rest = data and self._line_end + data
        while rest:
            try:
                rest = rest[os.write(self._descriptor, rest) :]
            except BlockingIOError:  # another process has set our shared descriptor to non-blocking
                with suppress(OSError):
                    select.select([], [self._descriptor], [], 1.0)
            except OSError:
                self._line_end = b"\n" if len(rest) < len(data) else self._line_end
                return False
            else:
                self._line_end = b""
        return True


def install() -> None:
    """Replace this process's standard output and standard error by lossy streams.

    Closed descriptors are first opened on /dev/null, so that no other file gets their numbers.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)  # gets the lowest free number, which is this one
    sys.stdout, sys.stderr = stdout, stderr = LossyStream(1), LossyStream(2)
    for stream in (stdout, stderr):
        atexit.register(stream.drain, EXIT_TIMEOUT)
