"""Kill the processes that the tests leave behind, even if the tests are killed.

Every child inherits a mark in its environment. A watcher process, which runs this file, waits for
the end of the tests, then kills every process with that mark.
"""

import contextlib
import os
import select
import signal
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

MARK = "GODAEMON_TEST_RUN"


def watch() -> None:
    """Mark all future child processes, and start the watcher; on Linux only."""
    if sys.platform == "linux":
        run = os.environ[MARK] = uuid.uuid4().hex
        # The watcher has no mark, and its own session keeps Ctrl-C away from it.
        words = [sys.executable, "-I", __file__, str(os.getpid()), run]
        os.posix_spawn(sys.executable, words, {}, setsid=True)


def is_alive(pid: int) -> bool:
    """True if a process exists and is no zombie."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def _marked(run: str) -> Iterator[int]:
    """The pids of processes with the mark of a run."""
    for environment in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):  # it has ended, or belongs to another user
            if f"{MARK}={run}".encode() in environment.read_bytes().split(b"\0"):
                yield int(environment.parent.name)


def _main(tests: int, run: str) -> None:
    with contextlib.suppress(ProcessLookupError):
        select.select([os.pidfd_open(tests)], [], [])
    while found := list(_marked(run)):
        for process in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


if __name__ == "__main__":
    _main(int(sys.argv[1]), sys.argv[2])
