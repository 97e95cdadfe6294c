"""A process that composes letters while there are many: the parent's end and the child's.

Python runs one thread at a time, so composing on a thread takes time from those who hand in
letters; a process has a core of its own. `python -m tests.benchmarks.letters` pays for it: what it
shows as "writing" would else be the daemon's. A burst starts the process, and a while without one
ends it. All of the parent's end blocks, and nothing is lost where the child dies or hangs: what it
has not composed is composed here.

Both ends speak by `multiprocessing.connection` over a socket that nobody else has, so that what
they unpickle is their own. The child has it as its standard input and ends when that does, so that
it outlives no parent, however that ends. It opens no file, and the key that signs tokens comes with
each request, so that a new one is used at once.
"""

from __future__ import annotations

import os
import pickle
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

import structlog

from mailgate.letters.compose import Composed, Composer
from mailgate.letters.letter_data import LetterData, without_record

TIMEOUT = 20.0
"""Seconds for one request, before the process is taken to hang."""
FAILURES = 3
"""After how many failures in a row no other process is started for a while."""
PAUSE = 600.0
"""How long that is, in seconds."""
_CODE = (
    "import sys; sys.path.insert(0, sys.argv[1]); sys.modules['rich'] = None; "
    "from mailgate.delivery.compose_process import main; main()"
)
_ROOT = str(Path(__file__).parents[2])
_log = structlog.get_logger("mailgate")


@dataclass(slots=True)
class _Child:
    process: subprocess.Popen[bytes]
    connection: Connection
    greeted: bool = False

    def ready(self) -> bool:
        """True once its modules are imported; raises `EOFError` where it ended before."""
        if not self.greeted and self.connection.poll():
            self.connection.recv()
            self.greeted = True
        return self.greeted

    def compose(self, request: bytes, count: int) -> list[Composed | None]:
        """The answer to a request for so many letters; raises what ails the child."""
        self.connection.send_bytes(request)
        found: list[Composed | None] = self.connection.recv()
        if len(found) != count:
            raise EOFError(f"{len(found)} letters of {count}")
        return found

    def end(self) -> None:
        """Kill it, whatever it is at."""
        self.process.kill()
        self.connection.close()
        self.process.wait()


class ComposeProcess:
    """Composes letters in another process, once that is there."""

    def __init__(self) -> None:
        self._child: _Child | None = None
        self._failures = 0
        self._failed_at = 0.0
        self._lock = threading.Lock()

    @property
    def pid(self) -> int | None:
        """The number of the process; None where none runs."""
        return self._child.process.pid if self._child is not None else None

    def start(self) -> None:
        """Start the process, unless it runs; nobody waits for it. Never fails."""
        with self._lock:
            if self._child is None and self._may_start() and _cores() > 1:
                try:
                    self._child = _started()
                except Exception as fault:  # noqa: BLE001 - we can do without it
                    self._count_failure()
                    _log.warning("composer.not-started", detail=str(fault))

    def compose(self, composer: Composer, letters: Sequence[LetterData]) -> list[Composed | None]:
        """The letters; None for those that must be composed here, all where no process is."""
        nothing: list[Composed | None] = [None] * len(letters)
        with self._lock:
            child = self._child
            try:
                if child is None or not child.ready():
                    return nothing
                try:
                    told = (composer, list(map(without_record, letters)))
                    request = pickle.dumps(told, pickle.HIGHEST_PROTOCOL)
                except Exception as fault:  # noqa: BLE001 - nothing of ours, whatever it is
                    _log.warning("composer.not-asked", detail=repr(fault))
                    return nothing
                found = child.compose(request, len(letters))
            except Exception as fault:  # noqa: BLE001 - a process in whatever trouble is not used
                self._fail(fault)
                return nothing
            self._failures = 0
            return found

    def close(self) -> None:
        """End the process, which keeps nothing; it is started again when it is needed.

        What it is at is broken off, and left to whoever asked for it.
        """
        child = self._child
        if child is None:
            return
        child.process.kill()
        with self._lock:
            if self._child is child:
                self._child = None
                child.end()

    def _may_start(self) -> bool:
        """False for a while after it has failed again and again."""
        return self._failures < FAILURES or time.monotonic() - self._failed_at > PAUSE

    def _count_failure(self) -> None:
        self._failures, self._failed_at = self._failures + 1, time.monotonic()

    def _fail(self, fault: Exception) -> None:
        child, self._child = self._child, None
        self._count_failure()
        if child is not None:
            _log.warning("composer.failed", pid=child.process.pid, detail=repr(fault))
            child.end()


def _started() -> _Child:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        # By the kernel, so that a child that hangs holds up neither what is sent nor what is read.
        limit = struct.pack("ll", int(TIMEOUT), int(TIMEOUT % 1 * 1e6))
        for option in (socket.SO_SNDTIMEO, socket.SO_RCVTIMEO):
            ours.setsockopt(socket.SOL_SOCKET, option, limit)
        process = subprocess.Popen(  # noqa: S603 - our own program, with our own words
            [sys.executable, "-I", "-c", _CODE, _ROOT],
            stdin=theirs.fileno(),
            env={},
            start_new_session=True,
        )
        # It is waited for at once, whenever it ends: nobody else would before the next burst.
        try:
            threading.Thread(target=process.wait, name="copyist", daemon=True).start()
        except RuntimeError:  # no thread is to be had
            process.kill()
            process.wait()
            raise
        _log.info("composer.started", pid=process.pid)
        return _Child(process, Connection(ours.detach()))


def _cores() -> int:
    """On how many cores we may run; with one, another process would only be in our way."""
    try:
        return len(os.sched_getaffinity(0))
    except OSError:  # a sandbox that does not tell
        return os.cpu_count() or 1


# -- the child's end -------------------------------------------------------------------------------
def main() -> None:
    """Compose what is asked for on standard input, until nobody asks for more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = Connection(sys.stdin.fileno())
    with suppress(EOFError, OSError):  # the parent is gone
        parent.send("ready")
        while True:
            composer, letters = parent.recv()
            parent.send([_composed(composer, letter) for letter in letters])


def _composed(composer: Composer, letter: LetterData) -> Composed | None:
    try:
        return composer.compose(letter)
    except Exception:  # noqa: BLE001 - whoever asked will see for himself why it is missing
        return None
