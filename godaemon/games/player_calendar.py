"""A player's calendar: the time of the daily email, and the time zone.

The profile stores when the next daily email is due. The transaction that queues one advances that
moment, so that none is sent twice. Time zones are found in the tz database (zone.tab, iso3166.tab);
without these files countries are unknown. Raises `Unknown`.
"""

import re
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from difflib import get_close_matches
from functools import cache
from zoneinfo import TZPATH, available_timezones

from godaemon.errors import Unknown
from godaemon.games.player_settings import Profile
from godaemon.games.stored_values import Unit
from godaemon.texts.catalogue import sentence

DEFAULT_TIME = 7 * 60
"""The default time of the daily email, in minutes after midnight."""
MAX_AHEAD = timedelta(hours=49)
"""A daily email due later than this from now was scheduled before the clock was set back."""


def next_daily_email(profile: Profile, now: datetime) -> datetime:
    """The first moment after `now` at which a daily email is due."""
    zone = profile.local_zone
    at = time(*divmod(DEFAULT_TIME if profile.digest_at is None else profile.digest_at, 60))
    today = now.astimezone(zone).date()
    days = (today + timedelta(days=later) for later in range(3))
    moments = (datetime.combine(day, at, zone).astimezone(UTC) for day in days)
    return next(moment for moment in moments if moment > now)


def schedule_daily_email(unit: Unit, address: str, now: datetime, *, wanted: bool) -> None:
    profile = unit.players.profile(address)
    due = next_daily_email(profile, now) if wanted else None
    unit.players.set_profile(address, replace(profile, digest_due=due))


_EXAMPLES = ("Europe/London", "Europe/Berlin", "America/New_York")
"""The zones offered if there is no similar name."""
_ALIASES = {"uk": "GB", "england": "GB", "great_britain": "GB", "usa": "US", "holland": "NL"}
"""Country codes by common names that iso3166.tab lacks."""
_MAX_HINTS = 4


def find_zone(name: str) -> str:
    """A time zone by its name, its city or its country, in upper or lower case.

    Raises `Unknown`, with the country's zones or zones of a similar name as hints.

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
    offers = dict.fromkeys(country[:_MAX_HINTS] or near or _EXAMPLES)
    why = sentence("no-such-zone", said=name[:60])
    raise Unknown(why, hints=tuple(f"timezone {one}" for one in offers))


@cache
def _zones() -> dict[str, str]:
    """The zones by name and by city, both in lower case."""
    names = sorted(one for one in available_timezones() if not one.startswith(("posix", "right")))
    cities = {one.rpartition("/")[2].casefold(): one for one in reversed(names) if "/" in one}
    return {**cities, **{one.casefold(): one for one in names}}


@cache
def _countries() -> dict[str, tuple[str, ...]]:
    """The zones of each country by its name in lower case; only the main zone if there is one."""
    zones, large = dict[str, list[str]](), dict[str, list[str]]()
    for code, _, zone, *note in _read_table("zone.tab"):
        zones.setdefault(code, []).append(zone)
        if note and note[0].startswith("most of "):
            large[code] = [zone]
        elif note and "most areas" in note[0]:
            large.setdefault(code, []).append(zone)
    named = {name.casefold().replace(" ", "_"): code for code, name in _read_table("iso3166.tab")}
    found = zones | large
    return {name: tuple(found.get(code, ())) for name, code in (named | _ALIASES).items()}


def _read_table(name: str) -> list[list[str]]:
    for folder in TZPATH:
        with suppress(OSError), open(f"{folder}/{name}", encoding="utf-8") as file:  # noqa: PTH123
            return [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return []
