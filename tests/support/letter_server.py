"""Handles one letter for each line on its standard input, in a child process that may be killed.

A line names a state folder. The child stops itself before it does anything, so that a tracer can be
put on it; its number is printed, then "ACK" by the child once COMMIT has returned, then how it
ended. All imports are done once, here: a test may kill a hundred children in a few seconds.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from godaemon.games.notices import Kind, Notice
from godaemon.storage.database import open_database, store_url
from godaemon.storage.unit_of_work import SqlUnit
from godaemon.storage.writer import WriterThread
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.stores import NOW, move, summary

LETTER = InboundLetter(
    "go@go.example", "alice@a.example", b"Message-ID: <1@a.example>\r\n\r\nd4\r\n"
)


def handle(unit: SqlUnit) -> None:
    """What one letter does: inbox, event, the row for lists, and two notices; once."""
    if unit.inbox.first_time("fingerprint", "<1@a.example>", NOW):
        unit.games.append(1, 0, [move("D4")])
        unit.games.set_summary(summary(1), ["alice@a.example", "bob@b.example"])
        for to in ("alice@a.example", "bob@b.example"):
            unit.outbox.owe(Notice(Kind.YOUR_TURN, to, game=1), NOW)


def child(state: Path) -> None:
    """Wait for the tracer, then take the letter."""
    os.kill(os.getpid(), signal.SIGSTOP)
    database = open_database(store_url(state))
    with WriterThread(database) as writer:
        writer.run_sync(handle)
        os.write(1, b"ACK\n")
    database.close()


def main() -> None:
    """Serve until the end of the input."""
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            child(Path(line.rstrip("\n")))
            os._exit(0)
        os.waitpid(pid, os.WUNTRACED)
        os.write(1, f"{pid}\n".encode())
        _, status = os.waitpid(pid, 0)
        os.write(1, f"end {status}\n".encode())


if __name__ == "__main__":
    main()
