"""Times as operators read them."""

import time
from collections.abc import Iterator
from datetime import timedelta

import pytest

from godaemon.cli.games import local_time, relative_time
from godaemon.system.clock import Clock


@pytest.fixture
def _berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as zone:
        zone.setenv("TZ", "Europe/Berlin")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("_berlin")
def test_a_moment_is_shown_in_local_time() -> None:
    """With the name of the zone, in summer and winter."""
    assert local_time("2026-11-22T23:15:30+00:00") == "2026-11-23 00:15 CET"
    assert local_time("2026-07-22T12:15:30+00:00") == "2026-07-22 14:15 CEST"


@pytest.mark.parametrize(
    ("ago", "words"),
    [
        (timedelta(seconds=20), "just now"),
        (timedelta(minutes=1, seconds=20), "1 minute ago"),
        (timedelta(hours=3, minutes=40), "3 hours ago"),
        (timedelta(days=400, hours=1), "400 days ago"),
        (timedelta(seconds=-20), "now"),
        (timedelta(minutes=-5, seconds=-20), "in 5 minutes"),
        (timedelta(hours=-1, seconds=-20), "in 1 hour"),
    ],
)
def test_a_duration_is_shown_in_its_largest_unit(ago: timedelta, words: str) -> None:
    """Down to minutes."""
    assert relative_time((Clock().now() - ago).isoformat()) == words
