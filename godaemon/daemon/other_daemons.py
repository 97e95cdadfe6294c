"""Follows the other daemons on a database server, and takes over the work of dead ones.

Also runs the background jobs that only one daemon may run. The locks and the news of commits come
from `godaemon.storage.several_daemons`.
"""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

import structlog

from godaemon.daemon.core import Core
from godaemon.daemon.engine_worker import EngineWorker
from godaemon.daemon.gtp_listener import GtpListeners
from godaemon.daemon.timers import one_round
from godaemon.errors import GodaemonError
from godaemon.games.stored_values import OrphanedWork
from godaemon.storage.several_daemons import POLL_INTERVAL, Holder, Lock, lock_if_dead
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import Committed
from gtp.seat.stored_seat import SeatService
from mailgate.delivery.outbox_worker import OutboxWorker

UNSENT_AFTER = 1.0
"""Seconds that another daemon has to send its emails before we look for unsent ones."""
_log = structlog.get_logger("godaemon")


@dataclass(slots=True)
class OtherDaemons:
    """Acts on the news of other daemons, and takes over from dead ones; used on the event loop.

    The work of a dead daemon is its leases in the outbox, and the pending moves and kept notices of
    its programs.
    """

    core: Core
    hook: Callable[[Committed], None]
    outbox: OutboxWorker
    seats: SeatService
    gtp: GtpListeners
    engines: EngineWorker
    _unsent_timer: asyncio.TimerHandle | None = None
    _search: asyncio.Task[None] | None = None

    def receive(self, news: Committed) -> None:
        """Drop caches that a commit made stale; if it queued emails, look for unsent ones later."""
        if news.rewritten:
            self._run_on_writer(lambda: self.core.cache.drop(news.rewritten))
        self.hook(news)
        if news.outbox and self._unsent_timer is None:
            loop = asyncio.get_running_loop()
            self._unsent_timer = loop.call_later(UNSENT_AFTER, self._look_for_unsent)

    def catch_up(self) -> None:
        """Drop what may be stale, and look for work of which we may have missed the news."""
        self._run_on_writer(self.core.cache.clear)
        self.seats.wake_all_sessions()
        self.gtp.end_revoked_sessions(None)
        self.outbox.notify()
        self._search = asyncio.create_task(self._find_engine_games())

    def _look_for_unsent(self) -> None:
        self._unsent_timer = None
        self.outbox.notify()

    async def _find_engine_games(self) -> None:
        with contextlib.suppress(GodaemonError):  # without the store, the next catch_up tries again
            await self.engines.find_games()

    def _run_on_writer(self, forget: Callable[[], None]) -> None:
        """Run a function on the writer's thread, the only one that may change the cache."""
        with contextlib.suppress(GodaemonError):  # the writer is closed
            self.core.writer.submit(lambda _unit: forget())

    # -- taking over from a dead daemon ---------------------------------------------------------
    async def watch(self) -> None:
        """Take over from dead daemons, forever; a SQLite store has none."""
        holder = self.core.holder
        while holder.several:
            for dead in holder.dead_daemons():
                with one_round("daemon.not-taken-over"):
                    await self._take_over(dead)
            await self.core.clock.sleep(POLL_INTERVAL)

    async def _take_over(self, dead: int) -> None:
        """Take over the leases and pending moves of a dead daemon, in one transaction."""

        def _work(unit: Unit) -> tuple[int, OrphanedWork] | None:
            if not lock_if_dead(unit.connection, dead):
                return None
            return unit.outbox.end_leases(self.core.clock.now(), dead), unit.seats.take_over(dead)

        if (found := await self.core.writer.run(_work)) is None:
            return  # another daemon has taken over
        letters, left = found
        if not (letters or left.moves or left.kept):
            return
        _log.info(
            "daemon.taken-over",
            holder=dead,
            letters=letters,
            moves=len(left.moves),
            notices=len(left.kept),
        )
        self.outbox.notify()
        await self.seats.release_orphaned_moves(left)
        await self.engines.find_games()


async def run_duties(holder: Holder, *duties: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run these jobs, forever, while this daemon holds the lock `Lock.DUTY`."""
    while True:
        with contextlib.suppress(TimeoutError):
            async with holder.exclusive(Lock.DUTY), asyncio.TaskGroup() as group:
                if holder.several:
                    _log.info("daemon.on-duty", holder=holder.id)
                for duty in duties:
                    group.create_task(duty())
        _log.warning("daemon.off-duty", holder=holder.id)
