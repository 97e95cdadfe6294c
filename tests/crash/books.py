"""The books of a soak: what clients know about a daemon, compared with its database.

They record each letter answered 250, with the events and notices that the driver expects from it,
and each letter delivered. They are a SQLite file with digests instead of letters, to save memory.
`balance` returns the differences as sentences.
"""

import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

from godaemon.errors import GodaemonError
from godaemon.games import events as ev
from godaemon.games.model import Game
from godaemon.games.notices import Kind
from godaemon.storage.backup import verify

_TABLES = """
CREATE TABLE acknowledged (message_id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE happened (game INTEGER, number INTEGER, kind TEXT, payload TEXT, cause TEXT,
                       PRIMARY KEY (game, number)) WITHOUT ROWID;
CREATE TABLE stands (game INTEGER PRIMARY KEY, phase TEXT, move_number INTEGER, result TEXT);
CREATE TABLE expected (recipient TEXT, kind TEXT, game INTEGER, count INTEGER,
                   PRIMARY KEY (recipient, kind, game)) WITHOUT ROWID;
CREATE TABLE delivered (message_id TEXT PRIMARY KEY, recipient TEXT, kind TEXT, digest BLOB,
                        copies INTEGER) WITHOUT ROWID;
CREATE TABLE fault (description TEXT);
"""
# The driver cannot predict a game's nonce, nor the name of a Go program's session. Clock events
# depend on delivery times, on outages and on clock errors: they have their own checks below.
_EVENT = (
    "game, {number}, kind, json_remove(payload, '$.nonce'),"
    " CASE WHEN cause LIKE 'gtp:%' THEN 'gtp' ELSE cause END"
)
_HAPPENED = _EVENT.format(number="number")
_STORED = _EVENT.format(number="row_number() OVER (PARTITION BY game ORDER BY number) - 1")
_CLOCKS = ", ".join(f"'{kind.__name__.lower()}'" for kind in ev.CLOCK_EVENTS)
_OF_CLOCKS = f"(kind = 'credited' OR kind IN ({_CLOCKS}) AND cause IN ('outbox', 'timer'))"
_COMPARED = (
    (
        "events that were acknowledged and are not in the store",
        f"SELECT {_HAPPENED} FROM happened",
        f"SELECT {_STORED} FROM store.event WHERE NOT {_OF_CLOCKS}",
        "events in the store that no acknowledged letter meant",
    ),
    (
        "letters that were acknowledged and are not in the inbox",
        "SELECT message_id FROM acknowledged",
        "SELECT message_id FROM store.inbox",
        "letters in the inbox that were not acknowledged",
    ),
    (
        "games as they were played, and stand otherwise in the store",
        "SELECT game, phase, move_number, result FROM stands",
        "SELECT id, phase, move_number, result FROM store.game WHERE phase IS NOT NULL",
        "games as they stand in the store, and were played otherwise",
    ),
    (
        "notices that follow from letters and are not expected (to, kind, game, how many)",
        "SELECT recipient, kind, game, count FROM expected",
        (
            "SELECT recipient_key, kind, coalesce(game, 0), count(*) FROM store.outbox"
            " GROUP BY recipient_key, kind, game"
        ),
        "notices that are expected and follow from no letter (to, kind, game, how many)",
    ),
    (
        "letters that arrived and were not expected, or elsewhere, or as something else",
        "SELECT message_id, recipient, kind FROM delivered",
        "SELECT message_id, recipient_key, kind FROM store.outbox",
        "notices that were expected and did not arrive as they are",
    ),
)
"""(what only the first query finds, first query, second query, what only the second finds)."""
_EMPTY = (
    ("reported by the sink or the driver", "SELECT description FROM fault"),
    (
        "notices that are not sent",
        "SELECT id, kind, status, attempts, last_error FROM store.outbox WHERE status != 'sent'",
    ),
    (
        "letters in the inbox more than once",
        "SELECT message_id FROM store.inbox GROUP BY message_id HAVING count(*) > 1",
    ),
    (
        "clocks that were set going twice by what nobody did between",
        (
            "SELECT one.game, one.number FROM store.event AS one JOIN store.event AS other"
            " ON other.game = one.game AND other.number = one.number + 1"
            " WHERE one.kind = 'handed' AND other.kind = 'handed'"
        ),
    ),
    (
        "clocks of games being played that no letter has set going",
        (
            "SELECT id FROM store.game WHERE phase = 'playing' AND NOT EXISTS"
            " (SELECT 1 FROM store.event WHERE game = id AND kind = 'handed' AND number >"
            " (SELECT max(number) FROM store.event WHERE game = id"
            " AND kind IN ('started', 'moved', 'passed', 'resumed')))"
        ),
    ),
    ("letters in quarantine", "SELECT id, fault FROM store.quarantine"),
    ("letters held", "SELECT id, sender FROM store.held"),
    ("addresses that count as bad", "SELECT address, error FROM store.mailbox"),
)


class Books:
    """Used by one thread; not durable."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._link = sqlite3.connect(file, isolation_level=None)
        self._link.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + _TABLES)
        self._link.execute("BEGIN")
        self.copies = 0
        """Number of repeated deliveries."""

    def record_letter(self, message_id: str) -> None:
        """Record a letter answered 250."""
        self._link.execute("INSERT INTO acknowledged VALUES (?)", (message_id,))

    def record_events(self, game: Game, events: Iterable[ev.Event], message_id: str = "") -> None:
        """Record the newest events of a game, caused by a letter or else by a Go program."""
        cause = f"letter:{message_id}" if message_id else "gtp"
        rows = list(events)
        for number, event in enumerate(rows, game.length - len(rows)):
            row = (game.id, number, ev.name(event), ev.encode(event), cause)
            self._link.execute("INSERT INTO happened VALUES (?, ?, ?, ?, ?)", row)
        stand = (game.id, game.phase.value, game.move_number, game.result)
        self._link.execute("INSERT OR REPLACE INTO stands VALUES (?, ?, ?, ?)", stand)

    def expect_notice(self, recipient: str, kind: Kind, game: int = 0) -> None:
        self._link.execute(
            "INSERT INTO expected VALUES (?, ?, ?, 1)"
            " ON CONFLICT (recipient, kind, game) DO UPDATE SET count = count + 1",
            (recipient, kind.value, game),
        )

    def record_delivery(self, message_id: str, recipient: str, kind: str, raw: bytes) -> bool:
        """Record a delivery; False for a repetition."""
        digest = hashlib.sha256(recipient.encode() + b"\0" + raw).digest()
        query = "SELECT digest FROM delivered WHERE message_id = ?"
        found = self._link.execute(query, (message_id,)).fetchone()
        if found is None:
            row = (message_id, recipient, kind, digest, 1)
            self._link.execute("INSERT INTO delivered VALUES (?, ?, ?, ?, ?)", row)
            return True
        self.copies += 1
        if found[0] != digest:
            self.fault(f"delivered again with other bytes: {message_id} to {recipient}")
        query = "UPDATE delivered SET copies = copies + 1 WHERE message_id = ?"
        self._link.execute(query, (message_id,))
        return False

    def fault(self, description: str) -> None:
        self._link.execute("INSERT INTO fault VALUES (?)", (description,))

    def count(self, table: str) -> int:
        return int(self._link.execute(f"SELECT count(*) FROM {table}").fetchone()[0])

    def close(self) -> None:
        self._link.execute("COMMIT")
        self._link.close()


def balance(file: Path, state: Path) -> list[str]:
    """The differences between the books in `file` and the store in `state`."""
    found = []
    try:
        verify(state)  # integrity, foreign keys, gaps in logs
    except GodaemonError as fault:
        return [f"the store is not whole: {fault.public} {fault.detail}"]
    with closing(sqlite3.connect(file)) as link:
        link.execute("ATTACH ? AS store", (str(state / "godaemon.db"),))
        for description, ours, theirs, turned in _COMPARED:
            found += _difference(description, link.execute(f"{ours} EXCEPT {theirs}").fetchall())
            found += _difference(turned, link.execute(f"{theirs} EXCEPT {ours}").fetchall())
        for description, query in _EMPTY:
            found += _difference(description, link.execute(query).fetchall())
    return found


def _difference(description: str, rows: Sequence[tuple[object, ...]]) -> list[str]:
    shown = "; ".join(str(row)[:300] for row in rows[:5])
    return [f"{len(rows)} {description}: {shown}"] if rows else []
