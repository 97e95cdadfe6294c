"""Other terms: what is offered differs from what stands, and a colour is the speaker's."""

from __future__ import annotations

import re

import pytest

from godaemon.games.commands import Propose
from godaemon.games.model import Seat
from godaemon.games.proposals import counter_proposal
from godaemon.rules.points import Color
from tests.support.gateway import Gateway
from tests.support.letters import plain


@pytest.fixture
def gateway() -> Gateway:
    """Alice has invited Bob."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    alice.write(f"new 19x19 as black handicap 3 vs {bob.address}")
    alice.reply("yes")
    return gateway


def test_the_terms_that_are_offered_differ_from_those_that_stand(gateway: Gateway) -> None:
    """Whoever clicks on the example has answered with other terms, at each turn."""
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    for who, other in ((bob, alice), (alice, bob), (bob, alice)):
        (example,) = set(re.findall(r"accept but komi [\d.]+", plain(who.read())))
        who.reply(example)
        assert "on other terms" in plain(other.read())


def test_only_one_side_is_the_speakers(gateway: Gateway) -> None:
    """A colour is that of who speaks."""
    spec = gateway.game().spec
    assert counter_proposal(spec, {"color": Color.BLACK}, Seat.INVITED).color == "white"
    assert counter_proposal(spec, {"color": Color.WHITE}, Seat.PROPOSER).color == "white"
    assert Propose("x").color is None
