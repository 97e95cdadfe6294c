"""The holder: one of several daemons on a database, and all that it has to itself while it lives.

Advisory locks of a session are the heartbeat (PostgreSQL 15, 13.3.5): the server lets go of them
when that connection ends, however it ends, so that there is no clock to agree on. One says that the
daemon lives; what it has leased or written down is by its number, and is taken over (`bury`) where
that lock has been free for a while. Others say what it alone does, and go to the next at once.

A connection that was lost while we live is made anew, and the locks are taken again. What another
has by then is ours no more, nor is anything while that takes longer than the others wait: whoever
does it is told by a `TimeoutError`, and of what was leased the store tells (`outbox_store`). What
we leased or wrote down after we were taken for dead is found, too (`_ORPHANED`). A SQLite store has
one daemon, to which all of it is always granted.
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
"""Seconds between two looks at who lives, and for what another has."""
GRACE = 2.0
"""How many seconds a daemon is not to be seen before what it left is taken over: one whose
connection was lost is back by then."""


class Lock(IntEnum):
    """The first of an advisory lock's two numbers: what is had by it. The second says which."""

    DAEMON = int.from_bytes(b"god1")
    DUTY = int.from_bytes(b"god2")
    """What goes on by itself, for all players, and must not twice."""
    GAME = int.from_bytes(b"god3")
    """An engine's game."""


Key = tuple[Lock, int]
_TAKE = sa.text("SELECT pg_try_advisory_lock(:what, :number)")
_GIVE = sa.text("SELECT pg_advisory_unlock(:what, :number)")
_CALL = sa.text("INSERT INTO holder (id) VALUES (:number) ON CONFLICT DO NOTHING")
_ALIVE = (
    "SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND classid = :what"
    " AND objsubid = 2 AND granted AND database ="
    " (SELECT oid FROM pg_database WHERE datname = current_database())"
)
_GONE = sa.text(f"SELECT id FROM holder WHERE id NOT IN ({_ALIVE})")  # noqa: S608 - our own words
_ORPHANED = sa.text(
    "SELECT holder FROM (SELECT holder FROM outbox WHERE status = 'waiting' AND lease IS NOT NULL"  # noqa: S608
    " UNION SELECT holder FROM pencil UNION SELECT holder FROM kept) AS leaving"
    f" WHERE holder NOT IN ({_ALIVE})"
)
"""Daemons that have left something and are not known any more: taken over once, they lived on."""
_ORPHANS_EVERY = 20
"""Looks from one search for them to the next."""
_TAKE_HERE = sa.text("SELECT pg_try_advisory_xact_lock(:what, :number)")
_FORGET = sa.text("DELETE FROM holder WHERE id = :number")
_log = structlog.get_logger("godaemon")


class Seen(NamedTuple):
    """What a look at the server has shown."""

    had: frozenset[Key]
    """What is ours alone."""
    gone: Collection[int]
    """The daemons that are not there, and have left things."""


@dataclass(slots=True)
class _Wish:
    """Something that one task wants to do alone."""

    scope: asyncio.Timeout
    granted: asyncio.Event = field(default_factory=asyncio.Event)

    def lose(self) -> None:
        """End what is done alone, if it is: another may do it by now."""
        if self.granted.is_set() and not self.scope.expired():
            self.scope.reschedule(asyncio.get_running_loop().time())


class Holder:
    """One daemon, among those of its database. `open` it, then `keep` it, until `close`."""

    def __init__(self, url: str) -> None:
        place = read_url(url)
        self._engine = None if place.get_backend_name() == "sqlite" else connect(place)
        self._connection: Connection | None = None
        self.id = None if self._engine is None else 1 + secrets.randbelow(2**31 - 1)
        """Its number; None for the one daemon of a SQLite store."""
        self._held_at = float("-inf")
        """When the server was last seen to have us among the living."""
        self._looks, self._orphans = 0, set[int]()
        self._wishes: dict[Key, _Wish] = {}
        self._had: set[Key] = set()
        self._missed: dict[int, float] = {}
        """Since when daemons have not been seen."""
        self._stir = asyncio.Event()
        self._eye = ThreadPoolExecutor(1, "holder")
        """A thread of its own: where the others are all busy, we live none the less."""
        self._gate = threading.Lock()

    @property
    def several(self) -> bool:
        """Whether there may be others."""
        return self.id is not None

    @property
    def held(self) -> bool:
        """Whether no other daemon can take us for dead yet; always, where there is none."""
        return not self.several or time.monotonic() - self._held_at < GRACE

    def open(self) -> None:
        """Be known to live, before anything is ours; raises `Temporary`."""
        if self._engine is not None:
            self._look(frozenset())

    def close(self) -> None:
        """Let go of everything, once a look that is under way has ended."""
        with self._gate:
            self._let_go()
            if self._engine is not None:
                self._engine.dispose()
            self._engine = None
        self._eye.shutdown(wait=False)

    @contextlib.asynccontextmanager
    async def alone(self, what: Lock, number: int = 0) -> AsyncIterator[None]:
        """Wait until nobody else does something, and have no other do it meanwhile.

        Raises `TimeoutError` where another does it by now, because our connection was lost.
        """
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
        """Live, for ever: see who else does, and have what is wished for, where it is free."""
        doubting = asyncio.create_task(self._doubt(clock))
        try:
            await self._look_on(clock)
        finally:
            doubting.cancel()

    async def _doubt(self, clock: Clock) -> None:
        """Give up what is ours alone, once another may have it because the server sees us not."""
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
        """The daemons that have not been seen for a while, and have left things."""
        now = asyncio.get_running_loop().time()
        return [one for one, since in self._missed.items() if now - since >= GRACE]

    def buried(self, dead: int) -> None:
        """What that one left is taken over."""
        self._orphans = self._orphans - {dead}

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
        what, self._looks = {"what": int(Lock.DAEMON)}, self._looks + 1
        gone = set(connection.scalars(_GONE, what))
        if self._looks % _ORPHANS_EVERY == 0:
            self._orphans = set(connection.scalars(_ORPHANED, what))
        gone |= self._orphans
        self._held_at = began
        if self.id in gone:
            raise lent_session()
        return Seen(frozenset(self._had), gone)

    def _connect(self) -> Connection:
        """A session with the lock that says that we live, and none of the others."""
        if self._engine is None:
            raise not_stored("godaemon is stopping", "the holder is closed")
        self._connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        if not _taken(self._connection, (Lock.DAEMON, self.id or 0)):
            raise not_stored("another godaemon takes over what we left", f"holder {self.id}")
        self._connection.execute(_CALL, {"number": self.id})
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
    """Whether what a daemon left is for this transaction to take over, all of it: it has ended."""
    if not connection.scalar(_TAKE_HERE, _numbers((Lock.DAEMON, holder))):
        return False
    connection.execute(_FORGET, {"number": holder})
    return True


def hold_only_one(connection: Connection) -> None:
    """Raise `NotAllowed` if several daemons use a server's database."""
    if connection.dialect.name != "sqlite":
        alive = connection.execute(sa.text(_ALIVE), {"what": int(Lock.DAEMON)}).all()
        if len(alive) > 1:
            raise NotAllowed(
                "Other godaemons use the database, and sign with the present key. Stop all but this"
                " one; afterwards copy token.key and token.key.old from its state folder to theirs."
            )
