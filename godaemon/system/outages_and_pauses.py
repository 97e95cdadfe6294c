"""Times that count for nobody: outages, gaps, and the operator's pauses of all clocks.

They are kept in a file, with the last moment that a daemon ran. Raises `NotAllowed`, `Temporary`.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote

import structlog

from godaemon.errors import NotAllowed, Temporary
from godaemon.system.clock import STEP
from godaemon.system.durable_files import write_file

CLOCK_FILE = "clock"
"""The file of `TimeSeen` in a state folder."""
GAP = timedelta(days=1)
"""A jump, or a time when nothing ran, of at least this gives deadlines a grace period."""
OUTAGE = timedelta(minutes=10)
"""A time when nothing ran of at least this is credited to the player to move."""
RETRY = timedelta(hours=4)
"""How long after an outage mail servers may still retry."""
REMEMBERED = timedelta(days=400)
"""How long outages are remembered: no game's clock runs longer."""
GRACE = timedelta(days=3)
"""Grace period after a gap, in which nothing expires."""
PAUSES = timedelta(days=30)
"""The limit on all pauses together within `REMEMBERED`."""
_log = structlog.get_logger("godaemon")


class Pause(NamedTuple):
    """A period in which the operator has stopped the clocks of all games."""

    begin: datetime
    end: datetime
    """When it ended, or will end automatically."""
    reason: str


def _whole_span(since: datetime, until: datetime) -> timedelta:
    return until - since


class TimeSeen:
    """A file with the last moment that a daemon ran, and with outages.

    After a gap (the clock jumped, or no daemon ran for long) nothing expires for `GRACE`: old
    emails and proposals are not given up at once. The file also has the operator's pauses.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()  # used by the event loop and the writer's thread
        self.last, self.gap_ended, self._outages, self._pauses = _read_moments(file)
        self.set_back = False
        """Set when time has gone back; the timer of clocks handles that and clears it."""

    def is_in_grace(self, now: datetime) -> bool:
        """Record the moment; True during the grace period after a gap."""
        with self._lock:
            self._record_moment(now)
        return self.gap_ended is not None and now - self.gap_ended < GRACE

    def lost_time(
        self,
        since: datetime,
        until: datetime,
        runs: Callable[[datetime, datetime], timedelta] = _whole_span,
    ) -> timedelta:
        """The time, by `runs`, in which no email could come in or all clocks were paused."""
        with self._lock:
            self._record_moment(until)
            known = [(begin, end + RETRY) for begin, end in self._outages]
            known += [(one.begin, one.end) for one in self._pauses]
        found, at = timedelta(), since
        for first, last in sorted(known):
            begin, end = max(first, at), min(last, until)
            if begin < end:
                found, at = found + runs(begin, end), end
        return found

    def current_pause(self, now: datetime) -> Pause | None:
        """The operator's pause at that moment, if any."""
        return next((one for one in self._pauses if one.begin <= now < one.end), None)

    def pause(self, now: datetime, reason: str) -> Pause:
        """Stop all clocks, for as long as allowed; raises `NotAllowed` and `Temporary`."""
        with self._lock:
            self._record_moment(now)
            if self.current_pause(now):
                raise NotAllowed(
                    "All clocks are stopped already: `godaemon resume` starts them again."
                )
            left = PAUSES - sum((end - begin for begin, end, _ in self._pauses), timedelta())
            if left <= timedelta():
                raise NotAllowed(
                    f"All clocks have stood for {PAUSES.days} days of the last {REMEMBERED.days},"
                    " and games must end."
                )
            pause = Pause(now, now + left, reason)
            self._save_pauses(now, (*self._pauses, pause))
        return pause

    def resume(self, now: datetime) -> Pause:
        """End the pause; raises `NotAllowed` and `Temporary`."""
        with self._lock:
            pause = self.current_pause(now)
            if pause is None:
                raise NotAllowed("No clock was stopped: there is nothing to resume.")
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
            if since <= end + RETRY:  # emails of that outage may still be on their way
                self._outages = (*before, (begin, max(end, until)))
            else:
                self._outages = (*self._outages, (since, until))
            self._save_moments(until)

    def _record_moment(self, now: datetime) -> None:
        known, passed = self.last is not None, now - (self.last or now)
        if abs(passed) > GAP:
            self.gap_ended = now
            _log.warning("clock.gap", days=round(passed / timedelta(days=1), 1))
        if self.last is not None and passed > OUTAGE:
            self._outages = (*self._outages, (self.last, now))
        elif known and abs(passed) < STEP:
            return
        self.set_back |= passed < timedelta()
        old, seen, self.last = now - REMEMBERED, self.last or now, now
        # Outages in the future come from a wrong clock: drop them. A current pause goes on.
        self._outages = tuple(one for one in self._outages if old < one[1] <= now)
        self._pauses = tuple(
            one._replace(begin=min(one.begin, now))
            for one in self._pauses
            if old < one.end and (one.begin <= now or one.end > seen)
        )
        self._save_moments(now)

    def _save_moments(self, seen: datetime) -> None:
        with contextlib.suppress(OSError):  # a full disk is reported elsewhere
            _write_moments(self._file, self._outages, self._pauses, seen, self.gap_ended)


_Outages = tuple[tuple[datetime, datetime], ...]
_Pauses = tuple[Pause, ...]


def _read_moments(file: Path) -> tuple[datetime | None, datetime | None, _Outages, _Pauses]:
    """The moment last seen, the end of the last gap (None if unknown), outages, and pauses."""
    try:
        lines = [line.split("/") for line in file.read_text("ascii").split()]
        read = [[datetime.fromisoformat(one).astimezone(UTC) for one in line[:2]] for line in lines]
        seen, ended, *_ = *(one[0] for one in read if len(one) == 1), None
    except (OSError, ValueError):
        return None, None, (), ()
    spans = list(zip(read, lines, strict=True))
    outages = tuple((one[0], one[1]) for one, line in spans if len(line) == 2)
    pauses = tuple(Pause(one[0], one[1], unquote(line[2])) for one, line in spans if len(line) > 2)
    return seen, ended, outages, pauses


def _write_moments(
    file: Path, outages: _Outages, pauses: _Pauses, *moments: datetime | None
) -> None:
    lines = [one.isoformat() for one in moments if one]
    lines += [f"{begin.isoformat()}/{end.isoformat()}" for begin, end in outages]
    lines += [
        f"{begin.isoformat()}/{end.isoformat()}/{quote(why, safe='')}" for begin, end, why in pauses
    ]
    write_file(file, "".join(f"{line}\n" for line in lines).encode("ascii"))
