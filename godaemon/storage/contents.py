"""The contents of a store, read from end to end: what is in it, and which games are not whole.

One pass over all logs in the order of their games, a few rows in memory, on SQLite or PostgreSQL;
also over tables of before revision 0009, which had neither an identity nor a chain. Raises
`Corrupt` for a database that is not godaemon's, `ConfigError` for a newer one's.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DatabaseError
from sqlmodel import col

from godaemon.errors import Corrupt, Damaged
from godaemon.games import events
from godaemon.storage.event_chain import ChainHead, StoredEvent, check
from godaemon.storage.old_logs import unpack
from godaemon.storage.schema import hold_known, revision
from godaemon.storage.tables import GameRow

_AT_ONCE = 1000
"""So many rows are in memory."""


@dataclass(slots=True)
class Contents:
    """What a store holds."""

    games: int = 0
    events: int = 0
    waiting: int = 0
    """Notices that had not been sent."""
    signed: str | None = None
    """The fingerprint of the key that the store signs with, if it has signed anything."""
    aside: list[tuple[int, str]] = field(default_factory=list)
    """The games that are put aside, and why each is."""
    damaged: list[tuple[int, str]] = field(default_factory=list)
    """The games that are damaged and not put aside."""


def contents(connection: Connection) -> Contents:
    """Read all that a store holds, in the transaction of a connection."""
    try:
        hold_known(found := revision(connection))
        if found is None:
            raise Corrupt("There are no games of godaemon's in that.")
        return _read(connection)
    except DatabaseError as fault:
        raise Corrupt("That cannot be read as games of godaemon's.", detail=str(fault)) from fault


def put_aside(connection: Connection) -> Contents:
    """The same, after damaged games have been put aside, each for what is wrong with it."""
    found = contents(connection)
    if found.damaged:
        rows = [{"number": game, "why": why} for game, why in found.damaged]
        connection.execute(_PUT_ASIDE, rows)
        connection.commit()
        found = contents(connection)
    return found


_PUT_ASIDE = (
    sa.update(GameRow)
    .where(col(GameRow.id) == sa.bindparam("number"))
    .values(damaged=sa.bindparam("why"))
)


@contextmanager
def opened(store: Path) -> Iterator[Connection]:
    """A connection to a SQLite file that is nobody's, and stays one file as it is."""
    opens = partial(sqlite3.connect, store)
    engine = sa.create_engine("sqlite://", creator=opens, poolclass=sa.NullPool)
    with engine.connect() as connection:
        yield connection


def _read(connection: Connection) -> Contents:
    # Before the chain there was, a step puts aside whatever it finds in disorder.
    chained = sa.inspect(connection).has_table("identity")
    waiting = "SELECT count(*) FROM outbox WHERE status = 'waiting'"
    found = Contents(waiting=connection.exec_driver_sql(waiting).scalar_one())
    if chained:
        found.signed = connection.exec_driver_sql("SELECT key FROM identity").scalar()
    for game, aside, rows, fault in _games(connection, chained=chained):
        found.games += 1
        found.events += rows
        if aside or (fault and not chained):
            found.aside.append((game, aside or fault))
        elif fault:
            found.damaged.append((game, fault))
    return found


def _games(connection: Connection, *, chained: bool) -> Iterator[tuple[int, str, int, str]]:
    """Each game's number, why it is put aside, how long its log is, and what is wrong with that."""
    head, digest = (
        ("game.events, game.digest, damaged", "event.digest") if chained else ("0, '', ''", "''")
    )
    packed, old = "NULL", ""
    if sa.inspect(connection).has_table("old_log"):
        packed, old = "old_log.events", " LEFT JOIN old_log ON old_log.game = game.id"
    query = (
        f"SELECT game.id, {head}, {packed}, number, kind, version, payload, cause, at, {digest}"  # noqa: S608
        f" FROM game LEFT JOIN event ON event.game = game.id{old} ORDER BY game.id, number"
    )
    streamed = {"yield_per": _AT_ONCE}
    rows = connection.exec_driver_sql(query, execution_options=streamed)
    for (game, length, last, aside, begun), found in groupby(rows, itemgetter(slice(5))):
        log = [StoredEvent._make(row[5:]) for row in found if row[5] is not None]
        end = ChainHead(length, last) if chained else None
        yield game, aside or "", *_looked_at(game, begun, log, end)


def _looked_at(
    game: int, packed: bytes | None, log: Sequence[StoredEvent], head: ChainHead | None
) -> tuple[int, str]:
    """How long a log is, of which the beginning may be packed, and what is wrong with it."""
    try:
        whole = [*unpack(game, packed), *log]
        hold_whole(game, whole, head)
    except Damaged as fault:
        return len(log), fault.detail
    return len(whole), ""


def hold_whole(game: int, log: Iterable[StoredEvent], head: ChainHead | None) -> None:
    """Hold a log to be as it was written; without a chain, to mean something. Raises `Damaged`."""
    if head is not None:
        check(game, list(log), head)
        return
    for number, row in enumerate(log):
        if row.number != number:
            raise Damaged.of(game, number, "it is missing")
        try:
            events.decode(row.kind, row.version, row.payload)
        except Corrupt as fault:
            raise Damaged.of(game, number, "it means nothing to this program") from fault
