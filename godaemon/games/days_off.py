"""Days off: a player's clock is stopped during vacations, and on weekends in a time zone.

All moments are in UTC. `vacations` plans vacations.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

Span = tuple[datetime, datetime]
"""A beginning and an end."""


@dataclass(frozen=True, slots=True)
class DaysOff:
    """The times at which a player's clock is stopped."""

    vacations: tuple[Span, ...] = ()
    """In order, without overlaps."""
    weekends: str = ""
    """The time zone whose weekends are off; "" for none."""

    def after(self, moment: datetime) -> "DaysOff":
        """The days off that are left at a moment."""
        kept = ((max(begin, moment), end) for begin, end in self.vacations if end > moment)
        return DaysOff(tuple(kept), self.weekends)

    def running_time(self, since: datetime, until: datetime) -> timedelta:
        """How long the clock ran between two moments."""
        at, ran = self.skip_time_off(since), timedelta()
        while at < until:
            stop = min(self._next_beginning(at) or until, until)
            at, ran = self.skip_time_off(stop), ran + (stop - at)
        return ran

    def moment_after(self, since: datetime, duration: timedelta) -> datetime:
        """The moment at which the clock has run for `duration`; never within days off."""
        at = self.skip_time_off(since)
        while (stop := self._next_beginning(at)) is not None and stop - at <= duration:
            at, duration = self.skip_time_off(stop), duration - (stop - at)
        return at + duration

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
        """The vacations that end after a moment, and the weekend of its week if that is off."""
        spans = [one for one in self.vacations if one[1] > moment]
        if self.weekends:
            zone = ZoneInfo(self.weekends)
            day = moment.astimezone(zone).date()
            monday = day + timedelta(days=7 - day.weekday())
            spans.append((midnight(monday - timedelta(days=2), zone), midnight(monday, zone)))
        return spans


def midnight(day: date, zone: tzinfo) -> datetime:
    """The beginning of a day in a time zone, as a moment in UTC."""
    return datetime.combine(day, time(), zone).astimezone(UTC)
