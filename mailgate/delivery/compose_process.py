"""A process that writes letters, for hours in which there are many: the parent's side of it.

Python runs one thread at a time, so what is composed on a thread is taken from those who hand in
letters; a process has a core of its own. It is started by the first burst and ended when there has
been none for a while, or with us: it ends by itself when its standard input does, so that none
outlives us, however we end. All of it blocks, and is called on one thread at a time. Nothing is
lost where it dies or hangs: what it has not written is written here.
"""

from __future__ import annotations

import fcntl
import os
import select
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, cast

import structlog

from mailgate.delivery.compose_child import READY, answered, asked
from mailgate.letters.compose import Composed, Composer
from mailgate.letters.letter_data import LetterData

__all__ = ["ComposeProcess"]

PATIENCE = 20.0
"""Seconds for one request, before the process is taken to hang."""
FAILURES = 3
"""After how many failures in a row no other process is started."""
_PIPE = 2**20
"""How much a pipe holds, so that letters are handed over in few pieces."""
_CODE = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from mailgate.delivery.compose_child import main; main()"
)
_ROOT = str(Path(__file__).parents[2])
_log = structlog.get_logger("mailgate")


class ComposeProcess:
    """Writes letters in another process, once that is there."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = False
        self._failures = 0
        self._gate = threading.Lock()

    @property
    def pid(self) -> int | None:
        """The number of the process; None where none runs."""
        return self._process.pid if self._process is not None else None

    def start(self) -> None:
        """Start the process, unless it runs; nobody waits for it. Never fails."""
        with self._gate:
            if self._process is None and self._failures < FAILURES and _cores() > 1:
                self._start()

    def write(self, composer: Composer, matters: Sequence[LetterData]) -> list[Composed | None]:
        """The letters; None for those that have to be written here, all where no process is."""
        with self._gate:
            process = self._process
            if process is None or not self._is_ready(process):
                return [None] * len(matters)
            try:
                request = asked(composer, matters)
            except Exception as fault:  # noqa: BLE001 - nothing of ours, whatever it is
                _log.warning("copyist.not-asked", detail=repr(fault))
                return [None] * len(matters)
            watch = threading.Timer(PATIENCE, process.kill)
            watch.start()
            try:
                found = _exchange(process, request, len(matters))
            except (OSError, EOFError, ValueError) as fault:
                self._fail(process, fault)
                return [None] * len(matters)
            finally:
                watch.cancel()
            self._failures = 0
            return found

    def close(self) -> None:
        """End the process, which keeps nothing; it is started again when it is needed.

        What it is at is broken off, and left to whoever asked for it.
        """
        process = self._process
        if process is not None:
            process.kill()
        with self._gate:
            if self._process is process:
                self._process, self._ready = None, False
        if process is not None:
            _end(process)

    def _start(self) -> None:
        try:
            process = subprocess.Popen(  # noqa: S603 - our own program, with our own words
                [sys.executable, "-I", "-c", _CODE, _ROOT],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={},
                start_new_session=True,
            )
        except OSError as fault:
            self._failures += 1
            _log.warning("copyist.not-started", detail=str(fault))
            return
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                fcntl.fcntl(cast("BinaryIO", pipe), fcntl.F_SETPIPE_SZ, _PIPE)
        # It is waited for at once, whenever it ends: nobody else would before the next burst.
        threading.Thread(target=process.wait, name="copyist", daemon=True).start()
        self._process, self._ready = process, False
        _log.info("copyist.started", pid=process.pid)

    def _is_ready(self, process: subprocess.Popen[bytes]) -> bool:
        stdout = cast("BinaryIO", process.stdout)
        if not self._ready and _speaks(stdout):
            self._ready = stdout.readline() == READY
            if not self._ready:
                self._fail(process, EOFError("it ended before it began"))
        return self._ready

    def _fail(self, process: subprocess.Popen[bytes], fault: Exception) -> None:
        self._failures += 1
        self._process, self._ready = None, False
        _log.warning("copyist.failed", pid=process.pid, detail=repr(fault))
        process.kill()
        _end(process)


def _exchange(
    process: subprocess.Popen[bytes], request: bytes, count: int
) -> list[Composed | None]:
    stdin, stdout = cast("BinaryIO", process.stdin), cast("BinaryIO", process.stdout)
    stdin.write(request)
    stdin.flush()
    return answered(stdout, count)


def _speaks(stream: BinaryIO) -> bool:
    """Whether something is there to be read; select() would know no file above 1023."""
    poll = select.poll()
    poll.register(stream, select.POLLIN)
    return bool(poll.poll(0))


def _end(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):
            cast("BinaryIO", pipe).close()
    try:
        process.wait(2)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _cores() -> int:
    """On how many cores we may run; with one, another process would only be in our way."""
    try:
        return len(os.sched_getaffinity(0))
    except OSError:  # a sandbox that does not tell
        return os.cpu_count() or 1
