"""The eye of one of several daemons on the others: it takes over what a dead one left.

Where several serve one database (`godaemon.storage.holder`), each has its own leases in the outbox,
and its own programs' pending moves and kept notices. What goes on by itself is done by one of them
(`on_duty`).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

import structlog

from godaemon.daemon.engine_worker import EngineWorker
from godaemon.daemon.rounds import one_round, rest
from godaemon.daemon.seat_service import SeatService
from godaemon.games.store_protocols import LeftBehind
from godaemon.storage.holder import BEAT, Holder, Lock, bury
from godaemon.storage.unit_of_work import SqlUnit
from godaemon.storage.writer import WriterThread
from godaemon.system.clock import Clock
from mailgate.delivery.outbox_worker import OutboxWorker

_log = structlog.get_logger("godaemon")


async def on_duty(holder: Holder, *duties: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Do all of that, for ever, while no other daemon does."""
    while True:
        with contextlib.suppress(TimeoutError):
            async with holder.alone(Lock.DUTY), asyncio.TaskGroup() as group:
                if holder.several:
                    _log.info("daemon.on-duty", holder=holder.id)
                for duty in duties:
                    group.create_task(duty())
        _log.warning("daemon.off-duty", holder=holder.id)


@dataclass(frozen=True, slots=True)
class TakeOver:
    """One daemon's eye on the others."""

    holder: Holder
    writer: WriterThread
    clock: Clock
    seats: SeatService
    engines: EngineWorker
    outbox: OutboxWorker

    async def run(self) -> None:
        """Look after them, for ever."""
        while self.holder.several:
            for one in self.holder.gone():
                with one_round("daemon.not-taken-over"):
                    await self._bury(one)
            await rest(self.clock, BEAT)

    async def _bury(self, dead: int) -> None:
        """What a dead daemon had in hand becomes ours, or is free, in one transaction."""

        def _work(unit: SqlUnit) -> tuple[int, LeftBehind] | None:
            if not bury(unit.connection, dead):
                return None
            return unit.outbox.end_leases(self.clock.now(), dead), unit.seats.left_by(dead)

        if (found := await self.writer.run(_work)) is None:
            return  # another was quicker
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
        await self.seats.release_left(left)
        await self.engines.look_again()
