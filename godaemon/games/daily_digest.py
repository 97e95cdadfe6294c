"""The email of the day, for who wants one: when it is due. Pure but for the tz database.

It is due at an hour of its reader's own. The moment of the next stands in their profile and is put
forward in the transaction that owes one, so that none comes twice, whatever is started again; a
moment further off than any hour of the next day can be was set by a clock that went wrong.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

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
