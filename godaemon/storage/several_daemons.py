"""The holder: a daemon's session on a database server, with its locks and news of other daemons.

The locks are advisory (PostgreSQL 15, 13.3.5). The server releases them when the connection ends,
for whatever reason, so clocks need not agree. One lock, shared by all daemons, forbids migrations
(`locks`). One shows that the daemon is alive; its number is the `holder` in the rows of the
daemon's leases, pending moves and kept notices. When that lock has been free for a while, another
daemon takes those rows over (`lock_if_dead`). The other locks are for tasks that only one daemon
may run, and pass to the next daemon at once.

After a lost connection we reconnect, and take the locks that no other daemon has taken meanwhile.
If that takes longer than `DEAD_AFTER`, we give up all of them. A task that loses its lock gets a
`TimeoutError`; a lost lease shows in the store (`outbox_store`). NOTIFY belongs to a transaction:
it arrives after COMMIT, and never after a rollback. Notifications are lost without a connection, so
after reconnecting everything is checked.

A SQLite store has one daemon, which gets every lock.
"""

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
from typing import Any, Protocol

import sqlalchemy as sa
import structlog
from sqlalchemy.engine import Connection

from godaemon.errors import ConfigError, NotAllowed, Temporary
from godaemon.storage.connections import (
    connect,
    explain_errors,
    not_stored,
    read_url,
    shared_session_error,
    sqlite_path,
)
from godaemon.storage.locks import migration_waits, share_tables
from godaemon.storage.migrations import CHANNEL, LEAVE
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import Committed
from godaemon.system.clock import Clock

POLL_INTERVAL = 0.5
"""Seconds between two polls for dead daemons and free locks."""
DEAD_AFTER = 2.0
"""Seconds without its lock after which a daemon counts as dead; reconnecting takes less."""
_MAX_PAYLOAD = 7999
"""Maximum bytes of a notification; longer news is replaced by the sender's number alone."""


class Lock(IntEnum):
    """The purpose of an advisory lock, which is its first number."""

    DAEMON = int.from_bytes(b"god1")
    DUTY = int.from_bytes(b"god2")
    """The background jobs that only one daemon may run (`daemon.other_daemons`)."""
    GAME = int.from_bytes(b"god3")
    """An engine's game, by its number."""


Key = tuple[Lock, int]
_TRY_LOCK = "pg_try_advisory_lock"
_ALIVE = (
    "SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND classid = :purpose"
    " AND objsubid = 2 AND granted AND database ="
    " (SELECT oid FROM pg_database WHERE datname = current_database())"
)
_DEAD_HOLDERS = sa.text(
    "SELECT holder FROM (SELECT holder FROM outbox WHERE status = 'waiting' AND lease IS NOT NULL"  # noqa: S608
    " UNION SELECT holder FROM pencil UNION SELECT holder FROM kept) AS leaving"
    f" WHERE holder NOT IN ({_ALIVE})"
)
"""Finds dead daemons with rows that nobody has taken over."""
_TELL = sa.text(f"SELECT pg_notify('{CHANNEL}', :message)")
_GAMES = ("games", "rekeyed", "rewritten")
_log = structlog.get_logger("storage")


class NewsListener(Protocol):
    """Receives news of other daemons' commits, on the event loop."""

    def receive(self, news: Committed) -> None:
        """Receive what another daemon has committed."""

    def catch_up(self) -> None:
        """Check everything: any commit may have been missed."""


@dataclass(slots=True)
class _LockRequest:
    """A task's request for a lock."""

    scope: asyncio.Timeout
    granted: asyncio.Event = field(default_factory=asyncio.Event)

    def lose(self) -> None:
        """Cancel the task if it holds the lock: another daemon may have it by now."""
        if self.granted.is_set() and not self.scope.expired():
            self.scope.reschedule(asyncio.get_running_loop().time())


class Holder:
    """A daemon's session on a server: `open` it, run `watch_others`, `close` it."""

    def __init__(self, url: str) -> None:
        place = read_url(url)
        self._engine = connect(place) if sqlite_path(place) is None else None
        self._connection: Connection | None = None
        self.id = None if self._engine is None else 1 + secrets.randbelow(2**31 - 1)
        """The daemon's number; None for a SQLite store's only daemon."""
        self._held_at = float("-inf")
        """When the last successful poll began: the server had our locks then."""
        self._requests: dict[Key, _LockRequest] = {}
        self._polled: frozenset[Key] = frozenset()
        """The locks that the last poll requested."""
        self._held: set[Key] = set()
        self._dead: Collection[int] = ()
        """Dead daemons with rows that nobody has taken over, at the last poll."""
        self._reconnected = False
        """Whether notifications may have been lost since the last poll."""
        self._missed: dict[int, float] = {}
        """Dead daemons with such rows, and when each was first missing."""
        self._listener: NewsListener | None = None
        self._ended: asyncio.Future[None] | None = None
        """Gets the exception if this daemon has to leave."""
        self._wake = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, "holder")
        """A thread of its own, because the shared ones may all be busy."""
        self._lock = threading.Lock()

    @property
    def several(self) -> bool:
        """True if there can be other daemons."""
        return self.id is not None

    @property
    def holds_locks(self) -> bool:
        """True while no other daemon can consider us dead."""
        return not self.several or time.monotonic() - self._held_at < DEAD_AFTER

    def open(self) -> None:
        """Take the daemon's locks; raises `Temporary`, `ConfigError`, `Busy`."""
        if self._engine is not None:
            self._poll(frozenset())
            self._reconnected = False

    def close(self) -> None:
        """Wait for a poll in progress, and release all locks."""
        with self._lock:
            self._disconnect()
            if self._engine is not None:
                self._engine.dispose()
            self._engine = None
        self._thread.shutdown(wait=False)

    @contextlib.asynccontextmanager
    async def exclusive(self, purpose: Lock, number: int = 0) -> AsyncIterator[None]:
        """Wait for a lock and hold it in the body; raises `TimeoutError` if the lock is lost."""
        if self._engine is None:
            yield
            return
        key = purpose, number
        async with asyncio.timeout(None) as scope:
            request = self._requests[key] = _LockRequest(scope)
            self._wake.set()
            try:
                await request.granted.wait()
                yield
            finally:
                del self._requests[key]
                self._wake.set()

    def tell(self, unit: Unit, news: Committed) -> None:
        """Announce a transaction to the other daemons at its COMMIT."""
        changes = {name: sorted(games) for name in _GAMES if (games := getattr(news, name))}
        if not changes and not news.outbox:
            return
        text = f"{self.id} {json.dumps({**changes, 'outbox': news.outbox}, separators=(',', ':'))}"
        message = text if len(text) <= _MAX_PAYLOAD else str(self.id)
        unit.connection.execute(_TELL, {"message": message})

    async def listen(self, listener: NewsListener) -> None:
        """Pass other daemons' news to `listener`; raises `ConfigError` if we must leave."""
        self._listener = listener
        self._ended = asyncio.get_running_loop().create_future()
        self._wake.set()
        await self._ended

    async def watch_others(self, clock: Clock) -> None:
        """Poll the server for the other daemons and for requested locks, until closed."""
        expiring = asyncio.create_task(self._watch_expiry(clock))
        try:
            while self._engine is not None:
                self._wake.clear()
                try:
                    poll = partial(self._poll, frozenset(self._requests))
                    messages = await asyncio.get_running_loop().run_in_executor(self._thread, poll)
                except ConfigError as fault:  # reconnecting would not help
                    self._leave(fault)
                    await clock.sleep(POLL_INTERVAL)
                except Temporary as fault:
                    _log.warning("store.not-listening", detail=fault.detail or fault.public)
                    await clock.sleep(POLL_INTERVAL)
                else:
                    self._act_on(messages)
                    await self._wait_for_news(clock)
        finally:
            expiring.cancel()

    async def _watch_expiry(self, clock: Clock) -> None:
        """Drop our locks when the server may have given them to another daemon."""
        while self._engine is not None:
            if not self.holds_locks:
                for request in self._requests.values():
                    request.lose()
            await clock.sleep(POLL_INTERVAL)

    def _leave(self, why: ConfigError) -> None:
        """Make `listen` raise an error; our locks are kept until `close`."""
        if self._ended is None:
            raise why
        if not self._ended.done():
            self._ended.set_exception(why)

    async def _wait_for_news(self, clock: Clock) -> None:
        """Wait for the next beat, a request for a lock, or news of other daemons."""
        connection = self._connection
        if connection is None or self._listener is None:
            await clock.wait(self._wake, POLL_INTERVAL)
            return
        loop, driver = asyncio.get_running_loop(), _driver(connection)
        place = driver.fileno()
        loop.add_reader(place, self._wake.set)
        try:
            await clock.wait(self._wake, POLL_INTERVAL)
        finally:
            loop.remove_reader(place)

    def dead_daemons(self) -> list[int]:
        """The daemons missing for `DEAD_AFTER`, with rows that nobody has taken over."""
        now = asyncio.get_running_loop().time()
        return [one for one, since in self._missed.items() if now - since >= DEAD_AFTER]

    def _act_on(self, messages: Sequence[str]) -> None:
        now = asyncio.get_running_loop().time()
        self._missed = {one: self._missed.get(one, now) for one in self._dead}
        for key, request in self._requests.items():
            if key in self._held:
                request.granted.set()
            else:
                request.lose()
        if self._listener is not None and self._reconnected:
            _log.info("store.listening")
            self._listener.catch_up()
        self._reconnected = False
        for message in messages:
            self._pass_on(message)

    def _pass_on(self, message: str) -> None:
        if message == LEAVE:
            self._leave(
                ConfigError(
                    "A newer godaemon is changing the tables of the database, and this one would"
                    " not understand them. Install that version here, too, and start it again."
                )
            )
            return
        sender, _, text = message.partition(" ")
        if sender == str(self.id) or self._listener is None:
            return
        try:
            changes = json.loads(text)
            games = {name: frozenset(map(int, changes.get(name, ()))) for name in _GAMES}
            news = Committed(outbox=bool(changes["outbox"]), **games)
        except (ValueError, TypeError, KeyError, AttributeError):  # too long, or not a daemon's
            self._listener.catch_up()
        else:
            self._listener.receive(news)

    # -- on a thread, one at a time ------------------------------------------------------------
    def _poll(self, keys: frozenset[Key]) -> Sequence[str]:
        """Update our locks and the dead daemons; returns the other daemons' notifications."""
        with self._lock:
            try:
                with explain_errors():
                    return self._poll_locked(keys)
            except BaseException:
                self._disconnect()
                raise

    def _poll_locked(self, keys: frozenset[Key]) -> Sequence[str]:
        connection = self._connection or self._connect()
        messages = self._notifications(connection) if self._listener is not None else []
        if LEAVE in messages and not migration_waits(connection):
            _log.warning("store.leave-ignored", detail="no program waits to migrate the tables")
            messages = [message for message in messages if message != LEAVE]
        is_due = time.monotonic() - self._held_at >= POLL_INTERVAL / 2
        if is_due or self._reconnected or keys != self._polled:
            self._update_locks(connection, keys)
        return messages

    def _update_locks(self, connection: Connection, keys: frozenset[Key]) -> None:
        began = time.monotonic()
        for key in self._held - keys:
            _call(connection, "pg_advisory_unlock", key)
        self._held &= keys
        self._held |= {one for one in keys - self._held if _call(connection, _TRY_LOCK, one)}
        self._dead = set(connection.scalars(_DEAD_HOLDERS, {"purpose": int(Lock.DAEMON)}))
        self._polled, self._held_at = keys, began
        if self.id in self._dead:
            raise shared_session_error()

    def _notifications(self, connection: Connection) -> list[str]:
        driver = _driver(connection)
        try:
            return [one.payload for one in driver.notifies(timeout=0)]
        except driver.OperationalError as fault:
            raise not_stored("its server does not answer", str(fault)) from fault

    def _connect(self) -> Connection:
        """A session that listens, and holds the locks of the tables and of a daemon."""
        if self._engine is None:
            raise not_stored("godaemon is stopping", "the holder is closed")
        self._connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        self._connection.exec_driver_sql(f"LISTEN {CHANNEL}")
        share_tables(self._connection)
        if not _call(self._connection, _TRY_LOCK, (Lock.DAEMON, self.id or 0)):
            raise not_stored("another godaemon takes over from us", f"holder {self.id}")
        self._reconnected = True
        return self._connection

    def _disconnect(self) -> None:
        self._held = set()
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None


def _driver(connection: Connection) -> Any:  # noqa: ANN401 - a connection of psycopg
    return connection.connection.driver_connection


def _call(connection: Connection, function: str, key: Key) -> bool:
    """Call a function of advisory locks (PostgreSQL 15, 9.27.10)."""
    return bool(connection.exec_driver_sql(f"SELECT {function}({key[0]:d}, {key[1]:d})").scalar())


def lock_if_dead(connection: Connection, holder: int) -> bool:
    """Lock a dead daemon's rows until the transaction ends; False if the daemon is alive."""
    return _call(connection, "pg_try_advisory_xact_lock", (Lock.DAEMON, holder))


def require_only_daemon(connection: Connection) -> None:
    """Raise `NotAllowed` if several daemons use a server's database."""
    if connection.dialect.name != "sqlite":
        alive = connection.execute(sa.text(_ALIVE), {"purpose": int(Lock.DAEMON)}).all()
        if len(alive) > 1:
            raise NotAllowed(
                "Other godaemons use the database, and sign with the present key. Stop all but this"
                " one; afterwards copy token.key and token.key.old from its state folder to theirs."
            )
