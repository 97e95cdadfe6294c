"""The holder: one of several daemons on a database, and the session that shows that it lives.

On that session a daemon listens to the others, and holds advisory locks (PostgreSQL 15, 13.3.5).
The server releases them when the connection ends, however it ends, so that no clocks need agree.
One lock, which all daemons share, keeps the tables as they are (`locks`); one says that the daemon
lives. Its leases, pending moves and kept notices bear its number; once that lock has been free for
a while, another daemon takes them over (`lock_if_dead`). Other locks are for tasks that only one
daemon may do, and pass to the next one at once.

After a lost connection we connect again, and take the locks that no other daemon has taken by
then. If that takes longer than the others wait, we give up all of them. A task that loses its lock
gets a `TimeoutError`; a lost lease shows in the store (`outbox_store`). NOTIFY is part of a
transaction: it arrives after COMMIT, and never after a rollback. Notifications are lost while
nobody listens, so after a lost connection everything is checked again.

A SQLite store has one daemon, to which everything is granted.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import threading
import time
from collections.abc import AsyncIterator, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial
from typing import Any, NamedTuple, Protocol

import sqlalchemy as sa
import structlog
from sqlalchemy.engine import Connection

from godaemon.errors import ConfigError, NotAllowed, Temporary
from godaemon.storage.connections import (
    connect,
    explain_errors,
    lent_session,
    not_stored,
    read_url,
    sqlite_path,
)
from godaemon.storage.locks import migration_waits, share_tables
from godaemon.storage.migrations import CHANNEL, LEAVE
from godaemon.storage.prepared import Prepared
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import Committed
from godaemon.system.clock import Clock

BEAT = 0.5
"""Seconds between two polls for dead daemons and free locks."""
GRACE = 2.0
"""Seconds unseen after which a daemon counts as dead; a lost connection is back by then."""
_LONGEST = 7999
"""The most bytes of a notification; longer news is replaced by a mere "something changed"."""


class Lock(IntEnum):
    """The purpose of an advisory lock, its first number; the second number tells which one."""

    DAEMON = int.from_bytes(b"god1")
    DUTY = int.from_bytes(b"god2")
    """Timers and the mailbox, which the daemon on duty looks after (`daemon.duties`)."""
    GAME = int.from_bytes(b"god3")
    """An engine's game."""


Key = tuple[Lock, int]
_TAKE = sa.text("SELECT pg_try_advisory_lock(:purpose, :number)")
_GIVE = sa.text("SELECT pg_advisory_unlock(:purpose, :number)")
_ALIVE = (
    "SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND classid = :purpose"
    " AND objsubid = 2 AND granted AND database ="
    " (SELECT oid FROM pg_database WHERE datname = current_database())"
)
_GONE = sa.text(
    "SELECT holder FROM (SELECT holder FROM outbox WHERE status = 'waiting' AND lease IS NOT NULL"  # noqa: S608
    " UNION SELECT holder FROM pencil UNION SELECT holder FROM kept) AS leaving"
    f" WHERE holder NOT IN ({_ALIVE})"
)
"""Dead daemons with rows that nobody has taken over."""
_TAKE_HERE = sa.text("SELECT pg_try_advisory_xact_lock(:purpose, :number)")
_TELL = Prepared(sa.text(f"SELECT pg_notify('{CHANNEL}', :message)"))
_GAMES = ("games", "rekeyed", "rewritten")
_log = structlog.get_logger("storage")


class NewsHearer(Protocol):
    """Hears of other daemons' commits, on the event loop."""

    def hear(self, news: Committed) -> None:
        """Another daemon has committed this."""

    def news_lost(self) -> None:
        """From now until `catch_up`, news of commits may be missing."""

    def catch_up(self) -> None:
        """Assume that anything may have been committed since."""


class PollResult(NamedTuple):
    """The result of polling the server."""

    locks: frozenset[Key]
    """The locks that we hold."""
    dead: Collection[int]
    """Dead daemons with rows that nobody has taken over."""
    notifications: Sequence[str]
    """From other daemons."""
    reconnected: bool
    must_leave: bool
    """True if a newer program waits for us to leave."""


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
    """One daemon among those of its database: `open` it, have it `watch_others`, `close` it."""

    def __init__(self, url: str) -> None:
        place = read_url(url)
        self._engine = connect(place) if sqlite_path(place) is None else None
        self._connection: Connection | None = None
        self.id = None if self._engine is None else 1 + secrets.randbelow(2**31 - 1)
        """The daemon's number; None for the only one of a SQLite store."""
        self._held_at = float("-inf")
        """When the server was last seen to have our locks."""
        self._wishes: dict[Key, _Wish] = {}
        self._asked: frozenset[Key] = frozenset()
        """The locks that the last poll asked for."""
        self._had: set[Key] = set()
        self._gone: Collection[int] = ()
        self._missed: dict[int, float] = {}
        """Since when each daemon with rows to take over has been missing."""
        self._hearer: NewsHearer | None = None
        self._ended: asyncio.Future[None] | None = None
        """Raises why this daemon has to leave."""
        self._wake = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, "holder")
        """A thread of its own: the others may all be busy."""
        self._lock = threading.Lock()

    @property
    def several(self) -> bool:
        """True if there can be other daemons."""
        return self.id is not None

    @property
    def holds_locks(self) -> bool:
        """True while no other daemon can think that we are dead."""
        return not self.several or time.monotonic() - self._held_at < GRACE

    def open(self) -> None:
        """Take the locks of a live daemon and of the tables; raises `Temporary`, `ConfigError`."""
        if self._engine is not None:
            self._look(frozenset())

    def close(self) -> None:
        """Release all locks, after a poll in progress."""
        with self._lock:
            self._disconnect()
            if self._engine is not None:
                self._engine.dispose()
            self._engine = None
        self._thread.shutdown(wait=False)

    @contextlib.asynccontextmanager
    async def exclusive(self, purpose: Lock, number: int = 0) -> AsyncIterator[None]:
        """Wait for a lock, and hold it; raises `TimeoutError` if it is lost with the connection."""
        if self._engine is None:
            yield
            return
        key = purpose, number
        async with asyncio.timeout(None) as scope:
            wish = self._wishes[key] = _Wish(scope)
            self._wake.set()
            try:
                await wish.granted.wait()
                yield
            finally:
                del self._wishes[key]
                self._wake.set()

    def tell(self, unit: Unit, news: Committed) -> None:
        """Announce a transaction to the other daemons once it is committed."""
        changes = {name: sorted(games) for name in _GAMES if (games := getattr(news, name))}
        if not changes and not news.outbox:
            return
        text = f"{self.id} {json.dumps({**changes, 'outbox': news.outbox}, separators=(',', ':'))}"
        _TELL.run(unit.connection, message=text if len(text) <= _LONGEST else str(self.id))

    async def listen(self, hearer: NewsHearer) -> None:
        """Tell `hearer` what others commit, forever; raises `ConfigError` if we have to leave."""
        self._hearer = hearer
        self._ended = asyncio.get_running_loop().create_future()
        self._wake.set()
        await self._ended

    async def watch_others(self, clock: Clock) -> None:
        """Look at the other daemons and take wanted locks, forever."""
        expiring = asyncio.create_task(self._watch_expiry(clock))
        try:
            while self._engine is not None:
                self._wake.clear()
                try:
                    look = partial(self._look, frozenset(self._wishes))
                    polled = await asyncio.get_running_loop().run_in_executor(self._thread, look)
                except ConfigError as fault:  # a new connection could not serve us either
                    self._leave(fault)
                    await clock.sleep(BEAT)
                except Temporary as fault:
                    _log.warning("store.deaf", detail=fault.detail or fault.public)
                    if self._hearer is not None:
                        self._hearer.news_lost()
                    await clock.sleep(BEAT)
                else:
                    self._act_on(polled)
                    await self._wait_for_news(clock)
        finally:
            expiring.cancel()

    async def _watch_expiry(self, clock: Clock) -> None:
        """Give up our locks once the server may have given them to another daemon."""
        while self._engine is not None:
            if not self.holds_locks:
                for wish in self._wishes.values():
                    wish.lose()
            await clock.sleep(BEAT)

    def _leave(self, why: ConfigError) -> None:
        """Make `listen` raise this error; our locks are kept until `close`."""
        if self._ended is None:
            raise why
        if not self._ended.done():
            self._ended.set_exception(why)

    async def _wait_for_news(self, clock: Clock) -> None:
        """Wait for the next beat, a wanted lock, or news of other daemons."""
        connection = self._connection
        if connection is None or self._hearer is None:
            await clock.wait(self._wake, BEAT)
            return
        loop, driver = asyncio.get_running_loop(), _driver(connection)
        place = driver.fileno()
        loop.add_reader(place, self._wake.set)
        try:
            await clock.wait(self._wake, BEAT)
        finally:
            loop.remove_reader(place)

    def dead_daemons(self) -> list[int]:
        """Daemons unseen for `GRACE` whose rows nobody has taken over."""
        now = asyncio.get_running_loop().time()
        return [one for one, since in self._missed.items() if now - since >= GRACE]

    def _act_on(self, polled: PollResult) -> None:
        now = asyncio.get_running_loop().time()
        self._missed = {one: self._missed.get(one, now) for one in polled.dead}
        for key, wish in self._wishes.items():
            if key in polled.locks:
                wish.granted.set()
            else:
                wish.lose()
        if self._hearer is not None and polled.reconnected:
            _log.info("store.listening")
            self._hearer.catch_up()
        if polled.must_leave:
            self._leave(
                ConfigError(
                    "A newer godaemon is changing the tables of the database, and this one would"
                    " not understand them. Install that version here, too, and start it again."
                )
            )
        for message in polled.notifications:
            self._pass_on(message)

    def _pass_on(self, message: str) -> None:
        sender, _, text = message.partition(" ")
        if sender == str(self.id) or self._hearer is None:
            return
        try:
            changes = json.loads(text)
            games = {name: frozenset(map(int, changes.get(name, ()))) for name in _GAMES}
            news = Committed(outbox=bool(changes["outbox"]), **games)
        except (ValueError, TypeError, KeyError, AttributeError):  # too long, or not from us
            self._hearer.catch_up()
        else:
            self._hearer.hear(news)

    # -- on a thread, one at a time ------------------------------------------------------------
    def _look(self, wishes: frozenset[Key]) -> PollResult:
        with self._lock:
            try:
                with explain_errors():
                    return self._look_locked(wishes)
            except BaseException:
                self._disconnect()
                raise

    def _look_locked(self, wishes: frozenset[Key]) -> PollResult:
        reconnected = self._connection is None
        connection = self._connection or self._connect()
        messages = self._notifications(connection) if self._hearer is not None else []
        leave = LEAVE in messages and migration_waits(connection)
        if LEAVE in messages and not leave:
            _log.warning("store.not-left", detail="asked to leave, but no program waits for it")
        if reconnected or wishes != self._asked or time.monotonic() - self._held_at >= BEAT / 2:
            self._poll(connection, wishes)
        messages = [message for message in messages if message != LEAVE]
        return PollResult(frozenset(self._had), self._gone, messages, reconnected, leave)

    def _poll(self, connection: Connection, wishes: frozenset[Key]) -> None:
        began = time.monotonic()
        for key in self._had - wishes:
            connection.execute(_GIVE, _key_numbers(key))
        self._had &= wishes
        self._had |= {key for key in wishes - self._had if _take_lock(connection, key)}
        self._gone = set(connection.scalars(_GONE, {"purpose": int(Lock.DAEMON)}))
        self._asked, self._held_at = wishes, began
        if self.id in self._gone:
            raise lent_session()

    def _notifications(self, connection: Connection) -> list[str]:
        driver = _driver(connection)
        try:
            return [one.payload for one in driver.notifies(timeout=0)]
        except driver.OperationalError as fault:
            raise not_stored("its server does not answer", str(fault)) from fault

    def _connect(self) -> Connection:
        """A session that listens, and holds the locks for the tables and for a live daemon."""
        if self._engine is None:
            raise not_stored("godaemon is stopping", "the holder is closed")
        self._connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        self._connection.exec_driver_sql(f"LISTEN {CHANNEL}")
        share_tables(self._connection)
        if not _take_lock(self._connection, (Lock.DAEMON, self.id or 0)):
            raise not_stored("another godaemon takes over what we left", f"holder {self.id}")
        return self._connection

    def _disconnect(self) -> None:
        self._had = set()
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None


def _driver(connection: Connection) -> Any:  # noqa: ANN401 - a connection of psycopg
    return connection.connection.driver_connection


def _key_numbers(key: Key) -> dict[str, int]:
    return {"purpose": int(key[0]), "number": key[1]}


def _take_lock(connection: Connection, key: Key) -> bool:
    return bool(connection.scalar(_TAKE, _key_numbers(key)))


def lock_if_dead(connection: Connection, holder: int) -> bool:
    """Lock the rows of a dead daemon for take-over; False if it is alive."""
    return bool(connection.scalar(_TAKE_HERE, _key_numbers((Lock.DAEMON, holder))))


def require_only_daemon(connection: Connection) -> None:
    """Raise `NotAllowed` if several daemons use a server's database."""
    if connection.dialect.name != "sqlite":
        alive = connection.execute(sa.text(_ALIVE), {"purpose": int(Lock.DAEMON)}).all()
        if len(alive) > 1:
            raise NotAllowed(
                "Other godaemons use the database, and sign with the present key. Stop all but this"
                " one; afterwards copy token.key and token.key.old from its state folder to theirs."
            )
