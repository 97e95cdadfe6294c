"""What a seat can be asked, command by command: its own board at the cursor, and the whole game."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from godaemon.games import commands as cmd
from godaemon.games.model import Phase
from godaemon.games.stored_values import GameSummary
from godaemon.records import sgf
from godaemon.rules.points import Color, Size, parse_point
from gtp.every_session import LOOKS
from gtp.seat.commands import SEAT
from gtp.seat.commands.look import MENU
from tests.support.seat_game import ALICE, Controller, FakeSeatGame, game

RECORD = "b D4 w E5 b D5 w E4"
REPLAY = ("play b D4", "play w E5", "play b D5", "play w E4")


def seat(
    moves: str = RECORD, color: Color = Color.BLACK, handicap: int = 0, size: Size = Size(9, 9)
) -> Controller:
    """A controller that has just sat down."""
    return Controller(FakeSeatGame(game(size, moves=moves, handicap=handicap), color))


async def test_the_board_is_that_of_the_cursor() -> None:
    """Once a replay begins it is empty; it grows move by move, and holds the pending move too."""
    gui = seat()
    assert await gui.say("list_stones b", "list_stones white") == ["= D4 D5", "= E4 E5"]
    await gui.ask("clear_board")
    assert await gui.say("list_stones b", "list_stones white") == ["=", "="]
    await gui.say(*REPLAY[:2])
    assert await gui.say("list_stones b", "list_stones white") == ["= D4", "= E5"]
    await gui.say(*REPLAY[2:], "play b C3")
    assert await gui.say("list_stones b", "list_stones x") == ["= C3 D4 D5", "? syntax error"]
    await gui.say("undo", "undo")
    assert await gui.say("list_stones b", "list_stones w") == ["= D4 D5", "= E5"]
    assert gui.seat.log == ["pending C3", "taken back"]


async def test_handicap_stones_are_on_it() -> None:
    """As many as the controller has placed so far."""
    gui = seat("w E5", handicap=2)
    assert await gui.say("play b G7", "list_stones b", "play b C3", "list_stones b") == [
        "=",
        "= G7",
        "=",
        "= C3 G7",
    ]


CORNER = "b A1 w A2 b D4 w B1 b D5 w E5"
"""White takes the stone in the corner."""


CHINESE = (
    '= {"friendlyPassOk":true,"hasButton":false,"ko":"SIMPLE","scoring":"AREA","suicide":false,'
    '"tax":"NONE","whiteHandicapBonus":"N"}'
)


async def test_a_lost_move_is_on_it_until_it_is_undone() -> None:
    """What the game has not taken stands on the controller's board all the same."""
    gui = seat()
    await gui.say(*REPLAY, "play b C3")
    await gui.seat.mail("b G3 w C7")
    assert await gui.say("list_stones b", "undo", "list_stones b") == [
        "= C3 D4 D5",
        "=",
        "= D4 D5",
    ]


@pytest.mark.parametrize(
    ("line", "response"),
    [
        ("color D4", "= black"),
        ("color e5", "= white"),
        ("color A1", "= empty"),
        ("color pass", "? invalid coordinate"),
        ("color K10", "? invalid coordinate"),
        ("color", "? syntax error"),
        ("is_legal b C3", "= 1"),
        ("is_legal b D4", "= 0"),
        ("is_legal b A1", "= 0"),
        ("is_legal w A1", "= 1"),
        ("is_legal w PASS", "= 1"),
        ("is_legal w Z9", "= 0"),
        ("is_legal w", "? syntax error"),
        ("all_legal green", "? syntax error"),
        ("captures b", "= 0"),
        ("captures w", "= 1"),
        ("captures", "? syntax error"),
        ("countlib D4", "= 5"),
        ("countlib A1", "? vertex must not be empty"),
        ("countlib pass", "? invalid coordinate"),
        ("countlib T19", "? invalid coordinate"),
        ("countlib", "? syntax error"),
        ("findlib A2", "= A1 A3 B2"),
        ("findlib B9", "? vertex must not be empty"),
        ("findlib I5", "? syntax error"),
        ("last_move", "= white E5"),
        ("move_history", "= white E5\nblack D5\nwhite B1\nblack D4\nwhite A2\nblack A1"),
        ("query_boardsize", "= 9"),
        ("gogui-rules_board_size", "= 9"),
        ("gogui-rules_game_id", "= Go"),
        ("get_komi", "= 6.5"),
        ("get_handicap", "= 0"),
        ("kata-get-rules", CHINESE),
        ("cputime", "= 0.000"),
        ("printsgf game.sgf", "? cannot write file"),
        ("gogui-title", "= Game 1: Alice (black) against Bob (white)"),
        ("gogui-interrupt", "="),
    ],
)
async def test_what_tools_ask(line: str, response: str) -> None:
    """Each answers in the form that GNU Go or GoGui gave it, and changes nothing."""
    gui = seat(CORNER)
    words = CORNER.split()
    await gui.say(*(f"play {words[at]} {words[at + 1]}" for at in range(0, len(words), 2)))
    before = gui.seat.game
    assert await gui.ask(line) == response
    assert gui.seat.game is before
    assert gui.seat.log == []


async def test_all_legal() -> None:
    """The points where the rules let a colour play, pass left out."""
    gui = seat("b B1 w E5 b A2")
    await gui.ask("clear_board")
    assert len((await gui.ask("all_legal b")).split()) == 1 + 81
    await gui.say("play b B1", "play w E5", "play b A2")
    assert len((await gui.ask("all_legal b")).split()) == 1 + 78
    assert "A1" not in (await gui.ask("all_legal w")).split()


async def test_no_last_move() -> None:
    """At the start there is none, and the history is empty."""
    answers = await seat().say("clear_board", "last_move", "move_history")
    assert answers == ["=", "? no previous move known", "="]


async def test_the_size_of_a_rectangle() -> None:
    """Width and height, in the form in which GoGui takes its board's size from us."""
    gui = seat("", size=Size(13, 7))
    assert await gui.say("query_boardsize", "gogui-rules_board_size") == ["= 13 7"] * 2


async def test_printsgf_holds_the_whole_game() -> None:
    """Wherever the cursor stands, the record has every move, stone, word and name."""
    gui = seat("w E5 b D5 w E4", handicap=2)
    await gui.seat.do(cmd.Say("What\n\na (good] game"), Color.WHITE)
    text = await gui.ask("printsgf")
    record = sgf.read(text.removeprefix("= ").encode())
    assert record.moves == gui.seat.game.position.moves
    assert {*record.setup_black} == {*gui.seat.game.position.handicap}
    assert (record.black, record.white, record.komi) == ("Alice", "Bob", 6.5)
    assert "a (good] game" in record.comments[3]
    assert "\n\n" not in text
    assert await gui.ask("printsgf -") == text


async def test_a_gui_catches_up_by_the_record() -> None:
    """What printsgf gives is replayed move by move, and the head is reached."""
    gui = seat(RECORD, Color.WHITE)
    record = sgf.read((await gui.ask("printsgf")).removeprefix("= ").encode())
    lines = [f"play {move.color.word} {move.point}" for move in record.moves]
    assert await gui.say("clear_board", *lines) == ["="] * 5
    assert await gui.ask("genmove b") == ""
    await gui.seat.mail("b C3")
    assert await gui.ask("") == "= C3"


async def test_status_says_that_a_game_is_rated() -> None:
    """Behind its terms."""
    plain = game(Size(9, 9))
    rated = replace(plain, spec=replace(plain.spec, rated=True))
    gui = Controller(FakeSeatGame(rated, Color.BLACK))
    assert "komi 6.5, rated\n" in await gui.ask("godaemon-status")


async def test_status() -> None:
    """How the game stands, a line for each thing, and where the program stands."""
    gui = seat()
    await gui.seat.do(cmd.Say("hello\nthere"), Color.WHITE)
    assert (await gui.ask("godaemon-status")).splitlines() == [
        "= Game: 1, 9x9, chinese rules, komi 6.5",
        "Black: Alice (you)",
        "White: Bob",
        "Moves: 4, the last by white: E4",
        "State: black to move.",
        "Words: Bob: hello there",
        "Program: Your program has followed 0 of its moves.",
    ]
    await gui.say(*REPLAY)
    assert "Program:" not in await gui.ask("godaemon-status")
    await gui.seat.mail("b pass w pass")
    await gui.seat.do(cmd.Mark((parse_point("D4"),), dead=True, extent=cmd.Extent.ALL))
    await gui.seat.do(cmd.Done(), Color.WHITE)
    lines = (await gui.ask("godaemon-status")).splitlines()
    assert lines[4:8] == [
        "State: being scored.",
        "Dead: D4 D5",
        "Count: W+87.5 by these marks",
        "Done: white has said done, black has not",
    ]
    await gui.seat.do(cmd.Mark((parse_point("D4"),), dead=False, extent=cmd.Extent.ALL))
    lines = (await gui.ask("godaemon-status")).splitlines()
    assert lines[7] == "Open: 77 points beside both colours at A1"
    await gui.seat.end("B+R")
    assert "State: over, B+R." in await gui.ask("godaemon-status")


async def test_games() -> None:
    """The player's games, with what each waits for; nobody's address is told."""
    gui = seat()
    at = datetime(2026, 11, 21, tzinfo=UTC)
    mine = GameSummary(
        7, Phase.PLAYING, "9x9", "japanese", "b@x.example", ALICE.address, 12, "white", None, at
    )
    mine = replace(mine, black_name="Bob", white_name="Alice")
    gui.seat.headlines = [
        mine,
        replace(mine, id=6, to_move="black"),
        replace(mine, id=5, to_move=None, phase=Phase.SCORING),
        replace(mine, id=4, to_move=None, phase=Phase.FINISHED, result="B+R", black_name=""),
    ]
    text = await gui.ask("godaemon-games")
    assert text.splitlines() == [
        "= 7 9x9 japanese, Bob (black) against Alice (white), move 12: your move",
        "6 9x9 japanese, Bob (black) against Alice (white), move 12: black to move",
        "5 9x9 japanese, Bob (black) against Alice (white), move 12: scoring",
        "4 9x9 japanese, b (black) against Alice (white), move 12: finished, B+R",
    ]
    assert "example" not in text


async def test_goguis_menu() -> None:
    """Each entry has a type and a label of its own and a command that a seat knows."""
    types = {"gfx", "string", "hstring", "plist", "none"}
    rows = [
        line.split("/") for line in (await seat().ask("gogui-analyze_commands"))[2:].split("\n")
    ]
    assert rows == [line.split("/") for line in MENU]
    assert all(len(row) == 3 and row[0] in types for row in rows)
    assert len({label for _, label, _ in rows}) == len(rows)
    known = {one.name for one in (*LOOKS, *SEAT)}
    assert {command.split()[0] for _, _, command in rows} <= known
    words = {word for _, _, command in rows for word in command.split()[1:] if "%" in word}
    assert words <= {"%p", "%P", "%s", "%c"}
