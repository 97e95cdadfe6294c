"""The hour of daily emails across changes of the hour, and names of time zones."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.errors import Unknown
from godaemon.games.player_calendar import MAX_AHEAD, find_zone, next_daily_email
from godaemon.games.player_settings import Profile
from tests.support import places
from tests.support.blocks import read_lines

LINES = read_lines(places.DATA / "meanings.txt")


@pytest.mark.parametrize("line", LINES["daily emails: zone, minute of the day, now"])
def test_the_next_daily_email_is_at_its_hour(line: str) -> None:
    """By the reader's clock."""
    given_words, due, *_ = line.split(" => ")
    zone, at, now = given_words.split()
    profile = Profile("" if zone == "UTC" else zone, None if at == "usual" else int(at))
    found = next_daily_email(profile, datetime.fromisoformat(f"{now}+00:00"))
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


@pytest.mark.parametrize("line", LINES["time zones"])
def test_time_zones_are_found(line: str) -> None:
    """By name in any case, by city, or by a country that has one for nearly all."""
    words, zone = line.split(" => ")
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
