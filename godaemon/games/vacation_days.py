"""Vacations: what a player has planned, within so many days a year. Pure but for time zones.

A vacation takes the place of those planned that it meets; the days of these that are to come are
to be had again. Raises `NotAllowed` past the days of a year.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from godaemon.errors import NotAllowed
from godaemon.games.days_off import Span, midnight
from godaemon.games.store_protocols import Profile
from godaemon.texts.catalogue import told

BUDGET = timedelta(days=30)
"""For so long in a calendar year a player may be away."""
BY_ITSELF = timedelta(days=7)
"""A vacation that begins by itself is no longer."""
_DAY = timedelta(days=1)
_PLANNED = 12
"""So many vacations can be planned at a time."""

Spans = tuple[Span, ...]


def planned(profile: Profile, now: datetime) -> Spans:
    """The vacation that a player is on, and those to come."""
    return tuple(one for one in profile.vacations if one[1] > now)


def left(profile: Profile, at: datetime) -> timedelta:
    """What is left of a year's days, for which nothing is planned yet."""
    return _left(profile.vacations, _year(profile, at), _zone(profile))


def plan(profile: Profile, begin: datetime, end: datetime, now: datetime) -> Profile:
    """A player's vacations with one more; raises `NotAllowed`."""
    begin = max(begin, now)
    new = _with(profile, begin, end, now)
    if len(planned(new, now)) > _PLANNED:
        raise NotAllowed(told("many-vacations"), hints=("settings",))
    if not _fits(new, begin, end):
        _refuse(profile, begin, now)
    return new


def begun_by_itself(profile: Profile, now: datetime, most: timedelta) -> Profile | None:
    """The same with a vacation that begins now, as long as it can be; None without days left."""
    next_one = min((begin for begin, _ in planned(profile, now)), default=now + BY_ITSELF)
    how_long = _longest(profile, now, now, min(BY_ITSELF, most, next_one - now))
    # However many are planned: this one is asked for by nobody who could be told to plan fewer.
    return _with(profile, now, now + how_long, now) if how_long else None


def _longest(profile: Profile, begin: datetime, now: datetime, most: timedelta) -> timedelta:
    """For how long a vacation can be that begins then; in whole days, but for the last one."""
    found = most
    while found > timedelta():
        if _fits(_with(profile, begin, begin + found, now), begin, begin + found):
            return found
        found = _DAY * (-(-found // _DAY) - 1)
    return timedelta()


def end(profile: Profile, now: datetime) -> Profile:
    """A player is back; who was not away gives up what they have planned."""
    before = tuple(one for one in profile.vacations if one[0] <= now)
    away = any(until > now for _, until in before)
    kept = tuple(one for one in profile.vacations if one[0] > now) if away else ()
    return replace(profile, vacations=(*((one, min(until, now)) for one, until in before), *kept))


def _refuse(profile: Profile, begin: datetime, now: datetime) -> None:
    days = _longest(profile, begin, now, 2 * BUDGET) // _DAY
    year, day = _year(profile, begin), begin.astimezone(_zone(profile))
    since = f"from {day.day} {day:%B}" if begin > now else ""
    key = "vacation-too-long" if days else "vacation-used-up"
    raise NotAllowed(
        told(key, days=BUDGET // _DAY, count=days, year=year),
        hints=(f"vacation {since and f'{since} for '}{days} days", "settings")[0 if days else 1 :],
    )


def _with(profile: Profile, begin: datetime, end: datetime, now: datetime) -> Profile:
    """The vacations with one that takes the place of what it meets; those long past are left."""
    kept = list[Span]()
    for one, until in profile.vacations:
        meets = one < end and begin < until
        kept.append((one, min(until, max(now, one)) if meets else until))
    old = datetime(_year(profile, now) - 1, 1, 1, tzinfo=UTC)
    new = sorted([(begin, end), *(one for one in kept if one[0] < one[1] and one[1] > old)])
    return replace(profile, vacations=tuple(new))


def _fits(profile: Profile, begin: datetime, end: datetime) -> bool:
    years = range(_year(profile, begin), _year(profile, end) + 1)
    zone = _zone(profile)
    return all(_left(profile.vacations, year, zone) >= timedelta() for year in years)


def _left(spans: Spans, year: int, zone: ZoneInfo) -> timedelta:
    first, last = (midnight(date(one, 1, 1), zone) for one in (year, year + 1))
    each = (max(min(until, last) - max(begin, first), timedelta()) for begin, until in spans)
    return BUDGET - sum(each, timedelta())


def _zone(profile: Profile) -> ZoneInfo:
    return ZoneInfo(profile.zone or "UTC")


def _year(profile: Profile, at: datetime) -> int:
    return at.astimezone(_zone(profile)).year
