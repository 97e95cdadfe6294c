"""When the email of the day is due: at an hour of its reader's own, also where clocks change."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.games.daily_digest import BEYOND, next_due
from godaemon.games.store_protocols import Profile


@pytest.mark.parametrize(
    ("zone", "at", "now", "due"),
    [
        ("", None, "2026-11-23T06:59", "2026-11-23T07:00"),
        ("", None, "2026-11-23T07:00", "2026-11-24T07:00"),
        ("Europe/Berlin", 450, "2026-11-23T06:29", "2026-11-23T06:30"),
        ("Europe/Berlin", 450, "2026-07-01T04:00", "2026-07-01T05:30"),
        ("Pacific/Kiritimati", 0, "2026-11-23T09:00", "2026-11-23T10:00"),
        ("Asia/Kolkata", 1439, "2026-11-23T18:00", "2026-11-23T18:29"),
        # Clocks go forward at 2:00 on 29 March: there is no 2:30 that day.
        ("Europe/Berlin", 150, "2026-03-28T12:00", "2026-03-29T01:30"),
        # Clocks go back on 25 October: 2:30 comes twice, and the first counts.
        ("Europe/Berlin", 150, "2026-10-25T00:00", "2026-10-25T00:30"),
        ("Europe/Berlin", 150, "2026-10-25T00:30", "2026-10-26T01:30"),
    ],
)
def test_the_next_hour(zone: str, at: int | None, now: str, due: str) -> None:
    """That of the reader's own clock."""
    found = next_due(Profile(zone, at), datetime.fromisoformat(f"{now}+00:00"))
    assert found.isoformat() == f"{due}:00+00:00"


@given(
    st.sampled_from(["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Africa/Cairo"]),
    st.integers(0, 1439),
    st.integers(0, 15 * 365 * 24 * 60),
)
def test_once_in_every_day(zone: str, at: int, minutes: int) -> None:
    """Each comes after the last, a day later or an hour more or less, wherever it is."""
    profile, now = Profile(zone, at), datetime(2020, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    first = next_due(profile, now)
    second = next_due(profile, first)
    assert now < first <= now + BEYOND
    assert timedelta(hours=22) < second - first < timedelta(hours=26)
