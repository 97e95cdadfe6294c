"""One daemon for each database of a server: an advisory lock, on a connection of its own.

The server lets go of it when that connection ends, however it ends. A SQLite store has no such
lock: that of its state folder is enough (`lock`). Raises `Busy`, or `Temporary` where the server
does not answer.
"""

from __future__ import annotations

from typing import Self

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from godaemon.errors import Busy
from godaemon.storage.connections import connect, read_url
from godaemon.storage.database_errors import trouble

_NUMBER = int.from_bytes(b"godaemon")
"""The lock's, of those that a database has (PostgreSQL 15, 9.27.10: Advisory Lock Functions)."""
_TAKE = sa.text("SELECT pg_try_advisory_lock(:number)")
_HELD = sa.text(
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
)


class ServerLock:
    """The right to be the only one that writes to a server's database; held until `release`."""

    def __init__(self, url: str) -> None:
        """Take the lock at once; raises `Busy` where another has it."""
        place = read_url(url)
        self._engine = None if place.get_backend_name() == "sqlite" else connect(place)
        self._connection: Connection | None = None
        self.hold()

    def hold(self) -> None:
        """Hold it still, or take it again where its connection was lost; raises `Busy`."""
        if self._engine is None:
            return
        try:
            if not self._held():
                self._take(self._engine)
        except DBAPIError as fault:
            raise (trouble(fault) or fault) from fault

    def _held(self) -> bool:
        try:
            return self._connection is not None and bool(self._connection.scalar(_HELD))
        except DBAPIError:
            return False

    def _take(self, engine: sa.Engine) -> None:
        self._let_go()
        self._connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        if not self._connection.scalar(_TAKE, {"number": _NUMBER}):
            self._let_go()
            raise Busy(
                f"Another godaemon is using the database {engine.url.database} on this server."
                " Only one at a time can."
            )

    def _let_go(self) -> None:
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None

    @property
    def on_server(self) -> bool:
        """Whether there is anything to hold."""
        return self._engine is not None

    def release(self) -> None:
        """Let go."""
        self._let_go()
        if self._engine is not None:
            self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()
