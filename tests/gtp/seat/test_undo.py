"""Taking back at a seat: what is pending costs nothing, what was sent is asked for."""

from __future__ import annotations

import pytest

from godaemon.games import commands as cmd
from godaemon.rules.points import Color, parse_point
from tests.support.seat_game import Controller, FakeSeatGame, game


def seat(moves: str, color: Color = Color.BLACK) -> Controller:
    """A controller that has replayed a game."""
    return Controller(FakeSeatGame(game(moves=moves), color))


async def test_a_sent_move_is_asked_for() -> None:
    """The opponent is asked; once they agree, undo and another move are possible."""
    gui = seat("b D4 w E5 b D5")
    replay = ("play b D4", "play w E5", "play b D5")
    assert await gui.say(*replay, "undo", "play b C3") == ["=", "=", "=", "=", "? illegal move"]
    assert await gui.say("play b D5", "godaemon-undo") == ["=", "= your opponent is asked"]
    assert await gui.ask("godaemon-undo yes") != "="
    assert "Undo: black would take the last move back: is asked" in await gui.ask("godaemon-status")
    await gui.seat.do(cmd.Yes(), Color.WHITE)
    assert (await gui.ask("genmove w")).startswith("? this is not the game any more: undo")
    assert await gui.say("undo", "play b C3", "play b pass") == ["=", "=", "="]


async def test_the_opponent_answers_at_a_seat() -> None:
    """With yes or no; the status says that somebody asks."""
    gui = seat("b D4 w E5 b D5", Color.WHITE)
    assert await gui.ask("godaemon-undo no") == "? nobody asks you for a move back"
    await gui.seat.do(cmd.Undo(), Color.BLACK)
    assert "take the last move back: godaemon-undo yes, or no" in await gui.ask("godaemon-status")
    assert await gui.ask("godaemon-undo no") == "= the move stands; white to move."
    with pytest.raises(Exception, match="has already said no"):
        await gui.seat.do(cmd.Undo(), Color.BLACK)
    assert await gui.ask("godaemon-undo maybe") == "? syntax error"
    assert gui.seat.game.position.board.color(parse_point("D5")) is Color.BLACK


async def test_a_move_that_is_pending_when_one_is_taken_back() -> None:
    """Bug: one undo was promised, and two were needed; that the move was not sent nobody said."""
    gui = seat("b D4 w E5", Color.BLACK)
    await gui.seat.do(cmd.Undo(), Color.WHITE)
    assert await gui.say("play b D4", "play w E5", "play b G7") == ["=", "=", "="]
    told = "= 1 taken back: G7 was not sent: undo 2 times, then white to move."
    assert await gui.ask("godaemon-undo yes") == told
    assert await gui.say("undo", "undo") == ["=", "="]
    assert "white to move" in await gui.ask("godaemon-status")


async def test_an_answer_to_that_opens_the_game_to_nobody() -> None:
    """Where the opponent has asked for spectators instead: to them nothing was said."""
    gui = seat("b D4 w E5 b D5", Color.WHITE)
    await gui.seat.do(cmd.Public(), Color.BLACK)
    assert gui.seat.game.public_asked is Color.BLACK
    assert await gui.ask("godaemon-undo yes") == "? nobody asks you for a move back"
    assert not gui.seat.game.public


async def test_a_pending_move_costs_nothing() -> None:
    """It was never sent, and nobody is asked."""
    gui = seat("b D4 w E5")
    assert await gui.say("play b D4", "play w E5", "play b C3", "undo", "play b D5") == ["="] * 5
    assert gui.seat.game.undo_asked is None


async def test_a_pending_move_is_taken_back_by_asking_for_it() -> None:
    """Bug: within its own quiet seconds a seat was told that the opponent had moved since."""
    gui = seat("b D4 w E5")
    assert await gui.say("play b D4", "play w E5", "play b C3") == ["="] * 3
    assert await gui.ask("godaemon-undo") == "= C3 was not sent: undo, then black to move."
    assert gui.seat.pending is None
    assert (await gui.ask("genmove w")).startswith("? this is not the game any more: undo")
    assert await gui.say("undo", "play b D5") == ["=", "="]
    assert gui.seat.game.undo_asked is None
    assert gui.seat.game.move_number == 2
