"""Days off: when a player's clock stands, in vacations and on weekends.

Pure but for time zones; all moments are UTC arguments. Weekends are Saturday and Sunday of a time
zone. Players plan vacations in `player_calendar`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

Span = tuple[datetime, datetime]
"""A beginning and an end."""


@dataclass(frozen=True, slots=True)
class DaysOff:
    """When a player's clock stands."""

    vacations: tuple[Span, ...] = ()
    """In order, without overlaps."""
    weekends: str = ""
    """The time zone whose weekends are off; "" for none."""

    def after(self, moment: datetime) -> DaysOff:
        kept = ((max(begin, moment), end) for begin, end in self.vacations if end > moment)
        return DaysOff(tuple(kept), self.weekends)

    def running_time(self, since: datetime, until: datetime) -> timedelta:
        at, ran = self.skip_time_off(since), timedelta()
        while at < until:
            stop = min(self._next_beginning(at) or until, until)
            at, ran = self.skip_time_off(stop), ran + (stop - at)
        return ran

    def moment_after(self, since: datetime, ran: timedelta) -> datetime:
        """The moment at which the clock will have run that long; never within days off."""
        at = self.skip_time_off(since)
        while (stop := self._next_beginning(at)) is not None and stop - at <= ran:
            at, ran = self.skip_time_off(stop), ran - (stop - at)
        return at + ran

    def skip_time_off(self, moment: datetime) -> datetime:
        """The first moment from `moment` on when the clock runs."""
        while end := next(
            (end for begin, end in self._spans_near(moment) if begin <= moment), None
        ):
            moment = end
        return moment

    def _next_beginning(self, moment: datetime) -> datetime | None:
        return min((begin for begin, _ in self._spans_near(moment) if begin > moment), default=None)

    def _spans_near(self, moment: datetime) -> list[Span]:
        """The vacations that end after a moment, and that week's weekend if weekends are off."""
        found = [one for one in self.vacations if one[1] > moment]
        if self.weekends:
            zone = ZoneInfo(self.weekends)
            day = moment.astimezone(zone).date()
            monday = day + timedelta(days=7 - day.weekday())
            found.append((midnight(monday - timedelta(days=2), zone), midnight(monday, zone)))
        return found


def midnight(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)
