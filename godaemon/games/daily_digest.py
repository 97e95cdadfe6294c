"""The email of the day, for who wants one: when it is due. Pure but for the tz database.

It is due at an hour of its reader's own. The moment of the next stands in their profile and is put
forward in the transaction that owes one, so that none comes twice, whatever is started again; a
moment further off than any hour of the next day can be was set by a clock that went wrong.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from godaemon.errors import Unknown
from godaemon.games.store_protocols import Profile, Unit

USUAL = 7 * 60
"""When it comes for who has not said, in minutes after midnight."""
BEYOND = timedelta(hours=49)
"""No digest is due later than that, unless the clock has been set back by a day and more since."""


def next_due(profile: Profile, now: datetime) -> datetime:
    """The next moment of a player's hour after `now`."""
    zone, at = ZoneInfo(profile.zone or "UTC"), profile.digest_at
    at = USUAL if at is None else at
    day = now.astimezone(zone).date()
    for later in range(3):
        local = datetime.combine(day + timedelta(days=later), datetime.min.time(), zone)
        due = local.replace(hour=at // 60, minute=at % 60).astimezone(UTC)
        if due > now:
            return due
    raise AssertionError(profile)


def schedule(unit: Unit, address: str, now: datetime, *, wanted: bool) -> None:
    """Let the next email of the day be due, by what its reader's profile says, or none."""
    profile = unit.players.profile(address)
    due = next_due(profile, now) if wanted else None
    unit.players.set_profile(address, replace(profile, digest_due=due))


def find_zone(said: str) -> str:
    """The name of a time zone, in any case, or by its city alone; raises `Unknown`.

    >>> find_zone("europe/berlin"), find_zone("New York"), find_zone("utc")
    ('Europe/Berlin', 'America/New_York', 'UTC')
    """
    key = re.sub(r"\s+", "_", said.strip().casefold())
    zones = _zones()
    if key in zones:
        return zones[key]
    near = get_close_matches(key, zones, n=3, cutoff=0.6) or ["europe/berlin"]
    raise Unknown(
        f"I know no time zone “{said[:60]}”. A zone is named by its region and city, such as"
        " Europe/Berlin or America/New_York.",
        hints=tuple(dict.fromkeys(f"timezone {zones[one]}" for one in near)),
    )


@cache
def _zones() -> dict[str, str]:
    """Every zone by its name, and by its city where that is one's alone; in small letters."""
    names = sorted(one for one in available_timezones() if not one.startswith(("posix", "right")))
    cities = {one.rpartition("/")[2].casefold(): one for one in reversed(names) if "/" in one}
    return {**cities, **{one.casefold(): one for one in names}}
