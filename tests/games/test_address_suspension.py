"""How letters that came back add up."""

from __future__ import annotations

from datetime import timedelta

from godaemon.games.address_suspension import HALF_LIFE, LIMIT, counted, score
from godaemon.games.store_protocols import BouncingAddress
from tests.support.stores import NOW

BOB = "bob@players.example"
DAY = timedelta(days=1)


def after(*days: float, hard: bool = True) -> BouncingAddress:
    """Bob's mailbox after letters came back on those days."""
    box: BouncingAddress | None = None
    for day in days:
        box = counted(box, BOB, "550 no", NOW + day * DAY, hard=hard)
    assert box is not None
    return box


def test_three_refusals_within_days_suspend() -> None:
    """One or two may be a fault that is mended tomorrow."""
    assert after(0).suspended is None
    assert after(0, 1).suspended is None
    assert after(0, 1, 2).suspended == NOW + 2 * DAY


def test_putting_off_counts_less() -> None:
    """A full box suspends an address only when it is full for weeks."""
    assert after(*range(14), hard=False).suspended is None
    assert after(*range(21), hard=False).suspended is not None


def test_scores_fade() -> None:
    """After its half-life a refusal counts half; one a month never suspends."""
    assert score(after(0), NOW + HALF_LIFE) == 0.5
    assert after(*range(0, 900, 30)).score < LIMIT / 2


def test_an_hours_fault_counts_once() -> None:
    """Twenty letters that come back within the hour are one refusal; a harder one counts so."""
    assert after(*(minute / 1440 for minute in range(20))).score == 1.0
    put_off = counted(None, BOB, "450", NOW, hard=False)
    refused = counted(put_off, BOB, "550", NOW + timedelta(minutes=5), hard=True)
    assert (refused.score, refused.error, refused.at) == (1.0, "550", NOW)


def test_a_clock_that_was_set_back_does_no_harm() -> None:
    """Nothing grows with negative time."""
    assert score(after(5), NOW) == 1.0
