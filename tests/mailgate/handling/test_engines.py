"""Programs that play here: who is told of which; scenes have the games against them."""

from __future__ import annotations

import pytest

from godaemon.games.engine_seats import Entrant, Roster
from tests.support.gateway import Gateway
from tests.support.letters import plain, sentence


@pytest.mark.parametrize("asked", ["help", "games"])
def test_who_does_not_know_is_told(asked: str) -> None:
    """The programs that have a word said about them."""
    roster = Roster((Entrant("gnugo", note="GNU Go"), Entrant("kata"), Entrant("house")), 1)
    alice = Gateway(engines=roster).person("Alice")
    alice.write(asked)
    told = " ".join(plain(alice.read()).split())
    assert f"new 9x9 vs gnugo {sentence('proposes-program', program='GNU Go')}" in told
    assert "kata" not in told
