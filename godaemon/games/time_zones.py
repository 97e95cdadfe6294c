"""The time zone that somebody means: by its name, its city, or its country. Pure but for tz files.

The tables are those of the tz database (zone.tab, iso3166.tab); where the system has none of
them, countries are not known.
"""

from __future__ import annotations

import re
from contextlib import suppress
from difflib import get_close_matches
from functools import cache
from zoneinfo import TZPATH, available_timezones

from godaemon.errors import Unknown
from godaemon.texts.catalogue import told

_USUAL = ("Europe/London", "Europe/Berlin", "America/New_York")
"""What is offered where nothing is like what was said."""
_OTHERWISE = {"uk": "GB", "england": "GB", "great_britain": "GB", "usa": "US", "holland": "NL"}
"""Countries by names that the table does not have."""
_MANY = 4


def find_zone(said: str) -> str:
    """The name of a time zone, in any case, by its city alone, or by its country.

    Raises `Unknown`, with what may be meant: a country's zones, or those that are spelt nearly so.

    >>> find_zone("europe/berlin"), find_zone("New York"), find_zone("utc"), find_zone("France")
    ('Europe/Berlin', 'America/New_York', 'UTC', 'Europe/Paris')
    """
    key = re.sub(r"\s+", "_", said.strip().casefold())
    zones, country = _zones(), _countries().get(key, ())
    if key in zones and not country:
        return zones[key]
    if len(country) == 1:
        return country[0]
    near = [zones[one] for one in get_close_matches(key, zones, n=3, cutoff=0.75)]
    raise Unknown(
        told("no-such-zone", said=said[:60]),
        hints=tuple(f"timezone {one}" for one in dict.fromkeys(country[:_MANY] or near or _USUAL)),
    )


@cache
def _zones() -> dict[str, str]:
    """Every zone by its name, and by its city where that is one's alone; in small letters."""
    names = sorted(one for one in available_timezones() if not one.startswith(("posix", "right")))
    cities = {one.rpartition("/")[2].casefold(): one for one in reversed(names) if "/" in one}
    return {**cities, **{one.casefold(): one for one in names}}


@cache
def _countries() -> dict[str, tuple[str, ...]]:
    """The zones of each country, by its name in small letters; the one of most people first."""
    zones, large = dict[str, list[str]](), dict[str, list[str]]()
    for code, _, zone, *note in _table("zone.tab"):
        zones.setdefault(code, []).append(zone)
        if note and note[0].startswith("most of "):
            large[code] = [zone]
        elif note and "most areas" in note[0]:
            large.setdefault(code, []).append(zone)
    named = {name.casefold().replace(" ", "_"): code for code, name in _table("iso3166.tab")}
    found = zones | large
    return {name: tuple(found.get(code, ())) for name, code in (named | _OTHERWISE).items()}


def _table(name: str) -> list[list[str]]:
    for folder in TZPATH:
        with suppress(OSError), open(f"{folder}/{name}", encoding="utf-8") as file:  # noqa: PTH123
            return [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return []
