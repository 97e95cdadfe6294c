"""The chain over a game's log, which shows every change to it that we did not make.

Each event's row has the digest of what it says, its number and the digest of the row before it
(`games.events.chain`); the game's row has the length of the log and the last digest, so that an
event that is missing at the end is missed too. Pure; raises `Damaged`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from godaemon.errors import Damaged
from godaemon.games import events


class StoredEvent(NamedTuple):
    """A row of the table `event`, as it stands there."""

    number: int
    kind: str
    version: int
    payload: str
    cause: str
    at: str
    digest: str


class ChainHead(NamedTuple):
    """The end of a log, as the game's row has it."""

    events: int = 0
    digest: str = ""


def link(before: str, event: StoredEvent) -> str:
    """The digest of an event whose predecessor's is `before`; its own is not looked at."""
    number, kind, version, payload, cause, at, _ = event
    # The cause comes last: it is the one text in which a line may end.
    return events.chain(before, kind, payload, str(number), str(version), at, cause)


def check(
    game: int, rows: Sequence[StoredEvent], head: ChainHead, first: int = 0, before: str = ""
) -> None:
    """Hold a log from number `first` on to be what was written; `before` is the digest until then.

    Raises `Damaged`.
    """
    for number, row in enumerate(rows, first):
        if row.number != number:
            raise Damaged.of(game, number, "it is missing")
        if link(before, row) != row.digest:
            raise Damaged.of(game, number, "it is not what was written")
        before = row.digest
    end = first + len(rows)
    if end < head.events:
        raise Damaged.of(game, end, "it is missing")
    if end > head.events or before != head.digest:
        raise Damaged.of(game, min(end, head.events), "the record does not end there")
