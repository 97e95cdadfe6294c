"""The holder: one of several daemons on a database, and the locks that it holds while it lives.

Advisory locks of a session are the heartbeat (PostgreSQL 15, 13.3.5): the server releases them when
that connection ends, however it ends, so that no clocks need agree. One lock says that the daemon
lives. Its leases, pending moves and kept notices bear its number; once that lock has been free for
a while, another daemon takes them over (`bury`). Other locks say what a daemon alone does, and pass
to the next one at once.

A lost connection is made anew, and the locks are taken again. What another daemon has by then is
no longer ours; nor is anything, once that takes longer than the others wait. A task that loses its
lock gets a `TimeoutError`; a lost lease shows in the store (`outbox_store`). A SQLite store has one
daemon, to which everything is granted.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import threading
import time
from collections.abc import AsyncIterator, Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial
from typing import NamedTuple

import sqlalchemy as sa
import structlog
from sqlalchemy.engine import Connection

from godaemon.errors import NotAllowed, Temporary
from godaemon.storage.connections import connect, explained, lent_session, not_stored, read_url
from godaemon.system.clock import Clock

BEAT = 0.5
"""Seconds between two polls for dead daemons and free locks."""
GRACE = 2.0
"""Seconds unseen after which a daemon counts as dead; a lost connection is back by then."""


class Lock(IntEnum):
    """The first number of an advisory lock, its purpose; the second number says which one."""

    DAEMON = int.from_bytes(b"god1")
    DUTY = int.from_bytes(b"god2")
    """Timers and the mailbox, which one daemon alone sees to."""
    GAME = int.from_bytes(b"god3")
    """An engine's game."""


Key = tuple[Lock, int]
_TAKE = sa.text("SELECT pg_try_advisory_lock(:what, :number)")
_GIVE = sa.text("SELECT pg_advisory_unlock(:what, :number)")
_ALIVE = (
    "SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND classid = :what"
    " AND objsubid = 2 AND granted AND database ="
    " (SELECT oid FROM pg_database WHERE datname = current_database())"
)
_GONE = sa.text(
    "SELECT holder FROM (SELECT holder FROM outbox WHERE status = 'waiting' AND lease IS NOT NULL"  # noqa: S608
    " UNION SELECT holder FROM pencil UNION SELECT holder FROM kept) AS leaving"
    f" WHERE holder NOT IN ({_ALIVE})"
)
"""Dead daemons with rows that nobody has taken over."""
_TAKE_HERE = sa.text("SELECT pg_try_advisory_xact_lock(:what, :number)")
_log = structlog.get_logger("godaemon")


class Seen(NamedTuple):
    """What a look at the server shows."""

    had: frozenset[Key]
    """The locks that are ours."""
    gone: Collection[int]
    """Dead daemons with rows that nobody has taken over."""


@dataclass(slots=True)
class _Wish:
    """A lock that a task wants."""

    scope: asyncio.Timeout
    granted: asyncio.Event = field(default_factory=asyncio.Event)

    def lose(self) -> None:
        """End the task, if it has begun: another daemon may have the lock by now."""
        if self.granted.is_set() and not self.scope.expired():
            self.scope.reschedule(asyncio.get_running_loop().time())


class Holder:
    """One daemon among those of its database: `open` it, `keep` it, `close` it."""

    def __init__(self, url: str) -> None:
        place = read_url(url)
        self._engine = None if place.get_backend_name() == "sqlite" else connect(place)
        self._connection: Connection | None = None
        self.id = None if self._engine is None else 1 + secrets.randbelow(2**31 - 1)
        """The daemon's number; None for the only one of a SQLite store."""
        self._held_at = float("-inf")
        """When the server was last seen to have our locks."""
        self._wishes: dict[Key, _Wish] = {}
        self._had: set[Key] = set()
        self._missed: dict[int, float] = {}
        """Since when each daemon with rows to take over has been missing."""
        self._stir = asyncio.Event()
        self._eye = ThreadPoolExecutor(1, "holder")
        """A thread of its own: the others may all be busy."""
        self._gate = threading.Lock()

    @property
    def several(self) -> bool:
        """Whether there can be other daemons."""
        return self.id is not None

    @property
    def held(self) -> bool:
        """True while no other daemon can think that we are dead."""
        return not self.several or time.monotonic() - self._held_at < GRACE

    def open(self) -> None:
        """Take the lock that says we live; raises `Temporary`."""
        if self._engine is not None:
            self._look(frozenset())

    def close(self) -> None:
        """Release all locks, after a poll in progress."""
        with self._gate:
            self._let_go()
            if self._engine is not None:
                self._engine.dispose()
            self._engine = None
        self._eye.shutdown(wait=False)

    @contextlib.asynccontextmanager
    async def alone(self, what: Lock, number: int = 0) -> AsyncIterator[None]:
        """Wait for a lock, and hold it; raises `TimeoutError` if it is lost with the connection."""
        if self._engine is None:
            yield
            return
        key = what, number
        async with asyncio.timeout(None) as scope:
            wish = self._wishes[key] = _Wish(scope)
            self._stir.set()
            try:
                await wish.granted.wait()
                yield
            finally:
                del self._wishes[key]
                self._stir.set()

    async def keep(self, clock: Clock) -> None:
        """Look at the other daemons and take wanted locks, forever."""
        doubting = asyncio.create_task(self._doubt(clock))
        try:
            await self._look_on(clock)
        finally:
            doubting.cancel()

    async def _doubt(self, clock: Clock) -> None:
        """Give up our locks once the server may have given them to another daemon."""
        while self._engine is not None:
            if not self.held:
                for wish in self._wishes.values():
                    wish.lose()
            await clock.wait(asyncio.Event(), BEAT)

    async def _look_on(self, clock: Clock) -> None:
        while self._engine is not None:
            self._stir.clear()
            try:
                look = partial(self._look, frozenset(self._wishes))
                seen = await asyncio.get_running_loop().run_in_executor(self._eye, look)
            except Temporary as fault:
                _log.warning("store.not-held", detail=fault.detail)
                await clock.wait(asyncio.Event(), BEAT)
            else:
                self._tell(seen)
                await clock.wait(self._stir, BEAT)

    def gone(self) -> list[int]:
        """The dead daemons whose rows can be taken over."""
        now = asyncio.get_running_loop().time()
        return [one for one, since in self._missed.items() if now - since >= GRACE]

    def _tell(self, seen: Seen) -> None:
        now = asyncio.get_running_loop().time()
        self._missed = {one: self._missed.get(one, now) for one in seen.gone}
        for key, wish in self._wishes.items():
            if key in seen.had:
                wish.granted.set()
            else:
                wish.lose()

    # -- on a thread, one at a time ------------------------------------------------------------
    def _look(self, wishes: frozenset[Key]) -> Seen:
        with self._gate:
            try:
                with explained():
                    return self._looked(wishes)
            except BaseException:
                self._let_go()
                raise

    def _looked(self, wishes: frozenset[Key]) -> Seen:
        began, connection = time.monotonic(), self._connection or self._connect()
        for key in self._had - wishes:
            connection.execute(_GIVE, _numbers(key))
        self._had &= wishes
        self._had |= {key for key in wishes - self._had if _taken(connection, key)}
        gone = set(connection.scalars(_GONE, {"what": int(Lock.DAEMON)}))
        self._held_at = began
        if self.id in gone:
            raise lent_session()
        return Seen(frozenset(self._had), gone)

    def _connect(self) -> Connection:
        """A session that holds the lock that says we live."""
        if self._engine is None:
            raise not_stored("godaemon is stopping", "the holder is closed")
        self._connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        if not _taken(self._connection, (Lock.DAEMON, self.id or 0)):
            raise not_stored("another godaemon takes over what we left", f"holder {self.id}")
        return self._connection

    def _let_go(self) -> None:
        self._had = set()
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None


def _numbers(key: Key) -> dict[str, int]:
    return {"what": int(key[0]), "number": key[1]}


def _taken(connection: Connection, key: Key) -> bool:
    return bool(connection.scalar(_TAKE, _numbers(key)))


def bury(connection: Connection, holder: int) -> bool:
    """True if a daemon is dead, and this transaction may take over what it left."""
    return bool(connection.scalar(_TAKE_HERE, _numbers((Lock.DAEMON, holder))))


def require_only_daemon(connection: Connection) -> None:
    """Raise `NotAllowed` if several daemons use a server's database."""
    if connection.dialect.name != "sqlite":
        alive = connection.execute(sa.text(_ALIVE), {"what": int(Lock.DAEMON)}).all()
        if len(alive) > 1:
            raise NotAllowed(
                "Other godaemons use the database, and sign with the present key. Stop all but this"
                " one; afterwards copy token.key and token.key.old from its state folder to theirs."
            )
