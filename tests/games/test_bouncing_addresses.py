"""The scores of bouncing addresses."""

from datetime import timedelta

import pytest

from godaemon.games.bouncing_addresses import (
    HALF_LIFE,
    HARD_WEIGHT,
    SOFT_WEIGHT,
    SUSPENSION_SCORE,
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


def after(*days: float, weight: float = HARD_WEIGHT) -> BouncingAddress:
    """Bob's mailbox after letters came back on those days."""
    box: BouncingAddress | None = None
    for day in days:
        box = add_bounce(box, BOB, "550 no", NOW + day * DAY, weight)
    assert box is not None
    return box


def test_three_rejections_within_days_suspend_an_address() -> None:
    """One or two may be a fault that is mended tomorrow."""
    assert after(0).suspended is None
    assert after(0, 1).suspended is None
    assert after(0, 1, 2).suspended == NOW + 2 * DAY


def test_temporary_failures_count_less() -> None:
    """A full mailbox suspends an address only after weeks."""
    assert after(*range(14), weight=SOFT_WEIGHT).suspended is None
    assert after(*range(21), weight=SOFT_WEIGHT).suspended is not None


def test_scores_decay() -> None:
    """One rejection a month never suspends."""
    assert bounce_score(after(0), NOW + HALF_LIFE) == 0.5
    assert after(*range(0, 900, 30)).score < SUSPENSION_SCORE / 2


def test_bounces_within_an_hour_count_once() -> None:
    """By the worst of them."""
    assert after(*(minute / 1440 for minute in range(20))).score == 1.0
    deferred = add_bounce(None, BOB, "450", NOW, SOFT_WEIGHT)
    refused = add_bounce(deferred, BOB, "550", NOW + timedelta(minutes=5), HARD_WEIGHT)
    assert (refused.score, refused.error, refused.at) == (1.0, "550", NOW)


def test_scores_do_not_grow_with_negative_time() -> None:
    """The clock may be set back."""
    assert bounce_score(after(5), NOW) == 1.0


@pytest.fixture
def gateway() -> Gateway:
    """Alice is to move in two games with Bob; the first is unreadable for this version."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    for _ in range(2):
        gateway.start(alice, bob)
    logs = gateway.writer.state.logs
    logs[1] = logs[1][1:]
    gateway.cache.clear()
    return gateway


def test_a_reachable_player_hears_of_all_readable_games(gateway: Gateway) -> None:
    """Only a newer program can read the other."""
    alice = gateway.person("Alice").address

    def work(unit: MemoryUnit) -> bool:
        unit.players.set_bouncing_address(
            BouncingAddress(alice, SUSPENSION_SCORE, gateway.now, "550", gateway.now)
        )
        return clear_address(gateway.games(unit), alice)

    assert gateway.writer.run_sync(work)
    shown = [due.notice.game for due in gateway.outbox if due.notice.kind is Kind.SHOW]
    assert shown == [2]


def test_opponents_are_told_despite_an_unreadable_game(gateway: Gateway) -> None:
    """By the readable one."""
    alice = gateway.person("Alice").address
    gateway.writer.run_sync(lambda unit: record_complaint(gateway.games(unit), alice))
    games = [due.notice.game for due in gateway.outbox if due.notice.kind is Kind.UNREACHABLE]
    assert games == [2]


def test_a_player_of_an_unreadable_game_is_answered() -> None:
    """Their other games show that they are no stranger."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    alice.write(f"new 9x9 vs {bob.address}")
    gateway.writer.state.logs[1] = gateway.writer.state.logs[1] * 2
    gateway.cache.clear()
    before = len(gateway.outbox)
    alice.write("new 9x9 vs carol@players.example")
    assert gateway.notices(before) == [("alice", "confirm")]
