"""Handles one letter in the state folder of each line on its standard input."""

from __future__ import annotations

import os
from pathlib import Path

from godaemon.games.notices import Kind, Notice
from godaemon.storage.database import open_database, store_url
from godaemon.storage.unit_of_work import SqlUnit
from godaemon.storage.writer import WriterThread
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.stores import NOW, move, summary
from tests.support.traced import serve

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


def work(state: str) -> None:
    """Take the letter; what is acknowledged has been committed."""
    database = open_database(store_url(Path(state)))
    with WriterThread(database) as writer:
        writer.run_sync(handle)
        os.write(1, b"ACK\n")
    database.close()


if __name__ == "__main__":
    serve(work)
