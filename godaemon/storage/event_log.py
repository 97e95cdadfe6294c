"""The stored form of a game's log: a chain of events.

Each event's row has a digest of its content, its number and the digest of the row before it; the
game's row has the length of the log and the last digest. So a change from outside or a truncation
is noticed. `packed_logs` stores the logs of old games. Raises `Damaged`; `writer` then sets the
game aside.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple

from godaemon.errors import Damaged
from godaemon.games import events
from godaemon.games.events import LogEntry
from godaemon.storage.columns import clean_text, timestamp


class StoredEvent(NamedTuple):
    """A row of the table `event`, not decoded."""

    number: int
    kind: str
    version: int
    payload: str
    cause: str
    at: str
    digest: str


class ChainHead(NamedTuple):
    """The end of a log, from the game's row."""

    events: int = 0
    digest: str = ""


def event_digest(before: str, event: StoredEvent) -> str:
    """The digest of an event; `before` is the digest of the event before it."""
    number, kind, version, payload, cause, at, _ = event
    # The cause comes last, because only it may contain a line end.
    lines = before, kind, payload, str(number), str(version), at, cause
    return sha256("\n".join(lines).encode()).hexdigest()


def chain_rows(entries: Iterable[LogEntry], first: int = 0, last: str = "") -> list[StoredEvent]:
    """The rows of entries from number `first` on; `last` is the digest of the row before."""
    rows = []
    for number, one in enumerate(entries, first):
        kind, payload = events.name(one.event), clean_text(events.encode(one.event))
        cause, at = clean_text(one.cause), timestamp(one.at)
        rows.append(StoredEvent(number, kind, events.VERSION, payload, cause, at, digest=""))
    return add_digests(rows, last)


def add_digests(rows: Iterable[StoredEvent], last: str = "") -> list[StoredEvent]:
    """The rows with their digests; `last` is the digest of the row before."""
    chain = []
    for row in rows:
        last = event_digest(last, row)
        chain.append(row._replace(digest=last))
    return chain


def read_entry(row: StoredEvent) -> LogEntry:
    """The entry of a row; raises `Corrupt` if this program cannot read the event."""
    event = events.decode(row.kind, row.version, row.payload)
    return LogEntry(event, datetime.fromisoformat(row.at), row.cause)


def check_chain(
    game: int, rows: Sequence[StoredEvent], head: ChainHead, first: int = 0, before: str = ""
) -> None:
    """Raise `Damaged` if the events from number `first` on are not the rest of the chain.

    `before` is the digest of the event before the first one.
    """
    for number, row in enumerate(rows, first):
        if row.number != number:
            raise Damaged.of(game, number, "it is missing")
        if event_digest(before, row) != row.digest:
            raise Damaged.of(game, number, "it is not what was written")
        before = row.digest
    end = first + len(rows)
    if end < head.events:
        raise Damaged.of(game, end, "it is missing")
    if end > head.events or before != head.digest:
        raise Damaged.of(game, min(end, head.events), "the record does not end there")
