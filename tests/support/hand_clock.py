"""A clock that a test advances: hours of waiting take no time."""

import asyncio
from datetime import datetime, timedelta
from typing import Any

from godaemon.system.clock import Clock


class HandClock(Clock):
    """A clock that changes only by `advance`."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self.jump = timedelta()
        self._alarms: list[tuple[datetime, asyncio.Event, asyncio.Future[None]]] = []

    def now(self) -> datetime:
        return self._now

    @property
    def waiting(self) -> bool:
        return self.waits > 0

    @property
    def waits(self) -> int:
        """The number of waits that are not over."""
        return sum(not (alarm.done() or event.is_set()) for _, event, alarm in self._alarms)

    async def wait(self, event: asyncio.Event, seconds: float) -> bool:
        """Wait for an event with a timeout; returns whether it is set."""
        alarm: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._alarms.append((self._now + timedelta(seconds=seconds), event, alarm))
        waiting = asyncio.ensure_future(event.wait())
        both: list[asyncio.Future[Any]] = [alarm, waiting]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
            alarm.cancel()
            self._alarms = [one for one in self._alarms if one[2] is not alarm]
        return event.is_set()

    def advance(self, seconds: float) -> None:
        """Advance the clock, and wake the waits that are over."""
        self._now += timedelta(seconds=seconds)
        for until, _, alarm in self._alarms:
            if until <= self._now and not alarm.done():
                alarm.set_result(None)

    def step(self, seconds: float) -> None:
        """Change the time of day; pending waits keep their duration."""
        by = timedelta(seconds=seconds)
        self._now += by
        self._alarms = [(until + by, event, alarm) for until, event, alarm in self._alarms]
