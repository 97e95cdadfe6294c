"""An estimate of the score at a seat: GNU Go's command, where the game allows it."""

from __future__ import annotations

from dataclasses import replace

from godaemon.errors import Temporary
from godaemon.games import events as ev
from godaemon.games.model import Phase
from godaemon.rules.points import Color
from tests.support.seat_game import Controller, FakeSeatGame, game


def seat(*, agreed: bool = True) -> Controller:
    """A controller in a game of two moves, in which both have agreed to estimates, or not."""
    begun = game(moves="b D4 w E5")
    spec = replace(begun.spec, estimates=agreed)
    return Controller(FakeSeatGame(replace(begun, spec=spec), Color.BLACK))


async def test_where_both_have_agreed_it_is_given_and_noted() -> None:
    """As GNU Go writes it, with the bounds of what White may win by; the other can see it."""
    gui = seat()
    told = "= B+2.0 (upper bound: 2.0, lower: -6.0)"
    assert await gui.say("estimate_score", "estimate_score") == [told, told]
    assert [type(one) for one in gui.seat.events] == [ev.Estimated]
    assert "Estimate: Alice asked for one, move 2" in await gui.ask("godaemon-status")
    assert "Alice asked for an estimate of the score" in await gui.ask("godaemon-history")


async def test_where_they_have_not_it_is_refused() -> None:
    """Nothing is noted, and our player does not think about it."""
    gui = seat(agreed=False)
    gui.seat.trouble = Temporary("nobody can estimate the score now")
    answer = await gui.ask("estimate_score")
    assert answer.startswith("? This game has no estimates of the score: ")
    assert gui.seat.events == []


async def test_after_play_it_is_the_count() -> None:
    """As final_score gives it, in any game."""
    gui = seat(agreed=False)
    gui.seat.game = replace(gui.seat.game, phase=Phase.FINISHED, result="B+R")
    assert await gui.say("estimate_score", "final_score") == ["= B+R", "= B+R"]


async def test_without_a_player_it_fails() -> None:
    """And may be asked again; the opponent hears of it once there is an answer."""
    gui = seat()
    gui.seat.trouble = Temporary("nobody can estimate the score now")
    assert await gui.ask("estimate_score") == "? nobody can estimate the score now"
    assert "asked for an estimate" not in await gui.ask("godaemon-history")


async def test_to_resign_off_turn_is_done_at_once() -> None:
    """A program cannot be asked whether it means it."""
    gui = seat()
    gui.seat.color = Color.WHITE
    assert await gui.ask("godaemon-resign") == "= the game is over: B+R"
