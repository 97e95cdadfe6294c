"""A daemon's place on a server's database: a shared advisory lock, on a connection of its own.

As long as anybody has it the tables stay as they are (`schema`). The server lets go of it when that
connection ends, however it ends. A SQLite store has no such lock: that of its state folder is
enough (`lock`). Raises `ConfigError` where the tables are not those of this program, `Busy` where
they are being changed, or `Temporary` where the server does not answer.
"""

from __future__ import annotations

import threading
import time
from typing import Self

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from godaemon.storage.connections import connect, read_url
from godaemon.storage.database_errors import explained
from godaemon.storage.schema import CHANNEL, PRESENT, hold_current, lock

_CHANGING = "Another godaemon is changing the tables of the database."
_HELD = sa.text(
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
)
_PRESENT = {"high": PRESENT >> 32, "low": PRESENT & 0xFFFFFFFF}
_WANTED = sa.text(
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND NOT granted"
    " AND mode = 'ExclusiveLock' AND classid = :high AND objid = :low AND database ="
    " (SELECT oid FROM pg_database WHERE datname = current_database())"
)
_LOOKS = 10


class ServerLock:
    """The right to work on a server's database; held until `release`.

    `connection` has it, and hears on `CHANNEL` what others have to tell; None for SQLite. One
    thread may let go while another takes it again: that ends first, and nothing is left of it.
    """

    def __init__(self, url: str) -> None:
        """Take the lock at once."""
        place = read_url(url)
        self._engine = None if place.get_backend_name() == "sqlite" else connect(place)
        self.on_server = self._engine is not None
        """Whether there is anything to hold."""
        self.connection: Connection | None = None
        self._gate = threading.Lock()
        self.hold()

    def hold(self) -> bool:
        """Hold it still, or take it again where its connection was lost: True."""
        with self._gate, explained():
            if self._engine is None or self._held():
                return False
            self._take(self._engine)
            return True

    def wanted(self) -> bool:
        """Whether somebody waits for all to let go, as who is to change the tables does."""
        with self._gate:
            for _ in range(_LOOKS):
                if self.connection is not None and self.connection.scalar(_WANTED, _PRESENT):
                    return True
                time.sleep(0.1)  # it is asked for first, and waited for then
        return False

    def _held(self) -> bool:
        try:
            return self.connection is not None and bool(self.connection.scalar(_HELD))
        except DBAPIError:
            return False

    def _take(self, engine: sa.Engine) -> None:
        self._let_go()
        self.connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        try:
            self.connection.exec_driver_sql(f"LISTEN {CHANNEL}")
            lock(self.connection, PRESENT, _CHANGING, shared=True)
            hold_current(self.connection)
        except BaseException:
            self._let_go()
            raise

    def _let_go(self) -> None:
        if self.connection is not None:
            self.connection.invalidate()
            self.connection.close()
            self.connection = None

    def release(self) -> None:
        """Let go for good."""
        with self._gate:
            self._let_go()
            if self._engine is not None:
                self._engine.dispose()
            self._engine = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()
