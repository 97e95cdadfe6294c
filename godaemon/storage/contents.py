"""The contents of a store, read from end to end: what is in it, and which games are not whole.

One pass over all logs in the order of their games, a few rows in memory, on SQLite or PostgreSQL.
Raises `Corrupt` for a database that is not godaemon's, `ConfigError` for one whose tables this
program does not know.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
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
    waiting = "SELECT count(*) FROM outbox WHERE status = 'waiting'"
    found = Contents(
        waiting=connection.exec_driver_sql(waiting).scalar_one(),
        signed=connection.exec_driver_sql("SELECT key FROM identity").scalar(),
    )
    for game, aside, rows, fault in _games(connection):
        found.games += 1
        found.events += rows
        if aside:
            found.aside.append((game, aside))
        elif fault:
            found.damaged.append((game, fault))
    return found


_LOGS = (
    "SELECT game.id, game.events, game.digest, damaged, old_log.events,"
    " number, kind, version, payload, cause, at, event.digest FROM game"
    " LEFT JOIN event ON event.game = game.id LEFT JOIN old_log ON old_log.game = game.id"
    " ORDER BY game.id, number"
)


def _games(connection: Connection) -> Iterator[tuple[int, str, int, str]]:
    """Each game's number, why it is put aside, how long its log is, and what is wrong with that."""
    rows = connection.exec_driver_sql(_LOGS, execution_options={"yield_per": _AT_ONCE})
    for (game, length, last, aside, begun), found in groupby(rows, itemgetter(slice(5))):
        log = [StoredEvent._make(row[5:]) for row in found if row[5] is not None]
        yield game, aside or "", *_looked_at(game, begun, log, ChainHead(length, last))


def _looked_at(
    game: int, packed: bytes | None, log: Sequence[StoredEvent], head: ChainHead
) -> tuple[int, str]:
    """How long a log is, of which the beginning may be packed, and what is wrong with it."""
    try:
        whole = [*unpack(game, packed), *log]
        check(game, whole, head)
    except Damaged as fault:
        return len(log), fault.detail
    return len(whole), ""
