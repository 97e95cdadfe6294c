"""Vacations: thirty days in a calendar year, planned or automatic. Raises `NotAllowed`.

A new vacation replaces the planned ones that it overlaps; their days are available again.
`running_clocks` stops the clocks.
"""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, tzinfo

from godaemon.errors import NotAllowed
from godaemon.games.days_off import Span, midnight
from godaemon.games.player_settings import Profile
from godaemon.texts.catalogue import sentence

DAYS_PER_YEAR = timedelta(days=30)
"""A player's vacation in a calendar year."""
MAX_AUTOMATIC = timedelta(days=7)
"""The longest automatic vacation."""
_DAY = timedelta(days=1)
_MAX_PLANNED = 12
"""Maximum number of planned vacations at a time."""

Spans = tuple[Span, ...]


def planned_vacations(profile: Profile, now: datetime) -> Spans:
    """The present and the future vacations."""
    return tuple(one for one in profile.vacations if one[1] > now)


def vacation_left(profile: Profile, moment: datetime) -> timedelta:
    """The vacation left in the calendar year of a moment."""
    return _budget_left(profile.vacations, _year(profile, moment), profile.local_zone)


def plan_vacation(profile: Profile, begin: datetime, end: datetime, now: datetime) -> Profile:
    """The profile with one more vacation; raises `NotAllowed`."""
    begin = max(begin, now)
    new = _with_vacation(profile, begin, end, now)
    if len(planned_vacations(new, now)) > _MAX_PLANNED:
        raise NotAllowed(sentence("many-vacations"), hints=("settings",))
    if not _fits_budget(new, begin, end):
        _refuse_vacation(profile, begin, now)
    return new


def begin_automatic_vacation(profile: Profile, now: datetime, limit: timedelta) -> Profile | None:
    """The profile with the longest vacation that can begin now; None if none can."""
    next_one = min(
        (begin for begin, _ in planned_vacations(profile, now)), default=now + MAX_AUTOMATIC
    )
    how_long = _longest(profile, now, now, min(MAX_AUTOMATIC, limit, next_one - now))
    # Not limited to `_MAX_PLANNED`: nobody asked for this one, so nobody could be refused.
    return _with_vacation(profile, now, now + how_long, now) if how_long else None


def _longest(profile: Profile, begin: datetime, now: datetime, limit: timedelta) -> timedelta:
    """The longest vacation that fits the budget: `limit`, or a shorter number of whole days."""
    length = limit
    while length > timedelta():
        end = begin + length
        if _fits_budget(_with_vacation(profile, begin, end, now), begin, end):
            return length
        length = _DAY * (-(-length // _DAY) - 1)
    return timedelta()


def end_vacation(profile: Profile, now: datetime) -> Profile:
    """The profile after the current vacation ends; without one all planned ones are cancelled."""
    before = tuple(one for one in profile.vacations if one[0] <= now)
    away = any(until > now for _, until in before)
    kept = tuple(one for one in profile.vacations if one[0] > now) if away else ()
    return replace(profile, vacations=(*((one, min(until, now)) for one, until in before), *kept))


def _refuse_vacation(profile: Profile, begin: datetime, now: datetime) -> None:
    days = _longest(profile, begin, now, 2 * DAYS_PER_YEAR) // _DAY
    year, day = _year(profile, begin), begin.astimezone(profile.local_zone)
    since = f"from {day.day} {day:%B}" if begin > now else ""
    raise NotAllowed(
        sentence("vacation-too-long", days=DAYS_PER_YEAR // _DAY, count=days, year=year),
        hints=(f"vacation {since and f'{since} for '}{days} days", "settings")[0 if days else 1 :],
    )


def _with_vacation(profile: Profile, begin: datetime, end: datetime, now: datetime) -> Profile:
    """The profile with a vacation in place of those that it overlaps, and without old vacations."""
    kept = list[Span]()
    for one, until in profile.vacations:
        meets = one < end and begin < until
        kept.append((one, min(until, max(now, one)) if meets else until))
    old = datetime(_year(profile, now) - 1, 1, 1, tzinfo=UTC)
    new = sorted([(begin, end), *(one for one in kept if one[0] < one[1] and one[1] > old)])
    return replace(profile, vacations=tuple(new))


def _fits_budget(profile: Profile, begin: datetime, end: datetime) -> bool:
    years = range(_year(profile, begin), _year(profile, end) + 1)
    return all(
        _budget_left(profile.vacations, year, profile.local_zone) >= timedelta() for year in years
    )


def _budget_left(spans: Spans, year: int, zone: tzinfo) -> timedelta:
    first, last = (midnight(date(one, 1, 1), zone) for one in (year, year + 1))
    each = (max(min(until, last) - max(begin, first), timedelta()) for begin, until in spans)
    return DAYS_PER_YEAR - sum(each, timedelta())


def _year(profile: Profile, moment: datetime) -> int:
    return moment.astimezone(profile.local_zone).year
