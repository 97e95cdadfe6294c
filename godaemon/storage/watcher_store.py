"""The part of a transaction that concerns those who watch games of others.

Runs on the writer's thread, inside its transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Select, delete, insert, select
from sqlalchemy.engine import Connection
from sqlmodel import col

from godaemon.games.store_protocols import Watcher
from godaemon.storage.columns import columns, names_of
from godaemon.storage.tables import WatcherRow

_ALL = select(*columns(WatcherRow, names_of(Watcher)))


class SqlWatchers:
    """Those who watch games of others, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def of_game(self, game: int) -> Sequence[Watcher]:
        """Who watches a game."""
        return self._found(_ALL.where(col(WatcherRow.game) == game).order_by(col(WatcherRow.key)))

    def of_person(self, address: str) -> Sequence[Watcher]:
        """What somebody watches, the newest game first."""
        mine = col(WatcherRow.key) == address.casefold()
        return self._found(_ALL.where(mine).order_by(col(WatcherRow.game).desc()))

    def due(self, now: datetime, beyond: datetime, most: int) -> Sequence[Watcher]:
        """Those who are to hear of more by now, or only `beyond` a moment."""
        due = col(WatcherRow.due)
        return self._found(_ALL.where((due <= now) | (due > beyond)).limit(most))

    def save(self, watcher: Watcher) -> None:
        """Write one down, in place of what was said of the same person and game."""
        self.end(watcher.address, watcher.game)
        row = {**asdict(watcher), "key": watcher.address.casefold()}
        self._connection.execute(insert(WatcherRow).values(row))

    def end(self, address: str, game: int | None = None) -> None:
        """Let somebody watch a game no longer; or, with None, none."""
        mine = [col(WatcherRow.key) == address.casefold()]
        mine += [] if game is None else [col(WatcherRow.game) == game]
        self._connection.execute(delete(WatcherRow).where(*mine))

    def _found(self, query: Select[Any]) -> list[Watcher]:
        return [Watcher(*row) for row in self._connection.execute(query)]
