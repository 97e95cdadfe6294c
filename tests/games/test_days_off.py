"""Days off: the running time of a clock in every time zone, across changes of the hour."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.games.days_off import DaysOff
from tests.support.examples import examples

START = datetime(2026, 10, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)
ZONES = ("", "UTC", "Europe/Berlin", "America/New_York", "Pacific/Kiritimati", "America/Santiago")
MINUTES = st.integers(0, 400 * 24 * 60).map(lambda minutes: timedelta(minutes=minutes))


@st.composite
def days_off(draw: st.DrawFn) -> DaysOff:
    """Disjoint vacations, and perhaps the weekends of a time zone."""
    ends = sorted(draw(st.sets(MINUTES, min_size=0, max_size=6)))
    pairs = zip(ends[::2], ends[1::2], strict=False)
    return DaysOff(tuple((START + a, START + b) for a, b in pairs), draw(st.sampled_from(ZONES)))


def on(off: DaysOff, at: datetime) -> bool:
    """True if the clock runs at a moment; computed again from the calendar."""
    weekend = off.weekends and at.astimezone(ZoneInfo(off.weekends)).weekday() >= 5
    return not weekend and not any(begin <= at < end for begin, end in off.vacations)


@given(days_off(), MINUTES, MINUTES)
@settings(max_examples=examples(100))
def test_moment_after_inverts_running_time(off: DaysOff, after: timedelta, ran: timedelta) -> None:
    """The clock runs at that moment."""
    since = START + after
    until = off.moment_after(since, ran)
    assert off.running_time(since, until) == ran
    assert on(off, until)


@given(days_off(), st.lists(MINUTES, min_size=3, max_size=3).map(sorted))
@settings(max_examples=examples(100))
def test_running_times_add_up(off: DaysOff, parts: list[timedelta]) -> None:
    """However a period is split."""
    one, two, three = (START + part for part in parts)
    whole = off.running_time(one, three)
    assert whole == off.running_time(one, two) + off.running_time(two, three) <= three - one
    assert off.after(two).running_time(two, three) == off.running_time(two, three)


@given(days_off(), st.integers(0, 9000))
@settings(max_examples=examples(60))
def test_running_time_follows_the_calendar(off: DaysOff, hour: int) -> None:
    """Minute by minute."""
    at = START + hour * HOUR
    minutes = [at + timedelta(minutes=one) for one in range(90)]
    ran = sum(on(off, one) for one in minutes)
    assert off.running_time(at, minutes[-1] + timedelta(minutes=1)) == timedelta(minutes=ran)


@pytest.mark.parametrize(
    ("zone", "since", "until", "hours"),
    [
        ("UTC", (2026, 11, 20), (2026, 11, 23), 24),
        ("Europe/Berlin", (2026, 10, 23, 22), (2026, 10, 25, 23), 0),  # 49 hours long
        ("Europe/Berlin", (2027, 3, 26, 23), (2027, 3, 28, 22), 0),  # 47 hours long
        ("America/Santiago", (2027, 4, 3, 3), (2027, 4, 5, 4), 0),
        ("Pacific/Kiritimati", (2026, 11, 20, 10), (2026, 11, 22, 10), 0),
    ],
)
def test_weekends_follow_the_time_zone(
    zone: str, since: tuple[int, int, int], until: tuple[int, int, int], hours: int
) -> None:
    """From midnight to midnight there, however many hours that is."""
    begin, end = datetime(*since, tzinfo=UTC), datetime(*until, tzinfo=UTC)
    off = DaysOff((), zone)
    assert off.running_time(begin, end) == hours * HOUR
    assert off.running_time(begin - HOUR, end + HOUR) == (hours + 2) * HOUR
