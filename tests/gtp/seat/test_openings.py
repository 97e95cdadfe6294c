"""Seats of a game that began from a position with stones of both colours."""

from __future__ import annotations

from dataclasses import replace

from godaemon.games.opening import Opening
from godaemon.rules.points import Color, parse_point
from tests.support.seat_game import Controller, FakeSeatGame, game

BOARD = Opening(
    black=tuple(map(parse_point, ("D4", "E4"))),
    white=tuple(map(parse_point, ("D3", "E3"))),
    turn=Color.WHITE,
)


def seat(color: Color = Color.WHITE) -> Controller:
    """A controller at a game that White begins, with two stones of each on the board."""
    begun = game()
    spec = replace(begun.spec, opening=BOARD)
    return Controller(FakeSeatGame(replace(begun, spec=spec, position=spec.setup()), color))


async def test_the_position_is_set_up_in_one_command() -> None:
    """GoGui sets stones up; others than the game's are refused with those."""
    gui = seat()
    wrong = await gui.ask("gogui-setup b D4 b E4")
    assert wrong.endswith("gogui-setup b D4 b E4 w D3 w E3")
    assert await gui.ask("gogui-setup b D4 w D3 b E4 w E3") == "="
    assert await gui.say("list_stones b", "list_stones w") == ["= D4 E4", "= D3 E3"]
    assert await gui.say("gogui-setup_player w", "play w F4") == ["=", "="]


async def test_the_position_is_played_stone_by_stone() -> None:
    """As programs send a record that has stones set up; a stone in the wrong colour is none."""
    gui = seat()
    assert await gui.ask("play w D4") == "? illegal move"
    assert await gui.say("play b D4", "play w D3", "play w E3", "play b E4") == ["="] * 4
    assert await gui.ask("list_stones w") == "= D3 E3"
    assert await gui.ask("play w F4") == "="


async def test_stones_of_white_s_are_no_handicap_and_no_moves() -> None:
    """Bug: they were given as Black's handicap, and by genmove as moves that nobody made."""
    gui = seat(Color.BLACK)
    words = "? the game began with other stones: gogui-setup b D4 b E4 w D3 w E3"
    assert await gui.say("genmove b", "genmove w") == [words, words]
    assert await gui.ask("get_handicap") == "= 0"
    for command in ("fixed_handicap 4", "place_free_handicap 4", "fixed_handicap 2"):
        assert await gui.ask(command) == "? invalid number of stones"
    assert await gui.ask("set_free_handicap D4 E4 D3 E3") == "? bad vertex list"
    assert await gui.ask("gogui-setup b D4 b E4 w D3 w E3") == "="
    assert await gui.ask("list_stones w") == "= D3 E3"
