"""The only clock: all other modules take the present moment, or a `Clock`, as an argument.

The machine's clock may jump if it is set by hand, or by a time server long after the start. `Clock`
delays such jumps; `outages_and_pauses` records the remaining gaps, also between runs.
"""

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

MAX_STEP = timedelta(minutes=1)
"""The limit on a correction that is applied at once."""
JUMP_DELAY = 600.0
"""Seconds after which a jump of the machine's clock is applied."""


class Clock:
    """The machine's clock without short jumps, and waiting; tests have one that is set by hand.

    It runs at the rate of the kernel's boot time, which includes suspend. A correction up to
    `MAX_STEP` is applied at once, but never backwards; a jump is applied after `JUMP_DELAY`.
    """

    def __init__(
        self,
        machine: Callable[[], datetime] = lambda: datetime.now(UTC),  # noqa: TID251 - the place
        seconds: Callable[[], float] = lambda: time.clock_gettime(time.CLOCK_BOOTTIME),
    ) -> None:
        self._machine, self._seconds = machine, seconds
        self._lock = threading.Lock()
        self._now, self._last_seconds = machine(), seconds()
        self._jump_start = self._last_seconds
        self.jump = timedelta()
        """The lead of the machine's clock over this one: a jump that is not applied yet."""

    def now(self) -> datetime:
        """The present moment, in UTC."""
        with self._lock:
            seconds = self._seconds()
            self._now += timedelta(seconds=seconds - self._last_seconds)
            self._last_seconds = seconds
            self._adjust(self._machine() - self._now)
            return self._now

    def _adjust(self, lead: timedelta) -> None:
        if abs(lead) <= MAX_STEP:
            self.jump = timedelta()
            self._now += max(lead, timedelta())
        elif abs(lead - self.jump) > MAX_STEP:
            self.jump, self._jump_start = lead, self._last_seconds
        elif self._last_seconds - self._jump_start >= JUMP_DELAY:
            self.jump = timedelta()
            self._now += lead

    async def wait(self, event: asyncio.Event, seconds: float) -> bool:
        """Wait for an event, with a timeout in seconds; returns whether the event is set."""
        with contextlib.suppress(TimeoutError):  # wait_for can lose a simultaneous cancellation
            async with asyncio.timeout(seconds):
                await event.wait()
        return event.is_set()

    async def sleep(self, seconds: float) -> None:
        await self.wait(asyncio.Event(), seconds)
