"""Seats and their players: before the start by side, then by colour."""

import pytest

from godaemon.games import events as ev
from godaemon.games.model import Seat
from godaemon.rules.points import Color
from tests.support.logs import ALICE, BOB, B, I, Log, P, W, begun, proposal


def test_before_the_start() -> None:
    """Colours are not drawn yet."""
    game = Log().game
    assert game.color_of(P) is None
    assert game.color_seat(P) is P
    assert game.player(I).address == BOB
    with pytest.raises(LookupError):
        game.player(B)
    assert game.seats_of(ALICE) == (P,)


@pytest.mark.parametrize(("color", "black"), [("black", P), ("white", I)])
def test_after_the_start(color: str, black: Seat) -> None:
    """A side is equal to its colour."""
    game = begun(proposal(color=color)).game
    assert game.color_seat(black) is B
    assert game.side(B) is black
    assert game.color_of(black) is Color.BLACK
    assert game.player(black) == game.player(B) == game.black
    assert game.color_seat(W) is W


def test_addresses() -> None:
    """Case does not count, other people's addresses do not, remembered ones do."""
    log = begun()
    assert log.game.knows(B, ALICE.upper())
    assert not log.game.knows(B, BOB)
    log.event(ev.Recognised("proposer", "a@phone.example"))
    assert log.game.knows(B, "A@phone.example")
    assert log.game.knows(P, "a@phone.example")
    assert not log.game.knows(W, "a@phone.example")


def test_teaching() -> None:
    """One person has both seats, and an address known for one is known for both."""
    log = begun(proposal(invited=ALICE))
    assert log.game.spec.teaching
    assert log.game.seats_of(ALICE) == (B, W)
    log.event(ev.Recognised(log.game.side(W).word, "a@phone.example"))
    assert log.game.seats_of("a@phone.example") == (B, W)
