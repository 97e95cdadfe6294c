"""Seats and their players: before the start by side, then by colour."""

import pytest

from godaemon.games import events as ev
from godaemon.games.model import Seat
from godaemon.rules.points import Color
from tests.support.logs import ALICE, BOB, B, I, Log, P, W, begun, proposal


def test_seats_before_the_start_are_sides() -> None:
    """Colours are not drawn yet."""
    game = Log().game
    assert game.color_of(P) is None
    assert game.color_seat(P) is P
    assert game.player(I).address == BOB
    with pytest.raises(LookupError):
        game.player(B)
    assert game.seats_of(ALICE) == (P,)


@pytest.mark.parametrize(("color", "black"), [("black", P), ("white", I)])
def test_seats_after_the_start_are_colours(color: str, black: Seat) -> None:
    """A side is equal to its colour."""
    game = begun(proposal(color=color)).game
    assert game.color_seat(black) is B
    assert game.side(B) is black
    assert game.color_of(black) is Color.BLACK
    assert game.player(black) == game.player(B) == game.black
    assert game.color_seat(W) is W


def test_a_seat_knows_its_addresses() -> None:
    """In any case, with remembered ones; not other people's."""
    log = begun()
    assert log.game.knows(B, ALICE.upper())
    assert not log.game.knows(B, BOB)
    log.event(ev.Recognised("proposer", "a@phone.example"))
    assert log.game.knows(B, "A@phone.example")
    assert log.game.knows(P, "a@phone.example")
    assert not log.game.knows(W, "a@phone.example")
