"""Time that no game clock counts: outages, gaps, and the operator's pauses of all clocks.

A file keeps them, and the last moment when a daemon ran. Raises `NotAllowed`, `Temporary`.
"""

import contextlib
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote

import structlog

from godaemon.errors import NotAllowed, Temporary
from godaemon.system.clock import MAX_STEP
from godaemon.system.durable_files import write_file

CLOCK_FILE = "clock"
"""The file of `TimeSeen` in a state folder."""
MIN_GAP = timedelta(days=1)
"""A longer jump of the clock, or a longer time without a daemon, begins a `GRACE`."""
MIN_OUTAGE = timedelta(minutes=10)
"""A longer time without a daemon is given back to the player to move."""
RETRY_PERIOD = timedelta(hours=4)
"""The time after an outage in which mail servers may still retry."""
MEMORY = timedelta(days=400)
"""The time for which outages are remembered; no game clock runs longer."""
GRACE = timedelta(days=3)
"""The grace period after a gap, in which nothing expires."""
MAX_PAUSES = timedelta(days=30)
"""The limit on all pauses together within `MEMORY`."""
_log = structlog.get_logger("godaemon")


class Pause(NamedTuple):
    """A period in which the operator has stopped the clocks of all games."""

    begin: datetime
    end: datetime
    """When it ended, or will end automatically."""
    reason: str


class TimeSeen:
    """A file with the last moment when a daemon ran, outages, and the operator's pauses.

    After a gap (the clock jumped, or no daemon ran for long) nothing expires for `GRACE`, so that
    old emails and proposals are not given up at once.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()  # used by the event loop and the writer's thread
        self.last, self.gap_ended, self._outages, self._pauses = _read_moments(file)
        self.set_back = False
        """True if the clock was set back; the timer of game clocks handles that and clears it."""

    def is_in_grace(self, now: datetime) -> bool:
        """Record the present moment; returns whether it is within the grace period after a gap."""
        with self._lock:
            self._record_moment(now)
        return self.gap_ended is not None and now - self.gap_ended < GRACE

    def lost_time(
        self,
        start: datetime,
        stop: datetime,
        runs: Callable[[datetime, datetime], timedelta] = lambda since, until: until - since,
    ) -> timedelta:
        """The time, measured by `runs`, without incoming email or with all clocks paused."""
        with self._lock:
            self._record_moment(stop)
            spans = [(begin, end + RETRY_PERIOD) for begin, end in self._outages]
            spans += [(pause.begin, pause.end) for pause in self._pauses]
        lost, position = timedelta(), start
        for first, last in sorted(spans):
            begin, end = max(first, position), min(last, stop)
            if begin < end:
                lost, position = lost + runs(begin, end), end
        return lost

    def current_pause(self, now: datetime) -> Pause | None:
        """The operator's pause at that moment, if any."""
        return next((one for one in self._pauses if one.begin <= now < one.end), None)

    def pause(self, now: datetime, reason: str) -> Pause:
        """Stop all clocks, for as long as allowed; raises `NotAllowed` and `Temporary`."""
        with self._lock:
            self._record_moment(now)
            if self.current_pause(now):
                raise NotAllowed(
                    "All clocks are paused already; to start them again: `godaemon resume`."
                )
            remaining = MAX_PAUSES - sum(
                (end - begin for begin, end, _ in self._pauses), timedelta()
            )
            if remaining <= timedelta():
                raise NotAllowed(
                    f"All clocks were paused for {MAX_PAUSES.days} of the last {MEMORY.days} days,"
                    " which is the limit."
                )
            pause = Pause(now, now + remaining, reason)
            self._save_pauses(now, (*self._pauses, pause))
        return pause

    def resume(self, now: datetime) -> Pause:
        """End the pause; raises `NotAllowed` and `Temporary`."""
        with self._lock:
            pause = self.current_pause(now)
            if pause is None:
                raise NotAllowed("The clocks are not paused, so there is nothing to resume.")
            ended = pause._replace(end=now)
            self._save_pauses(now, (*(one for one in self._pauses if one is not pause), ended))
        return ended

    def _save_pauses(self, now: datetime, pauses: tuple[Pause, ...]) -> None:
        try:
            _write_moments(self._file, self._outages, pauses, now, self.gap_ended)
        except OSError as fault:
            raise Temporary(f"{self._file} cannot be written: {fault.strerror}.") from fault
        self._pauses = pauses

    def record_outage(self, since: datetime, until: datetime) -> None:
        """Record that no email could arrive between two moments."""
        with self._lock:
            *before, (begin, end) = self._outages or ((since, since),)
            if since <= end + RETRY_PERIOD:  # emails of that outage may still be on their way
                self._outages = (*before, (begin, max(end, until)))
            else:
                self._outages = (*self._outages, (since, until))
            self._save_moments(until)

    def _record_moment(self, now: datetime) -> None:
        previous = self.last or now
        elapsed = now - previous
        if abs(elapsed) > MIN_GAP:
            self.gap_ended = now
            _log.warning("clock.gap", days=round(elapsed / timedelta(days=1), 1))
        if elapsed > MIN_OUTAGE:
            self._outages = (*self._outages, (previous, now))
        elif self.last is not None and abs(elapsed) < MAX_STEP:
            return
        self.set_back |= elapsed < timedelta()
        oldest = now - MEMORY
        self.last = now
        # Outages in the future come from a wrong clock: drop them. Keep a current pause.
        self._outages = tuple(entry for entry in self._outages if oldest < entry[1] <= now)
        self._pauses = tuple(
            entry._replace(begin=min(entry.begin, now))
            for entry in self._pauses
            if oldest < entry.end and (entry.begin <= now or entry.end > previous)
        )
        self._save_moments(now)

    def _save_moments(self, moment: datetime) -> None:
        with contextlib.suppress(OSError):  # a full disk is reported elsewhere
            _write_moments(self._file, self._outages, self._pauses, moment, self.gap_ended)


_Outages = tuple[tuple[datetime, datetime], ...]
_Pauses = tuple[Pause, ...]


def _read_moments(file: Path) -> tuple[datetime | None, datetime | None, _Outages, _Pauses]:
    """The last moment, the end of the last gap (None if unknown), outages, and pauses."""
    try:
        lines = [line.split("/") for line in file.read_text("ascii").split()]
        times = [
            [datetime.fromisoformat(one).astimezone(UTC) for one in line[:2]] for line in lines
        ]
        last, gap_end, *_ = *(one[0] for one in times if len(one) == 1), None
    except (OSError, ValueError):
        return None, None, (), ()
    spans = list(zip(times, lines, strict=True))
    outages = tuple((one[0], one[1]) for one, line in spans if len(line) == 2)
    pauses = tuple(Pause(one[0], one[1], unquote(line[2])) for one, line in spans if len(line) > 2)
    return last, gap_end, outages, pauses


def _write_moments(
    file: Path, outages: _Outages, pauses: _Pauses, *moments: datetime | None
) -> None:
    lines = [moment.isoformat() for moment in moments if moment]
    lines += [f"{begin.isoformat()}/{end.isoformat()}" for begin, end in outages]
    spans = (
        (begin.isoformat(), end.isoformat(), quote(why, safe="")) for begin, end, why in pauses
    )
    lines += map("/".join, spans)
    write_file(file, "".join(f"{line}\n" for line in lines).encode("ascii"))
