"""The only clock: everything else takes the present moment, or a `Clock`, as an argument.

The machine's clock may jump if it is set by hand, or by a time server long after the start.
`Clock` does not jump with it; `outages_and_pauses` records the remaining gaps, also between runs.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

STEP = timedelta(minutes=1)
"""The largest correction that is applied at once."""
SETTLED = 600.0
"""Seconds after which a jump of the machine's clock is believed."""


def _machine_time() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - this is the place


class Clock:
    """The machine's clock without its jumps, which can also wait; tests turn one by hand.

    It runs as the kernel counts time (suspend included). A small correction is applied at once, but
    never backwards; a jump is applied once it has lasted for `SETTLED` seconds.
    """

    def __init__(
        self,
        machine: Callable[[], datetime] = _machine_time,
        counted: Callable[[], float] = lambda: time.clock_gettime(time.CLOCK_BOOTTIME),
    ) -> None:
        self._machine, self._counted = machine, counted
        self._lock = threading.Lock()
        self._now, self._read = machine(), counted()
        self._since = self._read
        self.jump = timedelta()
        """The lead of the machine's clock over this one: a jump that is not yet believed."""

    def now(self) -> datetime:
        """The present moment, in UTC."""
        with self._lock:
            read = self._counted()
            self._now += timedelta(seconds=read - self._read)
            self._read = read
            self._adjust(self._machine() - self._now)
            return self._now

    def _adjust(self, ahead: timedelta) -> None:
        if abs(ahead) <= STEP:
            self.jump = timedelta()
            self._now += max(ahead, timedelta())
        elif abs(ahead - self.jump) > STEP:
            self.jump, self._since = ahead, self._read
        elif self._read - self._since >= SETTLED:
            self.jump = timedelta()
            self._now += ahead

    async def wait(self, event: asyncio.Event, seconds: float) -> bool:
        """Wait for an event, with a timeout in seconds; returns whether the event was set."""
        with contextlib.suppress(TimeoutError):  # wait_for can lose a simultaneous cancellation
            async with asyncio.timeout(seconds):
                await event.wait()
        return event.is_set()

    async def sleep(self, seconds: float) -> None:
        """Wait for some seconds."""
        await self.wait(asyncio.Event(), seconds)
