"""Lets go, once a day, what has been done with for long (`[mail] remember_days`).

The logs of games that were over by then are packed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from godaemon.daemon.rounds import one_round, rest
from godaemon.storage import deletion, event_log, sqlite_file
from godaemon.storage.writer import WriterThread
from godaemon.system.clock import Clock

_FIRST = 600.0
_DAILY = 86400.0
_BETWEEN = 0.05
"""Seconds that are left to everybody else between two steps."""

_log = structlog.get_logger("godaemon")


@dataclass(frozen=True, slots=True)
class Pruning:
    """What a daemon lets go, and when."""

    writer: WriterThread
    days: Callable[[], int]
    clock: Clock
    in_grace: Callable[[datetime], bool]
    """True for some days after the clock has jumped: it may be the clock that is wrong."""

    async def daily(self) -> None:
        """Do so for ever."""
        await rest(self.clock, _FIRST)
        while True:
            with one_round("store.not-pruned"):
                if not self.in_grace(self.clock.now()):
                    await self.prune()
            await rest(self.clock, _DAILY)

    async def prune(self) -> int:
        """Do so now; returns how many rows that were."""
        gone, before = 0, self.clock.now() - timedelta(days=self.days())
        while done := await self.writer.run(lambda unit: deletion.prune(unit.connection, before)):
            gone += done
            await rest(self.clock, _BETWEEN)
        packed = await self._pack(before)
        if (store := self.writer.file) is not None:
            while await asyncio.to_thread(sqlite_file.give_back, store):
                await rest(self.clock, _BETWEEN)
            await asyncio.to_thread(sqlite_file.optimize, store)
        _log.info("store.pruned", count=gone, packed=packed)
        return gone

    async def _pack(self, before: datetime) -> int:
        """Pack the logs of games that were over before a moment; returns how many those were."""
        after: int | None = 0
        packed = 0
        while after is not None:
            some, after = await self.writer.run(
                lambda unit: event_log.pack_some(unit.connection, before, after)  # noqa: B023 - at once
            )
            packed += some
            await rest(self.clock, _BETWEEN)
        return packed
