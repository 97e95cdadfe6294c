"""Seat sessions beyond dialogues: bytes, two seats, failures, and random lines."""

from dataclasses import replace
from datetime import UTC, datetime
from unittest.mock import AsyncMock

from godaemon.errors import Stale, Temporary
from godaemon.games import commands as cmd
from godaemon.games.model import Phase
from godaemon.games.stored_values import GameSummary
from godaemon.records import sgf
from godaemon.rules.points import Color
from gtp.every_session import POSITION_COMMANDS
from gtp.seat.commands import SEAT_COMMANDS
from gtp.seat.commands.act import LOOK_FIRST, MAX_WORDS
from gtp.seat.commands.look import MENU
from gtp.seat.commands.play import OFF_RECORD
from gtp.seat.cursor import CHANGED
from gtp.seat.seat_view import SeatView
from tests.support.seat_game import ALICE, START, Controller, FakeSeatGame, game, settle

RECORD = "b D4 w E5 b D5 w E4"
STOPPED = f"{RECORD} b B8 w H2 b pass w pass"


def seat(moves: str = RECORD, color: Color = Color.BLACK, *, name: str = "") -> Controller:
    return Controller(FakeSeatGame(game(moves=moves), color), name)


async def attach() -> Controller:
    """A controller that has replayed the record."""
    gui, words = seat(), RECORD.split()
    await gui.say(*(f"play {words[at]} {words[at + 1]}" for at in range(0, len(words), 2)))
    return gui


async def test_a_release_does_not_overtake_a_letter() -> None:
    """It arrives between the look at the game and the release."""
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


async def test_lines_that_came_together_ask_the_store_once() -> None:
    """Until the session itself acts; later lines see what has changed meanwhile."""
    gui = seat("b E5")
    gui.seat.view = AsyncMock(wraps=gui.seat.view)  # type: ignore[method-assign]
    replay = ("boardsize 9", "clear_board", "play b E5", "undo", "# a comment", "play b E5")
    assert await gui.say(*replay) == ["="] * 5
    assert gui.seat.view.await_count == 1
    said = await gui.say("godaemon-status", "godaemon-say Good game!", "godaemon-status")
    assert ["Good game!" in answer for answer in said] == [False, False, True]
    assert gui.seat.view.await_count == 3
    await gui.seat.mail("w C3")
    assert "Moves: 2" in await gui.ask("godaemon-status")
    await gui.seat.mail("b G7")
    gui.seat.view.side_effect = [
        Temporary("Try again."),
        SeatView(gui.seat.game, Color.BLACK, START),
    ]
    failed, status = await gui.say("godaemon-status", "godaemon-status")
    assert (failed, "Moves: 3" in status) == ("? Try again.", True)


async def test_marks_do_not_overrule_a_letter() -> None:
    """It arrives between the look at the game and the act."""
    gui = seat(STOPPED)
    await gui.ask("godaemon-status")

    async def late(*_: object) -> object:
        raise Stale("The game has changed.")

    gui.seat.act = late  # type: ignore[method-assign, assignment]
    assert await gui.say("godaemon-done", "godaemon-resume") == [f"? {LOOK_FIRST}", f"? {CHANGED}"]


async def test_a_bug_is_reported_and_the_session_goes_on() -> None:
    """The answer is `internal error`."""
    gui = await attach()
    gui.seat.trouble = ZeroDivisionError()
    assert await gui.ask("play b C3") == "? internal error"
    assert [type(fault) for fault in gui.faults] == [ZeroDivisionError]
    gui.seat.trouble = None
    assert await gui.ask("play b C3") == "="


async def test_only_short_clean_text_is_passed_on() -> None:
    """Not too many words, bytes that are no text, terminal controls or direction marks."""
    gui = seat()
    assert await gui.ask("godaemon-say " + "x" * MAX_WORDS) == "="
    assert (await gui.ask("godaemon-say " + "x" * (MAX_WORDS + 1))).startswith("? too many")
    gui.lines.feed(b"godaemon-say gr\xfc\xdfe\n")
    await settle()
    assert gui.sent[-1] == b"? words must be UTF-8\n\n"
    command = "godaemon-say hi \x9b31mred \u202erev \x85nl\u2028ls"
    assert await gui.say(command, "godaemon-say \u202e\x9b") == ["=", "? syntax error"]
    assert [one.text for one in gui.seat.game.chat[1:]] == ["hi 31mred rev nlls"]


async def test_an_event_is_marked_with_the_session_and_serial_of_its_command() -> None:
    """Each answered line counts."""
    gui = seat("b D4 w E5", name="s1")
    await gui.say("name", "# nothing", "", "play b D4", "nonsense", "play w E5", "play b C3")
    assert gui.session.serial == 5
    await gui.say("godaemon-say hello", "genmove w")
    assert gui.seat.causes == ["gtp:s1:6", "gtp:s1:5"]


async def test_a_repeated_command_is_not_done_again() -> None:
    """A new session has the old name and serials; without a name all is done."""
    gui = seat(STOPPED, name="s1")
    await gui.say("godaemon-say hello", "godaemon-dead H2 only", "godaemon-resume")
    second = Controller(gui.seat, name="s1")
    assert await second.say("godaemon-say hello") == ["="]
    second.session.serial = 2
    assert (await second.ask("godaemon-resume")).startswith("= the game is being played again")
    assert len(gui.seat.game.chat) == 1
    for name, chat in (("s2", 2), ("", 3), ("", 4)):
        assert await Controller(gui.seat, name=name).ask("godaemon-say hello") == "="
        assert len(gui.seat.game.chat) == chat


async def test_a_note_is_private() -> None:
    """Nothing that the opponent asks shows it; at the end a hidden note is shown."""
    mine, theirs = seat(), seat(color=Color.WHITE)
    looks = ("godaemon-history", "godaemon-status", "printsgf", "showboard", "godaemon-if")
    before = await theirs.say(*looks)
    await mine.say("godaemon-note a seed", "godaemon-hidden a shoot")
    await theirs.seat.change(mine.seat.game)
    assert await theirs.say(*looks) == before
    await theirs.seat.do(cmd.Resign(), Color.BLACK)
    assert await theirs.ask("godaemon-history") == "= move 4, Alice noted: a shoot"
    assert "a seed" not in await theirs.ask("printsgf")


async def test_a_plan_is_private() -> None:
    """Every command gets the same answer with plans and without."""
    answers = []
    looks = ("godaemon-status", "showboard", "printsgf", "godaemon-if", "godaemon-history")
    for plan in ("godaemon-if", "godaemon-if C3 G7 G3 C7"):
        mine = seat("b E5")
        assert (await mine.ask(plan)).startswith("=")
        theirs = Controller(FakeSeatGame(mine.seat.game, Color.WHITE))
        answers.append(await theirs.say("play b E5", *looks, "play w C3", "undo"))
    assert answers[0] == answers[1]


async def test_printsgf_holds_the_whole_game() -> None:
    """Wherever the cursor is, with every move, stone, message and name."""
    gui = Controller(FakeSeatGame(game(moves="w E5 b D5 w E4", handicap=2), Color.BLACK))
    await gui.seat.do(cmd.Say("What\n\na (good] game"), Color.WHITE)
    text = await gui.ask("printsgf")
    record = sgf.parse_sgf(text.removeprefix("= ").encode())
    assert record.moves == gui.seat.game.position.moves
    assert {*record.setup_black} == {*gui.seat.game.position.handicap}
    assert (record.black, record.white, record.komi) == ("Alice", "Bob", 6.5)
    assert "a (good] game" in record.comments[3]
    assert "\n\n" not in text
    assert await gui.ask("printsgf -") == text


async def test_godaemon_games_lists_the_games_of_the_player() -> None:
    """With what each awaits, without addresses."""
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
    assert (await gui.ask("godaemon-games")).splitlines() == [
        "= 7 9x9 japanese, Bob (black) against Alice (white), move 12: your move",
        "6 9x9 japanese, Bob (black) against Alice (white), move 12: black to move",
        "5 9x9 japanese, Bob (black) against Alice (white), move 12: scoring",
        "4 9x9 japanese, b (black) against Alice (white), move 12: finished, B+R",
    ]


def test_the_menu_for_gogui_is_valid() -> None:
    """Each entry has a type and a label of its own and a known command."""
    rows = [line.split("/") for line in MENU]
    assert {kind for kind, _, _ in rows} <= {"gfx", "string", "hstring", "plist", "none"}
    assert len({label for _, label, _ in rows}) == len(rows)
    known = {*POSITION_COMMANDS, *SEAT_COMMANDS}
    assert {command.split()[0] for _, _, command in rows} <= known
    words = {word for _, _, command in rows for word in command.split()[1:] if "%" in word}
    assert words <= {"%p", "%P", "%s", "%c"}
