"""Quickly make a store of very many games: a few are played, the others are copies of them.

The originals are played through the service. Most are in progress, some are finished, one is
proposed and one just started. SQL copies them with their own players, letters and notices; each
player has about forty games. All letters have been sent. `old` games are finished and pruned.
Causes of events are as long as real Message-IDs.
"""

import random
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from godaemon.games import commands as cmd
from godaemon.games.game_cache import GameCache
from godaemon.games.model import Game, Seat
from godaemon.games.service import GameService, Randomness
from godaemon.games.service_calls import Caller
from godaemon.rules.points import Color, Point
from godaemon.storage.columns import timestamp
from godaemon.storage.database import open_database, store_url
from godaemon.storage.event_log import StoredEvent, event_digest
from godaemon.storage.packed_logs import pack_rows
from godaemon.storage.unit_of_work import Unit
from godaemon.system.clock import Clock
from godaemon.system.signing_keys import make_key
from tests.support.limits import Limits

PLAYED = 20
"""Number of originals."""
GOING = 12
"""Number of originals in progress; they come first."""
OVER = 6
"""Number of finished originals; they come next."""
TOGETHER = 40
"""Games per pair of players."""
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
"""Start of the first old game."""
_MANY = Limits(10**9, 10**9, 10**9)
_COLUMNS = {
    "game": (
        "phase, size, rules, replace(black, '@', tag), replace(white, '@', tag), black_name,"
        " white_name, move_number, to_move, result, updated, 0, ''"
    ),
    "event": (
        "number, kind, version, replace(payload, '@', tag), replace(cause, '@', tag), at,"
        " linked(number, kind, version, replace(payload, '@', tag), replace(cause, '@', tag), at)"
    ),
    "game_address": "replace(address, '@', tag)",
}
_LETTERS = (
    "FROM copy CROSS JOIN some_event AS old ON old.game = copy.origin"
    " WHERE kind NOT IN ('finished', 'confirmed')"
)


def fill(state: Path, count: int, moves: int, old: int = 0) -> None:
    """Make a store of `count` games (a multiple of 20) of up to `moves` moves, and `old` games."""
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    make_key(state)
    database = open_database(store_url(state))
    try:
        with database.connect() as connection:
            _play(Unit(connection), moves)
            connection.commit()
    finally:
        database.close()
    with closing(sqlite3.connect(state / "godaemon.db", isolation_level=None)) as store:
        _copy(store, count, old)


def _play(unit: Unit, moves: int) -> None:
    """Play the originals: 1-12 are in progress, 13-18 finished, 19 is proposed, 20 started."""
    rng = random.Random(1)
    now = Clock().now() - timedelta(days=2)
    chance = Randomness(lambda: Color.BLACK, lambda: f"{rng.getrandbits(64):016x}")
    games = GameService(unit, GameCache(), now, chance, _MANY)
    letters = _Callers(unit, games)
    for number in range(1, PLAYED + 1):
        wanted = cmd.Propose("bob@players.example", color=Color.BLACK)
        game = games.propose(wanted, letters("Alice"), vouched=True).after
        if number == 19:
            continue
        game = games.act(game.id, Seat.INVITED, (cmd.Yes(),), letters("Bob")).after
        for _ in range(0 if number == 20 else moves):
            game = _act(games, game, cmd.Play(_random_move(game, rng)), letters)
        if GOING < number < 19:
            for ending in (cmd.Pass(), cmd.Pass()):
                game = _act(games, game, ending, letters)
            for color in Color:
                game = _act(games, game, cmd.Done(), letters, color)
    unit.connection.exec_driver_sql(
        "UPDATE outbox SET status = 'sent', attempts = 1, sent_at = owed_at,"
        " message_id = '<' || uid || '@localhost>'"
    )


@dataclass(slots=True)
class _Callers:
    """Makes callers, each by a letter that is noted in the inbox."""

    unit: Unit
    games: GameService
    count: int = 0

    def __call__(self, name: str) -> Caller:
        self.count += 1
        message_id = f"<{self.count}@players.example>"
        self.unit.inbox.note_arrival(f"{self.count:064x}", message_id, self.games.now)
        address = f"{name.lower()}@players.example"
        return Caller(f"letter:{message_id}", address, name, message_id=message_id)


def _act(
    games: GameService,
    game: Game,
    command: cmd.Action,
    letters: _Callers,
    color: Color | None = None,
) -> Game:
    mover = color or game.to_move or Color.BLACK
    caller = letters("Alice" if mover is Color.BLACK else "Bob")
    return games.act(game.id, Seat.of(mover), (command,), caller).after


def _random_move(game: Game, rng: random.Random) -> Point:
    """A random legal move."""
    side = game.spec.size
    while True:
        point = Point(rng.randrange(side.width), rng.randrange(side.height))
        if game.position.is_legal(game.to_move or Color.BLACK, point):
            return point


def _copy(store: sqlite3.Connection, count: int, old: int) -> None:
    """Copy the originals up to `count` games, then `old` finished ones."""
    # Unsafe settings are fine: nobody else uses the store, and an incomplete one is discarded.
    store.executescript(
        "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-1000000;"
        "PRAGMA foreign_keys=OFF; PRAGMA temp_store=MEMORY; BEGIN;"
    )
    indexes = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
    dropped = store.execute(indexes).fetchall()
    for name, _ in dropped:
        store.execute(f"DROP INDEX {name}")
    store.execute(
        "CREATE TEMP TABLE copy AS WITH RECURSIVE n (k) AS"
        " (SELECT ? + 1 UNION ALL SELECT k + 1 FROM n WHERE k < ?)"
        # Ids rise with the games, which makes indexing fast, and span the whole range.
        " SELECT k AS copy, iif(k > ?, k % ? + ? + 1, (k - 1) % ? + 1) AS origin,"
        " k > ? AS old, '-' || (k / ?) || '@' AS tag,"
        " printf('%08x', k * ?) AS head FROM n WHERE k <= ?",
        (
            *(PLAYED, count + old, count, OVER, GOING, PLAYED, count, TOGETHER),
            *(0xFFFFFFFF // (count + old + 1), count + old),
        ),
    )
    store.create_function("linked", 6, Links())
    for statement in _statements():
        store.execute(statement)
    _pack_old(store)
    for _, sql in dropped:
        store.execute(sql)
    store.execute("COMMIT")
    store.execute("PRAGMA journal_mode=WAL")


def _pack_old(store: sqlite3.Connection) -> None:
    """Pack the logs of old games as pruning does."""
    columns = "number, kind, version, payload, cause, at, ''"
    origins = store.execute("SELECT DISTINCT origin FROM copy WHERE old").fetchall()
    query = f"SELECT {columns} FROM some_event WHERE game = ? ORDER BY number"
    logs = {one: [StoredEvent(*row) for row in store.execute(query, (one,))] for (one,) in origins}
    rng = random.Random(2)
    for copy, origin, tag in store.execute(
        "SELECT copy, origin, tag FROM copy WHERE old"
    ).fetchall():
        log = list(_copied_log(logs[origin], tag, rng))
        store.execute("INSERT INTO old_log VALUES (?, ?)", (copy, pack_rows(log)))
        store.execute(
            "UPDATE game SET events = ?, digest = ?, updated = ? WHERE id = ?",
            (len(log), log[-1].digest, log[-1].at, copy),
        )


def _copied_log(log: Sequence[StoredEvent], tag: str, rng: random.Random) -> Iterator[StoredEvent]:
    """A copy of a log with other players, and hours between the letters."""
    at, last = LONG_AGO, ""
    for row in log:
        at += timedelta(seconds=rng.uniform(3e3, 1e5))
        cause = f"letter:<{rng.randbytes(20).hex()}@mail.players.example>"
        text = row.payload.replace("@", tag)
        new = row._replace(payload=text, cause=cause, at=timestamp(at))
        last = event_digest(last, new)
        yield new._replace(digest=last)


class Links:
    """An SQL function for digests of events; call it in the order of each log."""

    def __init__(self) -> None:
        self._last = ""

    def __call__(self, number: int, *rest: Any) -> str:  # noqa: ANN401 - the columns of an event
        """The digest of the next event."""
        event = StoredEvent._make((number, *rest, ""))
        self._last = event_digest(self._last if number else "", event)
        return self._last


def _statements() -> Iterator[str]:
    for table, columns in _COLUMNS.items():
        own = "id" if table == "game" else "game"
        yield f"CREATE TEMP TABLE some_{table} AS SELECT * FROM {table}"
        yield f"CREATE INDEX temp.some_{table}_of ON some_{table} ({own})"
        ahead = f"{columns}, copy" if table == "game_address" else f"copy, {columns}"
        names = {
            "game": (
                "id, phase, size, rules, black, white, black_name, white_name, move_number,"
                " to_move, result, updated, events, digest"
            ),
            "event": "game, number, kind, version, payload, cause, at, digest",
            "game_address": "address, game",
        }[table]
        yield (
            f"INSERT INTO {table} ({names}) SELECT {ahead}"
            f" FROM copy CROSS JOIN some_{table} AS old ON old.{own} = copy.origin"
            f"{' WHERE NOT copy.old' * (table == 'event')}"
        )
    yield (
        "UPDATE game SET (events, digest) = (SELECT number + 1, event.digest FROM event"
        " WHERE game = id ORDER BY number DESC LIMIT 1) WHERE digest = ''"
        " AND id IN (SELECT copy FROM copy WHERE NOT old)"
    )
    yield "CREATE TEMP TABLE some_outbox AS SELECT * FROM outbox"
    yield "CREATE INDEX temp.some_outbox_of ON some_outbox (game)"
    yield (
        "INSERT INTO outbox (uid, kind, recipient, recipient_key, behalf, behalf_key, game, seat,"
        " since, until, answers, about, owed_at, due_at, attempts, status, message_id, sent_at)"
        " SELECT head || substr(uid, 9), kind, replace(recipient, '@', tag),"
        " replace(recipient_key, '@', tag), replace(behalf, '@', tag),"
        " replace(behalf_key, '@', tag), copy, seat, since, until, replace(answers, '@', tag),"
        " about, owed_at, due_at, attempts, status,"
        " '<' || lower(hex(randomblob(8))) || '@localhost>', sent_at"
        " FROM copy CROSS JOIN some_outbox AS old ON old.game = copy.origin WHERE NOT copy.old"
    )
    yield (
        "INSERT INTO inbox (fingerprint, message_id, at) SELECT head || hex(randomblob(28)),"
        f" replace(cause, '@', tag), at {_LETTERS} AND NOT copy.old"
    )
    yield (f"INSERT OR IGNORE INTO old_inbox (fingerprint) SELECT random() {_LETTERS} AND copy.old")
    yield (
        "INSERT OR IGNORE INTO player (address, game, receipts, receipts_sent)"
        " SELECT DISTINCT address, 0, NULL, 3 FROM game_address"
    )
