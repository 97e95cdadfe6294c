"""The one clock: everything else takes the present moment as an argument, or a `Clock`.

The machine's clock may jump: set by hand, or by a time server long after the start. `SystemClock`
does not jump with it; `TimeSeen` finds the gaps that are left, between runs too.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol

import structlog

FILE = "clock"
"""The file of `TimeSeen` in a state folder."""
STEP = timedelta(minutes=1)
"""The longest correction that is followed at once."""
SETTLED = 600.0
"""Seconds for which the machine's clock must have stood elsewhere before it is believed."""
GAP = timedelta(days=1)
"""Time left out, by a jump or because nothing ran, from which on deadlines have grace."""
OUTAGE = timedelta(minutes=10)
"""Time for which nothing ran, from which on it is given back to who had to answer."""
RETRY = timedelta(hours=4)
"""For so long after an outage a mail server may wait before it brings what it could not."""
REMEMBERED = timedelta(days=400)
"""For so long outages are known: no clock of a game runs longer."""
GRACE = timedelta(days=3)
"""For how long after a gap nothing ends by its age: to set a clock right, or to be answered in."""


_log = structlog.get_logger("godaemon")


class Clock(Protocol):
    """Tells the time and waits; tests have one that they turn by hand."""

    def now(self) -> datetime:
        """The present moment, in UTC."""

    async def wait(self, event: asyncio.Event, seconds: float) -> bool:
        """Wait for an event, but no longer than that; says whether it came."""

    @property
    def jump(self) -> timedelta:
        """How far the machine's clock is ahead of this one, which does not believe it yet."""


def _machine() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - this is the place


class SystemClock:
    """The machine's clock without its jumps.

    Time passes here as the kernel counts it (sleep included). A small correction is followed at
    once, without ever going back; a jump once it has lasted for `SETTLED` seconds.
    """

    def __init__(
        self,
        machine: Callable[[], datetime] = _machine,
        counted: Callable[[], float] = lambda: time.clock_gettime(time.CLOCK_BOOTTIME),
    ) -> None:
        self._machine, self._counted = machine, counted
        self._lock = threading.Lock()
        self._now, self._read = machine(), counted()
        self._since = self._read
        self.jump = timedelta()

    def now(self) -> datetime:
        """The present moment, in UTC."""
        with self._lock:
            read = self._counted()
            self._now += timedelta(seconds=read - self._read)
            self._read = read
            self._follow(self._machine() - self._now)
            return self._now

    def _follow(self, ahead: timedelta) -> None:
        """Follow the machine's clock, where that is reasonable."""
        if abs(ahead) <= STEP:
            self.jump = timedelta()
            self._now += max(ahead, timedelta())
        elif abs(ahead - self.jump) > STEP:
            self.jump, self._since = ahead, self._read
        elif self._read - self._since >= SETTLED:
            self.jump = timedelta()
            self._now += ahead

    async def wait(self, event: asyncio.Event, seconds: float) -> bool:
        """Wait for an event, but no longer than that; says whether it came."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(event.wait(), seconds)
        return event.is_set()


class TimeSeen:
    """The last moment that a daemon has seen, in a file that outlives it, and gaps in that.

    After a gap, whether the clock jumped or nothing ran for long, nothing ends by its age for
    `GRACE`: what was owed or proposed before it is neither given up nor expired at once.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()  # of the loop and of the writer's thread
        self.last, self.gap_ended, self._outages = _read_moments(file)

    def in_grace(self, now: datetime) -> bool:
        """See this moment; true for a while after a gap."""
        with self._lock:
            self._see(now)
        return self.gap_ended is not None and now - self.gap_ended < GRACE

    def lost(self, since: datetime, until: datetime) -> timedelta:
        """For how long between two moments no letter could come in, or time was left out."""
        with self._lock:
            self._see(until)
            outages = self._outages
        nexts = (*(begin for begin, _ in outages[1:]), until)
        each = (
            min(until, end + RETRY, after) - max(since, begin)
            for (begin, end), after in zip(outages, nexts, strict=False)
        )
        return sum((max(one, timedelta()) for one in each), timedelta())

    def missed(self, since: datetime, until: datetime) -> None:
        """Between two moments no letter could come in, though a daemon ran."""
        with self._lock:
            *before, (begin, end) = self._outages or ((since, since),)
            if since <= end + RETRY:  # what came then may still be on its way
                self._outages = (*before, (begin, max(end, until)))
            else:
                self._outages = (*self._outages, (since, until))
            self._write(until)

    def _see(self, now: datetime) -> None:
        known, passed = self.last is not None, now - (self.last or now)
        if abs(passed) > GAP:
            self.gap_ended = now
            _log.warning("clock.gap", days=round(passed / timedelta(days=1), 1))
        if self.last is not None and passed > OUTAGE:
            self._outages = (*self._outages, (self.last, now))
        elif known and abs(passed) < STEP:
            return
        self.last = now
        # Those of a future that a wrong clock was in have never been.
        self._outages = tuple(one for one in self._outages if now - REMEMBERED < one[1] <= now)
        self._write(now)

    def _write(self, seen: datetime) -> None:
        with contextlib.suppress(OSError):  # told elsewhere: the disk is full
            _write_moments(self._file, self._outages, seen, self.gap_ended)


_Outages = tuple[tuple[datetime, datetime], ...]


def _read_moments(file: Path) -> tuple[datetime | None, datetime | None, _Outages]:
    """The moment last seen, the end of the last gap, and outages; None where they are not known."""
    try:
        lines = [line.split("/") for line in file.read_text("ascii").split()]
        read = [[datetime.fromisoformat(one).astimezone(UTC) for one in line] for line in lines]
        seen, ended, *_ = *(one[0] for one in read if len(one) == 1), None
    except (OSError, ValueError):
        return None, None, ()
    return seen, ended, tuple((one[0], one[1]) for one in read if len(one) > 1)


def _write_moments(file: Path, outages: _Outages, *moments: datetime | None) -> None:
    fresh = file.with_suffix(".new")
    fresh.touch(mode=0o600)
    lines = [one.isoformat() for one in moments if one]
    lines += [f"{begin.isoformat()}/{end.isoformat()}" for begin, end in outages]
    fresh.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
    fresh.replace(file)
