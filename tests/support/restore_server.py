"""Restores a backup for each line on its standard input, in a child process that may be killed.

A line names a backup and a state folder; the rest is as in `letter_server`.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from godaemon.storage.restore import restore
from tests.support.stores import NOW


def child(source: Path, state: Path) -> None:
    """Wait for the tracer, then restore over what is there."""
    os.kill(os.getpid(), signal.SIGSTOP)
    restore(source, state, NOW, move_aside=True)
    os.write(1, b"ACK\n")


def main() -> None:
    """Serve until the end of the input."""
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            child(*map(Path, line.split()))
            os._exit(0)
        os.waitpid(pid, os.WUNTRACED)
        os.write(1, f"{pid}\n".encode())
        _, status = os.waitpid(pid, 0)
        os.write(1, f"end {status}\n".encode())


if __name__ == "__main__":
    main()
