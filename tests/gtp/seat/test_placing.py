"""Handicap stones that Black still has to choose, at the seats of both players."""

from __future__ import annotations

from dataclasses import replace

from godaemon.games import commands as cmd
from godaemon.rules.points import Color, parse_point
from tests.support.seat_game import Controller, FakeSeatGame, game


def seat(color: Color, stones: int = 2) -> Controller:
    """A controller at a game by Chinese rules, whose handicap stones are not placed yet."""
    begun = game()
    spec = replace(begun.spec, handicap=stones, free=True)
    return Controller(FakeSeatGame(replace(begun, spec=spec, position=spec.setup()), color))


def stones(gui: Controller) -> list[str]:
    """The handicap stones of the game."""
    return sorted(map(str, gui.seat.game.position.handicap))


async def test_black_chooses_with_set_free_handicap() -> None:
    """The choice is made in the game, and the controller's board is the game's."""
    gui = seat(Color.BLACK)
    said = await gui.say("boardsize 9", "clear_board", "set_free_handicap D4 F6", "list_stones b")
    assert said == ["=", "=", "=", "= D4 F6"]
    assert stones(gui) == ["D4", "F6"]
    assert await gui.ask("undo") == "? cannot undo"
    again = await gui.say("clear_board", "set_free_handicap F6 D4", "clear_board", "play b D4")
    assert again == ["=", "=", "=", "="]


async def test_a_choice_that_cannot_be() -> None:
    """Too many, too few, one twice, off the board, a pass: refused, and nothing is placed."""
    gui = seat(Color.BLACK)
    for wrong in ("D4 F6 C3", "D4", "D4 D4", "D4 T19", "D4 pass", ""):
        assert await gui.ask(f"set_free_handicap {wrong}") == "? bad vertex list"
    assert stones(gui) == []


async def test_black_plays_nothing_before() -> None:
    """A move is no choice of handicap stones, and no seat invents one."""
    gui = seat(Color.BLACK)
    assert await gui.ask("play b D4") == "? illegal move"
    words = "? place your 2 handicap stones: set_free_handicap and their points"
    for command in ("genmove b", "place_free_handicap 2", "fixed_handicap 2"):
        assert await gui.ask(command) == words
    assert await gui.ask("fixed_handicap 1") == "? invalid number of stones"
    assert gui.seat.log == []


async def test_white_waits_for_the_choice() -> None:
    """Asking for the handicap, or for Black's move, waits for Black's letter."""
    for command, answer in (("place_free_handicap 2", "= D4 F6"), ("genmove b", "= D4")):
        gui = seat(Color.WHITE)
        assert await gui.ask(command) == ""
        points = tuple(map(parse_point, ("D4", "F6")))
        await gui.seat.do(cmd.Place(points), Color.BLACK)
        assert await gui.say() == [answer]


async def test_white_cannot_choose() -> None:
    """Whatever White's program would place, the stones are Black's to place."""
    gui = seat(Color.WHITE)
    assert await gui.ask("set_free_handicap D4 F6") == "? bad vertex list"
    assert await gui.ask("play w E5") == "? illegal move"
    assert stones(gui) == []
