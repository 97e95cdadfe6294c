"""Days off: the vacations and weekends in which a player's clock stands. Pure but for time zones.

Weekends are Saturdays and Sundays as a zone has them, whatever their length there; vacations are
moments. All moments are UTC.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

Span = tuple[datetime, datetime]
"""From a moment until another."""


@dataclass(frozen=True, slots=True)
class DaysOff:
    """When a player's clock stands."""

    vacations: tuple[Span, ...] = ()
    """In their order; none meets another."""
    weekends: str = ""
    """The time zone whose weekends are off; "" where they count."""

    def after(self, at: datetime) -> DaysOff:
        """The same from a moment on."""
        kept = ((max(begin, at), end) for begin, end in self.vacations if end > at)
        return DaysOff(tuple(kept), self.weekends)

    def elapsed(self, since: datetime, until: datetime) -> timedelta:
        """How much of a time the clock runs."""
        at, ran = self.skipped(since), timedelta()
        while at < until:
            stop = min(self._next(at) or until, until)
            at, ran = self.skipped(stop), ran + (stop - at)
        return ran

    def later(self, since: datetime, ran: timedelta) -> datetime:
        """The moment by which the clock will have run for so long, never within a time off."""
        at = self.skipped(since)
        while (stop := self._next(at)) is not None and stop - at <= ran:
            at, ran = self.skipped(stop), ran - (stop - at)
        return at + ran

    def skipped(self, at: datetime) -> datetime:
        """The first moment from `at` on at which the clock runs."""
        while (end := next((end for begin, end in self._near(at) if begin <= at), at)) > at:
            at = end
        return at

    def _next(self, at: datetime) -> datetime | None:
        """When the next time off begins."""
        return min((begin for begin, _ in self._near(at) if begin > at), default=None)

    def _near(self, at: datetime) -> list[Span]:
        """The vacations that end after a moment, and the weekend that does, if they are off."""
        found = [one for one in self.vacations if one[1] > at]
        if self.weekends:
            zone = ZoneInfo(self.weekends)
            day = at.astimezone(zone).date()
            monday = day + timedelta(days=7 - day.weekday())
            found.append((midnight(monday - timedelta(days=2), zone), midnight(monday, zone)))
        return found


def midnight(day: date, zone: ZoneInfo) -> datetime:
    """The beginning of a day in a zone."""
    return datetime.combine(day, time(), zone).astimezone(UTC)
