"""The hour of daily emails across changes of the hour, and names of time zones."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.errors import Unknown
from godaemon.games.player_calendar import MAX_AHEAD, find_zone, next_daily_email
from godaemon.games.player_settings import Profile


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
def test_the_next_daily_email_is_at_its_hour(zone: str, at: int | None, now: str, due: str) -> None:
    """By the reader's clock."""
    found = next_daily_email(Profile(zone, at), datetime.fromisoformat(f"{now}+00:00"))
    assert found.isoformat() == f"{due}:00+00:00"


@given(
    st.sampled_from(["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Africa/Cairo"]),
    st.integers(0, 1439),
    st.integers(0, 15 * 365 * 24 * 60),
)
def test_daily_emails_come_once_a_day(zone: str, at: int, minutes: int) -> None:
    """A day apart, an hour more or less."""
    profile, now = Profile(zone, at), datetime(2020, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    first = next_daily_email(profile, now)
    second = next_daily_email(profile, first)
    assert now < first <= now + MAX_AHEAD
    assert timedelta(hours=22) < second - first < timedelta(hours=26)


@pytest.mark.parametrize(
    ("words", "zone"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        ("EUROPE/BERLIN", "Europe/Berlin"),
        ("berlin", "Europe/Berlin"),
        ("New York", "America/New_York"),
        ("america/argentina/buenos aires", "America/Argentina/Buenos_Aires"),
        ("utc", "UTC"),
        ("Etc/GMT+3", "Etc/GMT+3"),
        ("Germany", "Europe/Berlin"),
        ("france", "Europe/Paris"),
        ("UK", "Europe/London"),
        ("Singapore", "Asia/Singapore"),
    ],
)
def test_time_zones_are_found(words: str, zone: str) -> None:
    """By name in any case, by city, or by a country that has one for nearly all."""
    assert find_zone(words) == zone


@pytest.mark.parametrize(
    ("words", "first", "why"),
    [
        ("Europe/Berlim", "Europe/Berlin", None),
        ("USA", "America/New_York", "a large city that has your time"),
        ("Hamburg", "Europe/London", "a large city that has your time"),
    ],
)
def test_an_unknown_place_gets_a_near_name_or_large_cities(
    words: str, first: str, why: str | None
) -> None:
    """Never one that is only spelt a little like it."""
    with pytest.raises(Unknown, match=why) as caught:
        find_zone(words)
    assert caught.value.hints[0] == f"timezone {first}"
    assert "Africa" not in str(caught.value.hints)
