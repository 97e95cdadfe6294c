"""The scores of bouncing addresses."""

from datetime import timedelta

import pytest

from godaemon.games.bouncing_addresses import (
    HALF_LIFE,
    HARD,
    LIMIT,
    SOFT,
    add_bounce,
    bounce_score,
    clear_address,
    record_complaint,
)
from godaemon.games.notices import Kind
from godaemon.games.stored_values import BouncingAddress
from tests.support.gateway import Gateway
from tests.support.memory_store import MemoryUnit
from tests.support.stores import NOW

BOB = "bob@players.example"
DAY = timedelta(days=1)


def after(*days: float, weight: float = HARD) -> BouncingAddress:
    """Bob's mailbox after letters came back on those days."""
    box: BouncingAddress | None = None
    for day in days:
        box = add_bounce(box, BOB, "550 no", NOW + day * DAY, weight)
    assert box is not None
    return box


def test_three_refusals_within_days_suspend() -> None:
    """One or two may be a fault that is mended tomorrow."""
    assert after(0).suspended is None
    assert after(0, 1).suspended is None
    assert after(0, 1, 2).suspended == NOW + 2 * DAY


def test_putting_off_counts_less() -> None:
    """A full box suspends an address only when it is full for weeks."""
    assert after(*range(14), weight=SOFT).suspended is None
    assert after(*range(21), weight=SOFT).suspended is not None


def test_scores_fade() -> None:
    """After its half-life a refusal counts half; one a month never suspends."""
    assert bounce_score(after(0), NOW + HALF_LIFE) == 0.5
    assert after(*range(0, 900, 30)).score < LIMIT / 2


def test_an_hours_fault_counts_once() -> None:
    """Twenty letters that come back within the hour are one refusal; a harder one counts so."""
    assert after(*(minute / 1440 for minute in range(20))).score == 1.0
    put_off = add_bounce(None, BOB, "450", NOW, SOFT)
    refused = add_bounce(put_off, BOB, "550", NOW + timedelta(minutes=5), HARD)
    assert (refused.score, refused.error, refused.at) == (1.0, "550", NOW)


def test_a_clock_that_was_set_back_does_no_harm() -> None:
    """Nothing grows with negative time."""
    assert bounce_score(after(5), NOW) == 1.0


@pytest.fixture
def beside() -> Gateway:
    """Alice is to move in two games with Bob; the first is unreadable for this version."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    for _ in range(2):
        gateway.start(alice, bob)
    logs = gateway.writer.state.logs
    logs[1] = logs[1][1:]
    gateway.cache.clear()
    return gateway


def test_who_is_reached_again_hears_of_all_games_but_one_that_cannot_be_read(
    beside: Gateway,
) -> None:
    """A newer program has written there; no letter of the others is lost for that."""
    alice = beside.person("Alice").address

    def work(unit: MemoryUnit) -> bool:
        unit.players.set_bouncing_address(
            BouncingAddress(alice, LIMIT, beside.now, "550", beside.now)
        )
        return clear_address(beside.games(unit), alice)

    assert beside.writer.run_sync(work)
    shown = [due.notice.game for due in beside.outbox if due.notice.kind is Kind.SHOW]
    assert shown == [2]


def test_opponents_are_told_whatever_other_game_cannot_be_read(beside: Gateway) -> None:
    """By the game that can be."""
    alice = beside.person("Alice").address
    beside.writer.run_sync(lambda unit: record_complaint(beside.games(unit), alice))
    games = [due.notice.game for due in beside.outbox if due.notice.kind is Kind.UNREACHABLE]
    assert games == [2]


def test_who_has_a_game_that_cannot_be_read_is_answered_all_the_same() -> None:
    """A newer version wrote that log; their other games decide whether they are strangers."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    alice.write(f"new 9x9 vs {bob.address}")
    gateway.writer.state.logs[1] = gateway.writer.state.logs[1] * 2
    gateway.cache.clear()
    before = len(gateway.outbox)
    alice.write("new 9x9 vs carol@players.example")
    assert gateway.notices(before) == [("alice", "confirm")]
