"""What a game awaits of each seat, from the proposal to its end."""

from __future__ import annotations

import pytest

from godaemon.games.awaited_decisions import Awaited, awaited_decision
from godaemon.games.model import Seat
from tests.support.gateway import Gateway


@pytest.mark.parametrize(
    ("done", "black", "white"),
    [
        ("", Awaited.TURN, None),
        ("D4", None, Awaited.TURN),
        ("D4 pass pass", Awaited.COUNT, Awaited.COUNT),
    ],
)
def test_while_it_is_played(done: str, black: Awaited | None, white: Awaited | None) -> None:
    """Whose turn it is; both, once it is counted."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob, "9x9 as black")
    gateway.play(alice, bob, done)
    assert awaited_decision(gateway.game(), Seat.BLACK) is black
    assert awaited_decision(gateway.game(), Seat.WHITE) is white


def test_until_one_has_agreed_and_at_the_end() -> None:
    """Whoever has said done waits; then nobody does."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob, "9x9 as black")
    gateway.play(alice, bob, "pass pass")
    alice.reply("done")
    assert [awaited_decision(gateway.game(), seat) for seat in (Seat.BLACK, Seat.WHITE)] == [
        *(None, Awaited.COUNT)
    ]
    bob.reply("done")
    assert not any(awaited_decision(gateway.game(), seat) for seat in (Seat.BLACK, Seat.WHITE))


def test_before_it_begins() -> None:
    """First the proposer's yes, then the other's."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    alice.write(f"new 9x9 vs {bob.address}")
    seats = (Seat.PROPOSER, Seat.INVITED)
    assert [awaited_decision(gateway.game(), seat) for seat in seats] == [
        Awaited.CONFIRMATION,
        None,
    ]
    alice.reply("yes")
    assert [awaited_decision(gateway.game(), seat) for seat in seats] == [None, Awaited.INVITATION]


def test_who_plays_alone() -> None:
    """One seat is as good as the other."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    gateway.start(alice, alice, "9x9")
    assert (
        awaited_decision(gateway.game(), Seat.BLACK)
        is awaited_decision(gateway.game(), Seat.WHITE)
        is Awaited.TURN
    )
