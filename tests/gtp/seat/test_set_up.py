"""Stones before the first move, at the seats of both players: chosen by Black, or of a position."""

from __future__ import annotations

from dataclasses import replace

import pytest

from godaemon.games import commands as cmd
from godaemon.games.opening import Opening
from godaemon.rules.points import Color, parse_point
from tests.support.seat_game import Controller, FakeSeatGame, game


def placing(color: Color, stones: int = 2) -> Controller:
    """A controller at a game by Chinese rules, whose handicap stones are not placed yet."""
    begun = game()
    spec = replace(begun.spec, handicap=stones, free=True)
    return Controller(FakeSeatGame(replace(begun, spec=spec, position=spec.setup()), color))


def stones(gui: Controller) -> list[str]:
    """The handicap stones of the game."""
    return sorted(map(str, gui.seat.game.position.handicap))


async def test_black_chooses_with_set_free_handicap() -> None:
    """The choice is made once White's move is asked for; until then another takes its place."""
    gui = placing(Color.BLACK)
    said = await gui.say("boardsize 9", "clear_board", "set_free_handicap D4 G6", "clear_board")
    said += await gui.say("set_free_handicap D4 F6", "list_stones b")
    assert said == [*["="] * 5, "= D4 F6"]
    assert stones(gui) == []
    assert await gui.ask("genmove w") == ""
    assert await gui.ask("# interrupt") == "? interrupted"
    assert stones(gui) == ["D4", "F6"]
    assert await gui.ask("undo") == "? cannot undo"
    again = await gui.say("clear_board", "set_free_handicap F6 D4", "clear_board", "play b D4")
    assert again == ["=", "=", "=", "="]


async def test_a_choice_is_made_by_the_end_of_input_and_by_a_quiet_while() -> None:
    """As a pending move is released."""
    for end in ("quit", ""):
        gui = placing(Color.BLACK)
        await gui.ask("set_free_handicap D4 F6")
        await (gui.ask(end) if end else gui.hang_up())
        assert stones(gui) == ["D4", "F6"]


async def test_bug_the_first_moves_of_another_game_became_the_handicap() -> None:
    """Bug: a program that showed some even game as it attached chose the stones for good."""
    gui = placing(Color.BLACK)
    other = ["boardsize 9", "clear_board", "play b E5", "play w C3", "play b D7", "play w G3"]
    assert all(one.startswith("? illegal move") for one in (await gui.say(*other))[3:])
    await gui.hang_up()
    assert stones(gui) == []


async def test_a_choice_that_cannot_be() -> None:
    """Too many, too few, one twice, off the board, a pass: refused, and nothing is placed."""
    gui = placing(Color.BLACK)
    for wrong in ("D4 F6 C3", "D4", "D4 D4", "D4 T19", "D4 pass", ""):
        assert await gui.ask(f"set_free_handicap {wrong}") == "? bad vertex list"
    assert stones(gui) == []


@pytest.mark.parametrize(
    "commands",
    [
        ("play b D4", "play b F6"),
        ("gogui-setup b D4 b F6",),
        ("gogui-play_sequence b D4 b F6",),
        ("play b D4", "undo", "play b F6", "play b D4"),
    ],
)
async def test_black_chooses_with_what_the_program_has(commands: tuple[str, ...]) -> None:
    """Bug: one without set_free_handicap, as most are, could not begin such a game."""
    gui = placing(Color.BLACK)
    for command in commands:
        assert stones(gui) == []
        assert await gui.ask(command) == "="
    assert await gui.ask("genmove w") == ""
    assert await gui.ask("# interrupt") == "? interrupted"
    assert sorted(stones(gui)) == ["D4", "F6"]
    assert "white to move" in await gui.ask("godaemon-status")


async def test_what_is_no_choice_of_stones() -> None:
    """White's move, a pass, a point twice; and with more than the last stone none are chosen."""
    gui = placing(Color.BLACK)
    assert (await gui.ask("play b pass")).startswith("? illegal move: place your 2 handicap stones")
    assert (await gui.ask("play w E5")).startswith("? illegal move: place your 2 handicap stones")
    assert await gui.say("play b D4", "play b D4") == ["=", "? illegal move"]
    assert await gui.ask("gogui-play_sequence b F6 w E5") == "? illegal move"
    assert "black to move, who places 2 handicap stones first" in await gui.ask("godaemon-status")
    assert stones(gui) == []


async def test_black_plays_nothing_before() -> None:
    """No seat invents the stones."""
    gui = placing(Color.BLACK)
    words = "? place your 2 handicap stones: set_free_handicap and their points"
    for command in ("genmove b", "place_free_handicap 2", "fixed_handicap 2"):
        assert await gui.ask(command) == words
    assert await gui.ask("fixed_handicap 1") == "? invalid number of stones"
    assert gui.seat.log == []


async def test_white_waits_for_the_choice() -> None:
    """Asking for the handicap, or for Black's move, waits for Black's letter."""
    for command, answer in (("place_free_handicap 2", "= D4 F6"), ("genmove b", "= D4")):
        gui = placing(Color.WHITE)
        assert await gui.ask(command) == ""
        points = tuple(map(parse_point, ("D4", "F6")))
        await gui.seat.do(cmd.Place(points), Color.BLACK)
        assert await gui.say() == [answer]


async def test_white_cannot_choose() -> None:
    """Whatever White's program would place, the stones are Black's to place."""
    gui = placing(Color.WHITE)
    assert await gui.ask("set_free_handicap D4 F6") == "? bad vertex list"
    told = "? illegal move: black places 2 handicap stones first: genmove black waits for them"
    assert await gui.ask("play w E5") == told
    assert stones(gui) == []


BOARD = Opening(
    black=tuple(map(parse_point, ("D4", "E4"))),
    white=tuple(map(parse_point, ("D3", "E3"))),
    turn=Color.WHITE,
)


def opened(color: Color = Color.WHITE) -> Controller:
    """A controller at a game that White begins, with two stones of each on the board."""
    begun = game()
    spec = replace(begun.spec, opening=BOARD)
    return Controller(FakeSeatGame(replace(begun, spec=spec, position=spec.setup()), color))


async def test_the_position_is_set_up_in_one_command() -> None:
    """GoGui sets stones up; others than the game's are refused with those."""
    gui = opened()
    wrong = await gui.ask("gogui-setup b D4 b E4")
    assert wrong.endswith("gogui-setup b D4 b E4 w D3 w E3")
    assert await gui.ask("gogui-setup b D4 w D3 b E4 w E3") == "="
    assert await gui.say("list_stones b", "list_stones w") == ["= D4 E4", "= D3 E3"]
    assert await gui.say("gogui-setup_player w", "play w F4") == ["=", "="]


async def test_the_position_is_played_stone_by_stone() -> None:
    """As programs send a record that has stones set up; a stone in the wrong colour is none."""
    gui = opened()
    assert await gui.ask("play w D4") == "? illegal move"
    assert await gui.say("play b D4", "play w D3", "play w E3", "play b E4") == ["="] * 4
    assert await gui.ask("list_stones w") == "= D3 E3"
    assert await gui.ask("play w F4") == "="


async def test_stones_of_white_s_are_no_handicap_and_no_moves() -> None:
    """Bug: they were given as Black's handicap, and by genmove as moves that nobody made."""
    gui = opened(Color.BLACK)
    words = "? the game began with other stones: gogui-setup b D4 b E4 w D3 w E3"
    assert await gui.say("genmove b", "genmove w") == [words, words]
    assert await gui.ask("get_handicap") == "= 0"
    for command in ("fixed_handicap 4", "place_free_handicap 4", "fixed_handicap 2"):
        assert await gui.ask(command) == "? invalid number of stones"
    assert await gui.ask("set_free_handicap D4 E4 D3 E3") == "? bad vertex list"
    assert await gui.ask("gogui-setup b D4 b E4 w D3 w E3") == "="
    assert await gui.ask("list_stones w") == "= D3 E3"
