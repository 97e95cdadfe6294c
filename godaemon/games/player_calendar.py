"""A player's calendar: vacations, the hour of the daily email, and the time zone.

A new vacation replaces the planned ones that it overlaps, whose days become free again. Clocks stop
on days off (`running_clocks`). The moment of the next daily email stands in the profile, and moves
on in the transaction that owes one, so that none is sent twice. Time zones are found by the tables
of the tz database (zone.tab, iso3166.tab); without these, countries are unknown. Raises
`NotAllowed` and `Unknown`.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from difflib import get_close_matches
from functools import cache
from zoneinfo import TZPATH, available_timezones

from godaemon.errors import NotAllowed, Unknown
from godaemon.games.days_off import Span, midnight
from godaemon.games.stored_values import Profile, Unit
from godaemon.texts.catalogue import sentence

BUDGET = timedelta(days=30)
"""The vacation of a player in a calendar year."""
BY_ITSELF = timedelta(days=7)
"""The longest vacation that begins by itself."""
_DAY = timedelta(days=1)
_PLANNED = 12
"""The most vacations that can be planned at a time."""

Spans = tuple[Span, ...]


def planned_vacations(profile: Profile, now: datetime) -> Spans:
    """The present and the future vacations."""
    return tuple(one for one in profile.vacations if one[1] > now)


def vacation_left(profile: Profile, moment: datetime) -> timedelta:
    return _budget_left(profile.vacations, _year(profile, moment), profile.local_zone)


def plan_vacation(profile: Profile, begin: datetime, end: datetime, now: datetime) -> Profile:
    """The profile with one more vacation; raises `NotAllowed`."""
    begin = max(begin, now)
    new = _with_vacation(profile, begin, end, now)
    if len(planned_vacations(new, now)) > _PLANNED:
        raise NotAllowed(sentence("many-vacations"), hints=("settings",))
    if not _fits_budget(new, begin, end):
        _refuse_vacation(profile, begin, now)
    return new


def begin_automatic_vacation(profile: Profile, now: datetime, most: timedelta) -> Profile | None:
    """The profile with the longest vacation that can begin now, if any can."""
    next_one = min((begin for begin, _ in planned_vacations(profile, now)), default=now + BY_ITSELF)
    how_long = _longest(profile, now, now, min(BY_ITSELF, most, next_one - now))
    # Not limited to `_PLANNED`: nobody asked for this one, so nobody could be refused.
    return _with_vacation(profile, now, now + how_long, now) if how_long else None


def _longest(profile: Profile, begin: datetime, now: datetime, most: timedelta) -> timedelta:
    """The longest vacation that can begin then, in whole days unless it is the last."""
    found = most
    while found > timedelta():
        if _fits_budget(_with_vacation(profile, begin, begin + found, now), begin, begin + found):
            return found
        found = _DAY * (-(-found // _DAY) - 1)
    return timedelta()


def end_vacation(profile: Profile, now: datetime) -> Profile:
    """The profile of a player who is back, or who cancels their planned vacations."""
    before = tuple(one for one in profile.vacations if one[0] <= now)
    away = any(until > now for _, until in before)
    kept = tuple(one for one in profile.vacations if one[0] > now) if away else ()
    return replace(profile, vacations=(*((one, min(until, now)) for one, until in before), *kept))


def _refuse_vacation(profile: Profile, begin: datetime, now: datetime) -> None:
    days = _longest(profile, begin, now, 2 * BUDGET) // _DAY
    year, day = _year(profile, begin), begin.astimezone(profile.local_zone)
    since = f"from {day.day} {day:%B}" if begin > now else ""
    raise NotAllowed(
        sentence("vacation-too-long", days=BUDGET // _DAY, count=days, year=year),
        hints=(f"vacation {since and f'{since} for '}{days} days", "settings")[0 if days else 1 :],
    )


def _with_vacation(profile: Profile, begin: datetime, end: datetime, now: datetime) -> Profile:
    """The profile with a vacation that replaces those it overlaps, without old ones."""
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
    return BUDGET - sum(each, timedelta())


def _year(profile: Profile, moment: datetime) -> int:
    return moment.astimezone(profile.local_zone).year


USUAL = 7 * 60
"""The usual time of the daily email, in minutes after midnight."""
BEYOND = timedelta(hours=49)
"""A daily email due later than this was scheduled before the clock was set back."""


def next_digest(profile: Profile, now: datetime) -> datetime:
    """When the next daily email is due after `now`."""
    zone, at = profile.local_zone, profile.digest_at
    at = USUAL if at is None else at
    day = now.astimezone(zone).date()
    for later in range(3):
        local = datetime.combine(day + timedelta(days=later), datetime.min.time(), zone)
        due = local.replace(hour=at // 60, minute=at % 60).astimezone(UTC)
        if due > now:
            return due
    raise AssertionError(profile)


def schedule_digest(unit: Unit, address: str, now: datetime, *, wanted: bool) -> None:
    profile = unit.players.profile(address)
    due = next_digest(profile, now) if wanted else None
    unit.players.set_profile(address, replace(profile, digest_due=due))


_USUAL = ("Europe/London", "Europe/Berlin", "America/New_York")
"""The zones offered when nothing similar is known."""
_OTHERWISE = {"uk": "GB", "england": "GB", "great_britain": "GB", "usa": "US", "holland": "NL"}
"""Other names of countries."""
_MANY = 4


def find_zone(name: str) -> str:
    """The name of a time zone, in any case, by its city or by its country.

    Raises `Unknown`, with the zones of that country, or those of a similar name.

    >>> find_zone("europe/berlin"), find_zone("New York"), find_zone("utc"), find_zone("France")
    ('Europe/Berlin', 'America/New_York', 'UTC', 'Europe/Paris')
    """
    key = re.sub(r"\s+", "_", name.strip().casefold())
    zones, country = _zones(), _countries().get(key, ())
    if key in zones and not country:
        return zones[key]
    if len(country) == 1:
        return country[0]
    near = [zones[one] for one in get_close_matches(key, zones, n=3, cutoff=0.75)]
    raise Unknown(
        sentence("no-such-zone", said=name[:60]),
        hints=tuple(f"timezone {one}" for one in dict.fromkeys(country[:_MANY] or near or _USUAL)),
    )


@cache
def _zones() -> dict[str, str]:
    """Each zone by its name, and by its city if that is unique; in lower case."""
    names = sorted(one for one in available_timezones() if not one.startswith(("posix", "right")))
    cities = {one.rpartition("/")[2].casefold(): one for one in reversed(names) if "/" in one}
    return {**cities, **{one.casefold(): one for one in names}}


@cache
def _countries() -> dict[str, tuple[str, ...]]:
    """The zones of each country by its name in lower case, the main one first."""
    zones, large = dict[str, list[str]](), dict[str, list[str]]()
    for code, _, zone, *note in _read_table("zone.tab"):
        zones.setdefault(code, []).append(zone)
        if note and note[0].startswith("most of "):
            large[code] = [zone]
        elif note and "most areas" in note[0]:
            large.setdefault(code, []).append(zone)
    named = {name.casefold().replace(" ", "_"): code for code, name in _read_table("iso3166.tab")}
    found = zones | large
    return {name: tuple(found.get(code, ())) for name, code in (named | _OTHERWISE).items()}


def _read_table(name: str) -> list[list[str]]:
    for folder in TZPATH:
        with suppress(OSError), open(f"{folder}/{name}", encoding="utf-8") as file:  # noqa: PTH123
            return [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return []
