"""The commit hooks: the parts that hear of each COMMIT, and what each of them hears.

`Elsewhere` has them hear of those of other daemons, too, where several share a server.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from godaemon.daemon.engine_worker import EngineWorker
from godaemon.daemon.gtp_listener import GtpListeners
from godaemon.daemon.seat_service import SeatService
from godaemon.errors import GodaemonError
from godaemon.games.game_cache import GameCache
from godaemon.storage.unit_of_work import SqlUnit
from godaemon.storage.writer import Committed, WriterThread
from mailgate.delivery.outbox_worker import OutboxWorker

OTHERS_OWE = 1.0
"""Seconds that a daemon has to see out what it owes, before we look whether it is left to us."""


def commit_hook(
    loop: asyncio.AbstractEventLoop,
    seats: SeatService,
    gtp: GtpListeners,
    engines: EngineWorker,
) -> Callable[[Committed], None]:
    """The hook for the writer, which calls it after each COMMIT on its own thread."""
    hearers: tuple[Callable[[Committed], object], ...] = (
        lambda news: seats.changed(news.games),
        lambda news: gtp.rekeyed(news.rekeyed),
        lambda news: engines.changed(news.games),
    )

    def _on_commit(committed: Committed) -> None:
        for hear in hearers:  # each by itself: where one fails, the others hear all the same
            _call_soon(loop, partial(hear, committed))

    return _on_commit


def claim_hook(
    loop: asyncio.AbstractEventLoop, outbox: OutboxWorker
) -> Callable[[SqlUnit, Committed], Callable[[], None] | None]:
    """The hook by which what a transaction owes is claimed in it; its letters follow COMMIT."""

    def _before_commit(unit: SqlUnit, news: Committed) -> Callable[[], None] | None:
        if not news.outbox:
            return None
        return partial(_call_soon, loop, outbox.claim_owed(unit))

    return _before_commit


def _call_soon(loop: asyncio.AbstractEventLoop, call: Callable[[], object]) -> None:
    """Call it on the loop; where that is gone nobody waits for news, and a start sees to it."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(call)


@dataclass(slots=True)
class Elsewhere:
    """What other daemons have committed goes where our own does; all of it on the event loop."""

    loop: asyncio.AbstractEventLoop
    hook: Callable[[Committed], None]
    writer: WriterThread
    cache: GameCache
    outbox: OutboxWorker
    seats: SeatService
    gtp: GtpListeners
    engines: EngineWorker
    _owed: asyncio.TimerHandle | None = None
    _looking: asyncio.Task[None] | None = None

    def hear(self, news: Committed) -> None:
        """Another daemon has committed this."""
        if news.rewritten:
            self._forget(lambda: self.cache.drop(news.rewritten))
        self.hook(news)
        if news.outbox and self._owed is None:
            self._owed = self.loop.call_later(OTHERS_OWE, self._look_for_owed)

    def deafen(self) -> None:
        """Nothing is heard for a while."""
        self.seats.deafen()

    def look_again(self) -> None:
        """Anything may have been committed."""
        self._forget(self.cache.clear)
        self.seats.look_again()
        self.gtp.rekeyed(None)
        self.outbox.notify()
        self._looking = self.loop.create_task(self._look_at_engines())

    def in_doubt(self) -> None:
        """What we were committing may be there, or not; on any thread."""
        _call_soon(self.loop, self.look_again)

    def _look_for_owed(self) -> None:
        self._owed = None
        self.outbox.notify()

    async def _look_at_engines(self) -> None:
        with contextlib.suppress(GodaemonError):  # where the store is lost again, so is this
            await self.engines.look_again()

    def _forget(self, forget: Callable[[], None]) -> None:
        """On the writer's thread, which alone fills the cache."""
        with contextlib.suppress(GodaemonError):  # it is closed
            self.writer.submit(lambda _unit: forget())
