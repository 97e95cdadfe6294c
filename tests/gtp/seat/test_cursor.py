"""A controller in a seat of a stored game: every rule of the cursor, on a game in memory."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.errors import Busy, NotAllowed
from godaemon.games.model import Phase
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Move
from gtp.seat.cursor import OFF_RECORD
from tests.support.examples import examples
from tests.support.seat_game import QUIET_SECONDS, Controller, FakeSeatGame, game, settle

RECORD = "b D4 w E5 b D5 w E4"


def seat_game(moves: str = RECORD, color: Color = Color.BLACK, handicap: int = 0) -> FakeSeatGame:
    """A 9x9 game after some moves, and a seat in it."""
    return FakeSeatGame(game(moves=moves, handicap=handicap), color)


async def attach(moves: str = RECORD, color: Color = Color.BLACK) -> Controller:
    """A controller that has replayed the record, as they all do, and stands at the head."""
    gui = Controller(seat_game(moves, color))
    words = moves.split()
    replay = [f"play {words[at]} {words[at + 1]}" for at in range(0, len(words), 2)]
    lines = ["boardsize 9", "clear_board", "komi 0.5", *replay]
    assert await gui.say(*lines) == ["="] * len(lines)
    assert gui.seat.log == []
    return gui


async def test_the_size_must_be_the_games() -> None:
    """Another size is refused in the words of the specification, a rectangle's in both forms."""
    gui = Controller(seat_game())
    assert (
        await gui.say("boardsize 19", "boardsize 9 13", "rectangular_boardsize 9 8")
        == ["? unacceptable size"] * 3
    )
    assert await gui.say("boardsize 9", "rectangular_boardsize 9 9", "boardsize x") == [
        "=",
        "=",
        "? syntax error",
    ]
    wide = Controller(FakeSeatGame(game(Size(13, 7)), Color.WHITE))
    assert await wide.say("boardsize 13", "boardsize 13 7", "rectangular_boardsize 13 7") == [
        "? unacceptable size",
        "=",
        "=",
    ]


async def test_a_replay_changes_nothing() -> None:
    """Replaying, going back and forth and starting over leaves the game as it is."""
    gui = await attach()
    before = gui.seat.game
    assert (
        await gui.say("undo", "undo", "play b D5", "play w E4", "clear_board", "play b D4")
        == ["="] * 6
    )
    assert (
        await gui.say("time_settings 300 30 5", "time_left b 3 0", "kgs-rules japanese")
        == ["="] * 3
    )
    assert gui.seat.game is before
    assert gui.seat.log == []


async def test_departures_from_the_record() -> None:
    """Another move, another colour or a pass is illegal, and the cursor stays where it was."""
    gui = Controller(seat_game())
    assert await gui.say("play b D4", "play w D5", "play b E5", "play w pass", "play w Z9") == [
        "=",
        *["? illegal move"] * 4,
    ]
    assert await gui.say("play w E5", "play b D5", "play w E4") == ["="] * 3


async def test_undo_stops_at_the_start() -> None:
    """Undo walks back over the record and then fails."""
    gui = await attach("b D4 w E5")
    assert await gui.say("undo", "undo", "undo") == ["=", "=", "? cannot undo"]


@pytest.mark.parametrize(
    ("line", "response"),
    [
        ("fixed_handicap 2", "= C3 G7"),
        ("fixed_handicap 3", "? invalid number of stones"),
        ("place_free_handicap 2", "= C3 G7"),
        ("place_free_handicap 5", "= C3 G7"),
        ("place_free_handicap 1", "? invalid number of stones"),
        ("set_free_handicap g7 c3", "="),
        ("set_free_handicap C3", "? bad vertex list"),
        ("set_free_handicap C3 G7 C3", "? bad vertex list"),
        ("set_free_handicap C3 C7", "? bad vertex list"),
        ("set_free_handicap C3 I7", "? bad vertex list"),
        ("set_free_handicap", "? bad vertex list"),
    ],
)
async def test_handicap_commands(line: str, response: str) -> None:
    """The game's own stones are placed in any of three forms, and no others."""
    gui = Controller(seat_game("w E5", handicap=2))
    assert await gui.ask(line) == response
    after = ["? board not empty", "=", "? cannot undo"] if response[0] == "=" else ["C3"]
    if response[0] == "=":
        assert await gui.say(line, "play w E5", "undo", "undo") == [after[0], "=", "=", after[2]]
    else:
        assert await gui.ask("play w E5") == "? illegal move"
    assert gui.seat.log == []


async def test_handicap_by_play_and_by_genmove() -> None:
    """Handicap stones come as Black's moves too, in any order, and those can be undone."""
    gui = Controller(seat_game("w E5", handicap=3))
    assert await gui.say("play b G7", "play b D4", "play w C3", "play b G7") == [
        "=",
        *["? illegal move"] * 3,
    ]
    assert await gui.say("undo", "undo", "play b G7") == ["=", "? cannot undo", "="]
    assert await gui.ask("genmove w") == (
        "? the handicap stones come first: set_free_handicap C3 G7 C7"
    )
    assert await gui.say("genmove b", "genmove b", "genmove w") == ["= C3", "= C7", "= E5"]


async def test_the_board_of_a_controller_that_has_asked_for_handicap_stones() -> None:
    """It shows the stones that were given so far, and no move that it has not replayed."""
    gui = Controller(seat_game("w E5", handicap=3))
    assert await gui.ask("genmove b") == "= C3"
    shown = await gui.ask("list_stones black"), await gui.ask("list_stones white")
    assert shown == ("= C3", "=")


async def test_handicap_where_there_is_none() -> None:
    """An even game takes no handicap stones."""
    gui = Controller(seat_game())
    assert await gui.say("fixed_handicap 2", "place_free_handicap 2", "set_free_handicap C3") == [
        "? invalid number of stones",
        "? invalid number of stones",
        "? bad vertex list",
    ]


async def test_genmove_catches_up() -> None:
    """A controller that knows nothing is given the record by genmove for both colours."""
    gui = Controller(seat_game())
    assert await gui.say("genmove b", "genmove w", "genmove b", "genmove w") == [
        "= D4",
        "= E5",
        "= D5",
        "= E4",
    ]
    assert await gui.ask("genmove b") == (
        "? it is black's turn, which is yours: play black and a point, or play black pass"
    )


async def test_genmove_for_the_wrong_colour() -> None:
    """A recorded move is given only to whoever asks for its colour, and the answer says which."""
    gui = Controller(seat_game())
    assert await gui.ask("genmove w") == (
        "? the next move of the record is black's: genmove black gives it"
    )


async def test_a_seat_never_invents_a_move() -> None:
    """At the head, genmove for one's own colour fails whoever is to move."""
    gui = await attach("b D4", Color.BLACK)
    assert await gui.ask("genmove b") == "? it is white's turn: genmove white waits for the move"
    await gui.seat.mail("w pass b pass")
    assert await gui.say("genmove w", "genmove b") == ["= pass", "= pass"]
    assert await gui.ask("genmove b") == "? play has stopped: there is no move to make"


async def test_a_move_at_the_head_is_pending_until_the_opponent_is_asked() -> None:
    """`play` is written down and answered; `genmove` for the opponent releases it and waits."""
    gui = await attach()
    assert await gui.ask("play b C3") == "="
    assert gui.seat.pending == Move(Color.BLACK, Point(2, 2))
    assert gui.seat.game.move_number == 4
    assert await gui.ask("genmove w") == ""
    assert gui.seat.log == ["pending C3", "released C3"]
    await gui.seat.mail("w G7")
    await settle()
    assert gui.sent[-1] == b"= G7\n\n"
    assert await gui.say("undo", "play w G7") == ["=", "="]


async def test_a_few_quiet_seconds_release_it() -> None:
    """The move is released when some seconds have passed since it was made."""
    gui = await attach()
    assert await gui.ask("play b C3") == "="
    await gui.clock.advance(QUIET_SECONDS - 1)
    assert gui.seat.log == ["pending C3"]
    await gui.clock.advance(1)
    assert gui.seat.log == ["pending C3", "released C3"]
    assert await gui.ask("genmove b") == "? it is white's turn: genmove white waits for the move"


async def test_the_move_of_a_program_that_polls_is_sent() -> None:
    """Whatever is asked meanwhile does not keep a move pending; nor does the same move again."""
    gui = await attach()
    assert await gui.ask("play b C3") == "="
    for line in ("name", "godaemon-status", "list_commands", "play b C3", "nonsense"):
        assert await gui.ask(line)
        await gui.clock.advance(QUIET_SECONDS / 5)
    assert gui.seat.log == ["pending C3", "released C3"]


async def test_another_move_begins_the_quiet_seconds_anew() -> None:
    """Who takes a move back and plays another, or the same, has the whole time for that one."""
    gui = await attach()
    assert await gui.ask("play b C3") == "="
    await gui.clock.advance(QUIET_SECONDS - 1)
    assert await gui.say("undo", "play b C3") == ["=", "="]
    await gui.clock.advance(QUIET_SECONDS - 1)
    assert "released C3" not in gui.seat.log
    await gui.clock.advance(1)
    assert gui.seat.log[-1] == "released C3"


async def test_who_plays_resign_is_told_how_to() -> None:
    """A move it is not; the answer names the command, and nothing has happened."""
    gui = await attach()
    answer = "? resign is no move: godaemon-resign gives the game up"
    assert await gui.say("play b resign", "play black RESIGN") == [answer, answer]
    assert gui.seat.log == []


@pytest.mark.parametrize("ending", ["quit", "end of input"])
async def test_leaving_releases_it(ending: str) -> None:
    """`quit` and the end of the input release the pending move."""
    gui = await attach()
    assert await gui.ask("play b pass") == "="
    if ending == "quit":
        assert await gui.ask("quit") == "="
        await gui.ended()
    else:
        await gui.hang_up()
    assert gui.seat.log == ["pending pass", "released pass"]


@pytest.mark.parametrize("line", ["undo", "clear_board", "boardsize 9"])
async def test_a_pending_move_is_taken_back(line: str) -> None:
    """Before it is released, going back takes it back for good."""
    gui = await attach()
    assert await gui.say("play b C3", line) == ["=", "="]
    await gui.clock.advance(10 * QUIET_SECONDS)
    await gui.hang_up()
    assert gui.seat.log == ["pending C3", "taken back"]


async def test_a_different_move_replaces_it() -> None:
    """Another move of one's own takes the place of the pending one; the same again is illegal."""
    gui = await attach()
    assert await gui.say("play b C3", "play b C3", "play b D4", "play b G3") == [
        "=",
        "? illegal move",
        "? illegal move",
        "=",
    ]
    await gui.hang_up()
    assert gui.seat.log == ["pending C3", "pending G3", "released G3"]


async def test_the_wrong_record_plays_nothing() -> None:
    """A controller that replays another game past our head does not play that game's move."""
    gui = Controller(seat_game("b D4 w E5"))
    lines = ["boardsize 9", "clear_board", "play b D4", "play w E5", "play b C3", "play w G7"]
    assert await gui.say(*lines) == [*["="] * 5, "? illegal move"]
    assert await gui.say("play b F2") == ["? illegal move"]
    await gui.hang_up()
    assert gui.seat.log == ["pending C3", "taken back"]
    assert gui.seat.game.move_number == 2


async def test_bug_the_last_move_of_another_game_was_played() -> None:
    """Bug: once a move of it had been refused, its last one, of our colour, was pending again."""
    gui = Controller(seat_game(""))
    other = ["clear_board", "play b E5", "play w C3", "play b D7"]
    assert await gui.say(*other) == ["=", "=", "? illegal move", "? illegal move"]
    assert await gui.say("undo", "play b D7") == ["=", "="]
    assert await gui.say("clear_board", "set_free_handicap C3 G7") == ["=", "? bad vertex list"]
    assert await gui.say("play w E5", "play b D7") == ["? illegal move"] * 2
    assert await gui.say("clear_board", "gogui-setup b C3 w G7") != ["=", "="]
    assert await gui.say("play b D7", "clear_board", "play b D7") == ["? illegal move", "=", "="]
    await gui.hang_up()
    assert gui.seat.log[-1] == "released D7"


async def test_moves_that_cannot_be_pending() -> None:
    """An occupied point, the opponent's colour, and a move out of turn are illegal at the head."""
    gui = await attach()
    assert await gui.say("play b D4", "play w C3", "play b D10") == ["? illegal move"] * 3
    waiting = await attach("b D4")
    assert await waiting.say("play b C3", "play b pass", "play w C3") == ["? illegal move"] * 3
    assert gui.seat.log == waiting.seat.log == []


@pytest.mark.parametrize("line", ["# interrupt", "#interrupt\r"])
async def test_an_interrupt_ends_the_wait(line: str) -> None:
    """`# interrupt` ends the wait at once, is not answered itself, and nothing is lost."""
    gui = await attach("b D4")
    assert await gui.ask("9 genmove w") == ""
    assert await gui.ask(line) == "?9 interrupted"
    assert gui.seat.waiting == 0
    await gui.seat.mail("w G7")
    assert await gui.ask("genmove w") == "= G7"


async def test_a_second_command_ends_the_wait_and_is_served() -> None:
    """Comments and blank lines do not disturb the wait; a command ends it and is answered next."""
    gui = await attach("b D4")
    assert await gui.ask("genmove w") == ""
    assert await gui.say("", "# words") == []
    assert gui.seat.waiting == 1
    assert await gui.say("5 protocol_version") == ["? interrupted", "=5 2"]


async def test_a_command_that_came_with_it_ends_the_wait() -> None:
    """A pipelined command ends the wait too, but not before a move that is there is given."""
    gui = await attach("b D4")
    assert await gui.say("genmove w", "name") == ["? interrupted", "= godaemon"]
    await gui.seat.mail("w G7")
    assert await gui.say("genmove w", "name") == ["= G7", "= godaemon"]


async def test_the_end_of_input_ends_the_wait() -> None:
    """When the controller goes while it waits, the wait is over, and its move is released."""
    gui = await attach()
    assert await gui.say("play b C3", "genmove w") == ["="]
    await gui.hang_up()
    assert gui.sent[-1] == b"? interrupted\n\n"
    assert gui.seat.log == ["pending C3", "released C3"]


async def test_the_opponent_passes_while_the_game_is_scored() -> None:
    """In scoring the opponent's move is pass; the controller's record of it replays and undoes."""
    gui = await attach("b D4 w pass")
    assert await gui.say("play b pass", "genmove w") == ["=", "= pass"]
    assert gui.seat.game.phase is Phase.SCORING
    assert await gui.say("genmove w", "play b pass", "play b C3") == [
        "= pass",
        "=",
        "? illegal move",
    ]
    assert await gui.say("undo", "undo", "undo", "undo", "play b pass") == ["="] * 5
    replay = ["clear_board", "play b D4", "play w pass", "play b pass", "play w pass"]
    assert await gui.say(*replay) == ["="] * 5
    assert gui.seat.log == ["pending pass", "released pass"]


async def test_passes_after_the_end_have_a_limit() -> None:
    """A controller that passes and passes is stopped, and can undo them all."""
    gui = await attach("b D4 w pass b pass")
    assert await gui.say(*["play w pass", "play b pass"] * 50) == ["="] * 100
    assert await gui.say("play w pass", *["undo"] * 100) == ["? illegal move", *["="] * 100]


async def test_a_wait_ends_with_the_game() -> None:
    """Who waits hears that the opponent has resigned; pass after a count; else the result."""
    for result, response in (
        ("B+R", b"= resign\n\n"),
        ("W+R", b"? the game is over, W+R\n\n"),
        ("B+T", b"? the game is over, B+T: white's time has run out\n\n"),
        ("Void", b"? the game is over, without a result\n\n"),
        ("0", b"= pass\n\n"),
    ):
        gui = await attach("b D4")
        assert await gui.ask("genmove w") == ""
        await gui.seat.end(result)
        await settle()
        assert gui.sent[-1] == response


async def test_play_goes_on_after_scoring() -> None:
    """When the game is resumed the cursor follows the new moves, whatever was passed meanwhile."""
    gui = await attach("b D4 w pass b pass")
    assert await gui.ask("genmove w") == "= pass"
    resumed = replace(gui.seat.game, phase=Phase.PLAYING, passes=0)
    await gui.seat.change(resumed)
    await gui.seat.mail("w F6")
    assert await gui.say("genmove w", "play b C3") == ["= F6", "="]
    assert gui.seat.log == ["pending C3"]


async def test_a_letter_that_crosses_a_pending_move() -> None:
    """When the seat's own letter moved otherwise, the pending move is lost and the GUI is told."""
    gui = await attach()
    assert await gui.ask("play b C3") == "="
    await gui.seat.mail("b G3 w C7")
    assert await gui.ask("genmove w") == f"? {OFF_RECORD}"
    assert await gui.ask("play b G3") == "? illegal move"
    assert await gui.say("undo", "genmove b", "genmove w") == ["=", "= G3", "= C7"]
    assert gui.seat.log == ["pending C3", "taken back"]


async def test_another_program_has_moved_at_this_seat() -> None:
    """The move is refused with the reason, and the cursor stays."""
    gui = await attach()
    gui.seat.trouble = NotAllowed("another program at this seat has just played G3")
    assert await gui.ask("play b C3") == "? another program at this seat has just played G3"
    gui.seat.trouble = None
    assert await gui.ask("play b G3") == "="
    assert gui.seat.log == ["pending G3"]


async def test_a_stale_release_puts_the_cursor_off_the_record() -> None:
    """When the quiet release comes too late, the next move is illegal until the GUI goes back."""
    gui = await attach()
    assert await gui.ask("play b C3") == "="
    await gui.seat.mail("b G3")
    await gui.clock.advance(QUIET_SECONDS)
    assert await gui.ask("play w C7") == "? illegal move"
    assert await gui.say("clear_board", "play b D4") == ["=", "="]
    assert gui.faults == []


async def test_a_release_that_is_stale_at_the_last_moment() -> None:
    """A letter that arrives between the look and the release is not overtaken by it."""
    gui = await attach()
    assert await gui.ask("play b C3") == "="
    view = gui.seat.view

    async def late() -> object:
        seen = await view()
        gui.seat.view = view  # type: ignore[method-assign]
        await gui.seat.mail("b G3 w C7")
        return seen

    gui.seat.view = late  # type: ignore[method-assign, assignment]
    assert await gui.ask("genmove w") == f"? {OFF_RECORD}"
    assert gui.seat.game.move_number == 6


async def test_the_same_move_by_letter() -> None:
    """When the letter made the very move that is pending, it is the record's, and all is well."""
    gui = await attach()
    assert await gui.ask("play b C3") == "="
    await gui.seat.mail("b C3 w C7")
    assert await gui.ask("genmove w") == "= C7"
    assert gui.seat.log == ["pending C3", "taken back"]


async def test_a_move_taken_out_of_the_record() -> None:
    """When the players undo a move that the GUI has on its board, it must go back itself."""
    gui = await attach()
    shorter = game(moves="b D4 w E5 b D5")
    await gui.seat.change(replace(shorter, revisions=shorter.revisions._replace(position=9)))
    assert await gui.say("play b C3", "genmove w") == ["? illegal move", f"? {OFF_RECORD}"]
    assert await gui.ask("undo") == "="
    assert await gui.ask("genmove w") == ""


async def test_the_opponent_resigns_over_a_pending_move() -> None:
    """A move that was pending when the opponent gave up is lost, and genmove says resign."""
    gui = await attach()
    assert await gui.ask("play b C3") == "="
    await gui.seat.end("B+R")
    assert await gui.ask("genmove w") == "= resign"
    await gui.hang_up()
    assert gui.seat.log == ["pending C3", "taken back"]


async def test_trouble_in_the_daemon_loses_nothing() -> None:
    """While the daemon cannot write, the move stays pending; it is released when it can."""
    gui = await attach()
    assert await gui.ask("play b C3") == "="
    gui.seat.trouble = Busy("Try again in a minute.")
    await gui.clock.advance(QUIET_SECONDS)
    assert await gui.ask("genmove w") == "? Try again in a minute."
    gui.seat.trouble = None
    await gui.clock.advance(QUIET_SECONDS)
    assert gui.seat.log == ["pending C3", "released C3"]


async def test_a_move_that_cannot_be_written_down() -> None:
    """A move that the daemon does not take is not answered as if it had."""
    gui = await attach()
    gui.seat.trouble = Busy("Try again in a minute.")
    assert await gui.ask("play b C3") == "? Try again in a minute."
    gui.seat.trouble = None
    assert await gui.ask("play b C3") == "="


async def test_scores_and_statuses_are_the_games() -> None:
    """The score and the dead stones are those of the players' marks, and none while they play."""
    gui = await attach()
    assert await gui.ask("final_score") == "? cannot score"
    await gui.seat.mail("b pass w pass")
    await gui.seat.change(replace(gui.seat.game, dead=frozenset({Point(3, 3), Point(3, 4)})))
    assert await gui.ask("final_score") == "= W+87.5"
    assert await gui.ask("final_status_list dead") == "= D4 D5"
    assert await gui.ask("final_status_list alive") == "= E4 E5"
    assert await gui.ask("final_status_list seki") == "="
    assert await gui.ask("final_status_list x") == "? syntax error"
    await gui.seat.end("B+R")
    assert await gui.ask("final_score") == "= B+R"


async def test_seki_is_told_from_alive() -> None:
    """Stones that the players leave on the board without two eyes of their own are in seki."""
    black = ["B5", "G5", "A4", "B4", "G4", "C3", "D3", "E3", "F3", "G3", "H3", "D2", "D1", "E1"]
    white = ["D5", "F5", "C4", "D4", "E4", "F4", "A3", "B3", "B2", "C2", "A1", "C1", "pass", "pass"]
    moves = " ".join(f"b {one} w {other}" for one, other in zip(black[:-1], white, strict=False))
    record = f"{moves} b E1 w pass b pass"
    gui = Controller(FakeSeatGame(game(Size(8, 5), moves=record), Color.BLACK))
    assert await gui.ask("final_status_list seki") == "= A4 B4 B5\nC4 D4 D5 E4 F4 F5"
    assert await gui.ask("final_status_list dead") == "="
    alive = await gui.ask("final_status_list alive")
    assert alive == "= A1\nA3 B2 B3 C1 C2\nC3 D1 D2 D3 E1 E3 F3 G3 G4 G5 H3"


async def test_showboard() -> None:
    """The board is the controller's, pending move and all; the game's before it has set one up."""
    gui = Controller(seat_game())
    drawing = await gui.ask("showboard")
    assert "(O)" in drawing
    assert drawing.splitlines()[-2:] == [
        "Game 1, move 4: black to move. You are black.",
        "Your program has followed 0 of its moves.",
    ]
    assert (
        await gui.say("play b D4", "play w E5", "play b D5", "play w E4", "play b C3") == ["="] * 5
    )
    drawing = await gui.ask("showboard")
    assert drawing.splitlines()[-1] == "Your move C3 is about to be sent."
    assert "(X)" in drawing
    gui.seat.trouble = None
    await gui.seat.end("B+R")
    assert "move 4: over, B+R. You are black." in await gui.ask("showboard")


async def test_administrative_commands() -> None:
    """A seat knows its own commands and says so; free boards' others are unknown to it."""
    gui = Controller(seat_game())
    names = (await gui.ask("list_commands"))[2:].split("\n")
    assert names[0] == "protocol_version"
    assert {"play", "genmove", "undo", "final_status_list", "quit"} <= set(names)
    assert await gui.say("known_command genmove", "known_command loadsgf", "loadsgf x", "3") == [
        "= true",
        "= false",
        "? unknown command",
        "?3 unknown command",
    ]
    assert await gui.say("komi x", "komi 1", "play b", "genmove") == [
        "? syntax error",
        "=",
        "? syntax error",
        "? syntax error",
    ]


async def test_our_own_fault_is_survived() -> None:
    """A fault is reported and answered, and the session goes on."""
    gui = await attach()
    gui.seat.trouble = ZeroDivisionError()
    assert await gui.ask("play b C3") == "? internal error"
    assert [type(fault) for fault in gui.faults] == [ZeroDivisionError]
    gui.seat.trouble = None
    assert await gui.ask("play b C3") == "="


VERTICES = st.sampled_from(["D4", "E5", "D5", "E4", "C3", "G7", "pass"])
WORDS = st.one_of(
    st.builds("play {} {}".format, st.sampled_from("bw"), VERTICES),
    st.builds("genmove {}".format, st.sampled_from("bw")),
    st.sampled_from(["undo", "undo", "clear_board", "boardsize 9", "boardsize 19", "# interrupt"]),
    st.sampled_from(["fixed_handicap 2", "final_score", "showboard", "komi 6.5", "quit", ""]),
)


@given(st.lists(WORDS, max_size=25), st.sampled_from([Color.BLACK, Color.WHITE]), st.integers(0, 2))
@settings(max_examples=examples(150))
def test_whatever_a_controller_does(lines: list[str], color: Color, handicap: int) -> None:
    """It never changes the record but by a move of its own at the head, one frame a command."""

    async def run() -> None:
        begun = game(moves="w E5" if handicap == 2 else RECORD, handicap=handicap // 2 * 2)
        gui = Controller(FakeSeatGame(begun, color))
        recorded = begun.position.moves
        for line in lines:
            responses = await gui.say(line)
            assert len(responses) <= 2
            assert all("internal error" not in response for response in responses)
        await gui.hang_up()
        after = gui.seat.game.position.moves
        assert after[: len(recorded)] == recorded
        assert all(move.color is color for move in after[len(recorded) :])
        assert len(after) <= len(recorded) + 1
        released = [entry for entry in gui.seat.log if entry.startswith("released")]
        assert len(released) == len(after) - len(recorded)

    asyncio.run(run())
