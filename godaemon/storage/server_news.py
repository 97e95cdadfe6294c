"""News between the daemons on a server's database: each is told of the commits of the others.

NOTIFY is part of a transaction: it arrives after COMMIT, and never after a rollback (PostgreSQL 15,
SQL commands: NOTIFY). Notifications are lost while nobody listens, so after a lost connection
everything is looked at again. Raises `ConfigError` if this daemon has to leave.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from dataclasses import dataclass, field
from typing import Any, Protocol

import sqlalchemy as sa
import structlog

from godaemon.errors import ConfigError, Temporary
from godaemon.storage.connections import explained
from godaemon.storage.database import CHANNEL, LEAVE
from godaemon.storage.locks import ServerLock
from godaemon.storage.prepared import Prepared
from godaemon.storage.unit_of_work import SqlUnit
from godaemon.storage.writer import Committed
from godaemon.system.clock import Clock

_LONGEST = 7999
"""The most bytes of a notification; longer news is replaced by a mere "something changed"."""
_LOOK_EVERY = 10.0
"""Seconds of silence after which a connection is checked."""
_AGAIN, _LONGEST_WAIT = 0.1, 2.0
"""Seconds before reconnecting: at first, and at most."""
_TELL = Prepared(sa.text(f"SELECT pg_notify('{CHANNEL}', :said)"))
_GAMES = ("games", "rekeyed", "rewritten")
_log = structlog.get_logger("storage")


class Hearer(Protocol):
    """Hears what other daemons commit; called on the event loop."""

    def hear(self, news: Committed) -> None: ...

    def deafen(self) -> None:
        """Commits may go unheard from now on, until `look_again`."""

    def look_again(self) -> None:
        """Anything may have been committed meanwhile."""


@dataclass(frozen=True, slots=True)
class ServerNews:
    """One daemon: it `tell`s others in each transaction, and `listen`s to them."""

    lock: ServerLock
    clock: Clock
    me: str = field(default_factory=lambda: secrets.token_hex(4))
    """The prefix of its notifications, by which it ignores its own."""

    def tell(self, unit: SqlUnit, news: Committed) -> None:
        """Tell the other daemons of a transaction once it is committed."""
        said = {name: sorted(games) for name in _GAMES if (games := getattr(news, name))}
        if not said and not news.outbox:
            return
        text = f"{self.me} {json.dumps({**said, 'outbox': news.outbox}, separators=(',', ':'))}"
        _TELL.run(unit.connection, said=text if len(text) <= _LONGEST else self.me)

    async def listen(self, hearer: Hearer) -> None:
        """Listen forever; reconnect whenever the connection is lost."""
        never, wait = asyncio.Event(), _AGAIN
        while True:
            try:
                if await asyncio.to_thread(self.lock.hold):
                    _log.info("store.listening")
                    hearer.look_again()
                if await self._attend(hearer):
                    await asyncio.to_thread(self._leave)
                    hearer.look_again()  # other notifications in the same batch were dropped
                wait = _AGAIN
            except Temporary as trouble:
                _log.warning("store.deaf", detail=trouble.detail or trouble.public)
                await self.clock.wait(never, wait)
                wait = min(wait * 2, _LONGEST_WAIT)

    def _leave(self) -> None:
        """Raise `ConfigError` if a program really waits for us: anybody can send the message."""
        try:
            with explained():
                wanted = self.lock.wanted()
        except Temporary:
            return  # `hold` will see what is wrong
        if wanted:
            raise ConfigError(
                "A newer godaemon is changing the tables of the database, and this one would not"
                " understand them. Install that version here, too, and start it again."
            )
        _log.warning("store.not-left", detail="asked to leave, but no program waits for it")

    async def _attend(self, hearer: Hearer) -> bool:
        """Receive notifications until the connection is lost, or has long been silent.

        Returns True if we are asked to leave.
        """
        loop, wake, connection = asyncio.get_running_loop(), asyncio.Event(), self.lock.connection
        driver: Any = connection and connection.connection.driver_connection
        place = driver.fileno()
        loop.add_reader(place, wake.set)
        try:
            heard = True
            while heard:
                wake.clear()
                for said in [one.payload for one in driver.notifies(timeout=0)]:
                    if said == LEAVE:
                        return True
                    self._hear(said, hearer)
                heard = await self.clock.wait(wake, _LOOK_EVERY)
        except driver.OperationalError:  # `hold` will see what is wrong
            hearer.deafen()
        finally:
            loop.remove_reader(place)
        return False

    def _hear(self, said: str, hearer: Hearer) -> None:
        who, _, news = said.partition(" ")
        if who == self.me:
            return
        try:
            told = json.loads(news)
            games = {name: frozenset(map(int, told.get(name, ()))) for name in _GAMES}
            found = Committed(outbox=bool(told["outbox"]), **games)
        except (ValueError, TypeError, KeyError, AttributeError):  # too long, or not from us
            hearer.look_again()
        else:
            hearer.hear(found)
