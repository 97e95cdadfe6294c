"""Counting from a seat: marks, agreement, resumption, words and giving up, as controllers do it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from godaemon.errors import Busy, Stale
from godaemon.games import commands as cmd
from godaemon.games.commands import Extent
from godaemon.games.model import Phase
from godaemon.rules.points import Color, parse_point
from gtp.seat.commands.act import (
    ELSEWHERE,
    LONGEST_WORDS,
    LOOK_FIRST,
    RESUMED,
    SAID_AT_ONE_MOVE,
)
from gtp.seat.cursor import CHANGED
from tests.support.seat_game import Controller, FakeSeatGame, game, settle

PLAYED = "b D4 w E5 b D5 w E4 b B8 w H2"
STOPPED = f"{PLAYED} b pass w pass"
H2, B8 = parse_point("H2"), parse_point("B8")


ALL_OF_THEM = (
    "? Nothing parts H2 from the stone E4. This would mark every White stone on the board"
    " dead; I have marked none. `godaemon-dead H2 only` marks that chain alone. `godaemon-dead"
    " H2 all` marks them all."
)


def seat(moves: str = STOPPED, color: Color = Color.BLACK) -> Controller:
    """A controller at a game, by default one that is being counted."""
    return Controller(FakeSeatGame(game(moves=moves), color))


async def their(gui: Controller, command: cmd.Action) -> None:
    """Let the opponent do something by letter."""
    await gui.seat.do(command, gui.seat.color.opponent)


async def test_marks_set_a_status() -> None:
    """The chains that are marked otherwise now are listed; naming them again changes nothing."""
    gui = seat()
    assert await gui.say("godaemon-dead H2 only", "godaemon-dead h2 ONLY") == ["= H2", "="]
    assert await gui.say("final_status_list dead", "final_score") == ["= H2", "= W+5.5"]
    assert await gui.say("godaemon-dead B8 E4 only", "godaemon-alive H2 B8 only") == [
        "= E4 E5\nB8",
        "= H2\nB8",
    ]
    assert await gui.ask("final_status_list dead") == "= E4 E5"


@pytest.mark.parametrize(
    ("line", "response"),
    [
        ("godaemon-dead", "? syntax error"),
        ("godaemon-dead only", "? syntax error"),
        ("godaemon-dead pass", "? syntax error"),
        ("godaemon-dead D4 nearby", "? syntax error"),
        ("godaemon-dead A1", "? There is no stone on A1 to mark."),
        ("godaemon-alive K10", "? K10 is off the 9x9 board: its points go from A1 to J9."),
        (
            "godaemon-dead H2",
            ALL_OF_THEM,
        ),
        ("godaemon-gfx_dead", "? syntax error"),
        ("godaemon-gfx_dead A1", "? There is no stone on A1 to mark."),
        ("godaemon-gfx_alive x", "? syntax error"),
    ],
)
async def test_marks_that_cannot_be(line: str, response: str) -> None:
    """The reason is given in a seat's own commands, and nothing is marked."""
    gui = seat()
    assert await gui.ask(line) == response
    assert gui.seat.game.dead == frozenset()


@pytest.mark.parametrize(
    "line",
    ["godaemon-dead H2 only", "godaemon-alive H2", "godaemon-done", "godaemon-resume"],
)
async def test_only_while_the_game_is_counted(line: str) -> None:
    """While stones are being played there is nothing to count, and after the end nothing at all."""
    gui = seat(PLAYED)
    assert await gui.ask(line) == (
        "? The game is still being played; counting begins when both players have passed."
    )
    await gui.seat.end("B+R")
    assert (await gui.ask(line)).startswith("? This game is over: B+R.")


class TestDone:
    """Done agrees to what the session has shown, and to nothing else."""

    @pytest.mark.parametrize(
        "look",
        [
            "godaemon-status",
            "godaemon-gfx",
            "showboard",
            "final_score",
            "final_status_list dead",
            "godaemon-gfx_dead H2 only",
        ],
    )
    async def test_after_a_look(self, look: str) -> None:
        """Whatever shows the marks will do."""
        gui = seat()
        assert await gui.ask("godaemon-done") == f"? {LOOK_FIRST}"
        assert (await gui.ask(look)).startswith("=")
        assert await gui.ask("godaemon-done") == "= black has said done, white has not"
        assert {*gui.seat.game.agreed} == {Color.BLACK}

    @pytest.mark.parametrize("look", ["list_stones b", "gogui-title", "printsgf", "komi 6.5"])
    async def test_what_shows_no_marks_is_no_look(self, look: str) -> None:
        """Other questions tell nothing of the count."""
        gui = seat()
        await gui.ask(look)
        assert await gui.ask("godaemon-done") == f"? {LOOK_FIRST}"

    async def test_a_look_before_the_counting(self) -> None:
        """Showing the board while it was played on showed no marks."""
        gui = seat(PLAYED)
        await gui.say("showboard", "godaemon-status", "final_status_list dead")
        await gui.seat.mail("b pass w pass")
        assert await gui.ask("godaemon-done") == f"? {LOOK_FIRST}"

    async def test_crossing_marks_are_not_agreed_to_unseen(self) -> None:
        """A mark that came by letter after the look must be looked at first."""
        gui = seat()
        await gui.ask("godaemon-status")
        await their(gui, cmd.Mark((B8,), dead=True, extent=Extent.CHAIN))
        assert await gui.ask("godaemon-done") == f"? {LOOK_FIRST}"
        assert gui.seat.game.agreed == {}
        assert await gui.say("final_status_list dead", "godaemon-done") == [
            "= B8",
            "= black has said done, white has not",
        ]

    async def test_ones_own_marks_are_known(self) -> None:
        """What one marks oneself on top of what was shown needs no second look."""
        gui = seat()
        await gui.say("godaemon-status", "godaemon-dead H2 only")
        assert await gui.ask("godaemon-done") == "= black has said done, white has not"

    async def test_ones_own_marks_on_top_of_unseen_ones(self) -> None:
        """They do not stand for a look at what the opponent has marked meanwhile."""
        gui = seat()
        await gui.ask("godaemon-status")
        await their(gui, cmd.Mark((B8,), dead=True, extent=Extent.CHAIN))
        assert await gui.say("godaemon-dead H2 only", "godaemon-done") == [
            "= H2",
            f"? {LOOK_FIRST}",
        ]

    async def test_the_look_outlives_a_replay(self) -> None:
        """GoGui synchronises before each command; what was shown stays shown."""
        gui = seat()
        await gui.say("final_status_list dead", "boardsize 9", "clear_board", "play b D4", "undo")
        assert await gui.ask("godaemon-done") == "= black has said done, white has not"

    async def test_both_have_said_it(self) -> None:
        """The game ends with the agreed count, and the final commands tell it."""
        gui = seat()
        await gui.say("godaemon-dead H2 only", "godaemon-status")
        await their(gui, cmd.Done())
        assert await gui.ask("godaemon-done") == "= the game is over: W+5.5"
        assert await gui.say("final_score", "final_status_list dead", "genmove w") == [
            "= W+5.5",
            "= H2",
            "? the next move of the record is black's: genmove black gives it",
        ]

    async def test_a_mark_takes_agreement_back(self) -> None:
        """After any change both have to say it again."""
        gui = seat()
        await gui.say("godaemon-status", "godaemon-done")
        assert {*gui.seat.game.agreed} == {Color.BLACK}
        await gui.ask("godaemon-dead H2 only")
        assert gui.seat.game.agreed == {}
        assert await gui.ask("godaemon-done") == "= black has said done, white has not"

    async def test_marks_at_the_last_moment(self) -> None:
        """A letter that arrives between the look at the game and the act is not overruled."""
        gui = seat()
        await gui.ask("godaemon-status")

        async def late(*_: object) -> object:
            raise Stale("The game has changed.")

        gui.seat.act = late  # type: ignore[method-assign, assignment]
        assert await gui.ask("godaemon-done") == f"? {LOOK_FIRST}"
        assert await gui.ask("godaemon-resume") == f"? {CHANGED}"


async def test_gogui_sees_the_marks() -> None:
    """Territory, crosses on the dead, a circle on the last move, and the count in words."""
    gui = seat(f"{PLAYED} b H3 w pass b pass")
    text = await gui.ask("godaemon-gfx_dead H2 only")
    lines = dict(line.split(" ", 1) for line in text.removeprefix("= ").splitlines())
    assert lines["MARK"] == "H2"
    assert (
        lines["TEXT"]
        == "W+4.5; nobody has said done; dead: H2; open: 75 points beside both colours at A1"
    )
    assert await gui.ask("godaemon-gfx") == text
    assert "MARK" not in await gui.ask("godaemon-gfx_alive H2")
    playing = seat(PLAYED)
    assert await playing.ask("godaemon-gfx") == ("= CIRCLE H2\nTEXT Game 1, move 6: black to move.")
    assert await seat("").ask("godaemon-gfx") == "= TEXT Game 1, move 0: black to move."


async def test_territory_is_drawn() -> None:
    """Points that one colour alone surrounds are its own, those under dead stones too."""
    walls = [(f"D{row}", f"F{row}") for row in range(1, 10)]
    moves = " ".join(f"b {black} w {white}" for black, white in walls)
    gui = seat(f"{moves} b H5 w A5 b pass w pass")
    text = await gui.ask("godaemon-gfx_dead H5 A5")
    lines = dict(line.split(" ", 1) for line in text.removeprefix("= ").splitlines())
    assert len(lines["BLACK"].split()) == len(lines["WHITE"].split()) == 27
    assert lines["MARK"] == "A5 H5"
    assert "E5" not in lines["BLACK"].split() + lines["WHITE"].split()


async def test_resumption() -> None:
    """Play goes on; old looks are worth nothing after it, whoever wanted it."""
    gui = seat(color=Color.WHITE)
    await gui.say("godaemon-status")
    assert await gui.ask("godaemon-resume") == "= the game is being played again: black to move."
    assert gui.seat.game.phase is Phase.PLAYING
    await gui.seat.mail("b pass w pass")
    assert await gui.ask("godaemon-done") == f"? {LOOK_FIRST}"
    await gui.say("godaemon-status")
    await their(gui, cmd.Resume())
    await gui.seat.mail("b pass w pass")
    assert await gui.ask("godaemon-dead H2 only") == f"? {RESUMED}"
    assert await gui.ask("godaemon-done") == f"? {LOOK_FIRST}"
    await gui.say("godaemon-status", "godaemon-dead H2 only")
    assert gui.seat.game.dead == {H2}


async def test_a_waiting_controller_hears_of_a_resumption() -> None:
    """After the resumption genmove waits again, and gives the opponent's next move."""
    gui = seat(color=Color.WHITE)
    words = STOPPED.split()
    await gui.say(*(f"play {words[at]} {words[at + 1]}" for at in range(0, len(words), 2)))
    assert await gui.say("genmove b", "genmove b") == ["= pass", "= pass"]
    await their(gui, cmd.Resume())
    assert await gui.ask("genmove b") == ""
    await gui.seat.mail("b C3")
    await settle()
    assert gui.sent[-1] == b"= C3\n\n"


class TestPass:
    """Passing from a menu, where the GUI's own board does not pass with it."""

    async def test_at_the_head(self) -> None:
        """It is played at once; the GUI then follows it like any recorded move."""
        gui = seat("b D4 w E5")
        await gui.say("play b D4", "play w E5")
        assert await gui.ask("godaemon-pass") == "= you have passed; the game is now white to move."
        assert await gui.say("play b pass", "genmove w") == ["="]
        await gui.seat.mail("w pass")
        await settle()
        assert gui.sent[-1] == b"= pass\n\n"

    async def test_elsewhere(self) -> None:
        """A board that is not the game's last one does not pass, nor over a pending move."""
        gui = seat("b D4 w E5")
        refusal = f"? {ELSEWHERE}"
        assert await gui.ask("godaemon-pass") == refusal
        responses = await gui.say("play b D4", "play w E5", "play b C3", "godaemon-pass")
        assert responses == ["=", "=", "=", refusal]
        assert gui.seat.game.move_number == 2

    async def test_not_ones_turn(self) -> None:
        """A seat never passes for the other."""
        gui = seat("b D4")
        await gui.ask("play b D4")
        assert (await gui.ask("godaemon-pass")).startswith("? It is not your turn")

    async def test_in_a_teaching_game(self) -> None:
        """Where one person has both colours, each seat passes for its own only."""
        begun = game(moves="b D4")
        spec = replace(begun.spec, invited=begun.spec.proposer)
        gui = Controller(FakeSeatGame(replace(begun, spec=spec, white=begun.black), Color.BLACK))
        assert await gui.say("play b D4", "godaemon-pass") == ["=", f"? {ELSEWHERE}"]
        assert gui.seat.game.move_number == 1

    async def test_in_the_counting(self) -> None:
        """There is nothing to pass."""
        assert (await seat().ask("godaemon-pass")).startswith("? Both players have passed")


@pytest.mark.parametrize(
    "line",
    ["final_score", "final_status_list dead", "godaemon-dead H2 only", "godaemon-gfx_dead H2 only"],
)
async def test_asking_for_the_count_sends_the_last_pass(line: str) -> None:
    """Who asks for the count after passing has meant the pass, and need not wait."""
    gui = seat(f"{PLAYED} b pass", Color.WHITE)
    words = f"{PLAYED} b pass w pass".split()
    await gui.say(*(f"play {words[at]} {words[at + 1]}" for at in range(0, len(words), 2)))
    assert gui.seat.log == ["pending pass"]
    assert (await gui.ask(line)).startswith("=")
    assert gui.seat.game.phase is Phase.SCORING


async def test_asking_for_the_count_over_a_crossing_letter() -> None:
    """Where the last pass is not taken any more, the game is told as it is."""
    gui = seat(f"{PLAYED} b pass", Color.WHITE)
    words = f"{PLAYED} b pass w pass".split()
    await gui.say(*(f"play {words[at]} {words[at + 1]}" for at in range(0, len(words), 2)))
    await gui.seat.mail("w H3")
    assert await gui.ask("final_score") == "? cannot score"
    assert gui.seat.game.move_number == 8


async def test_resigning() -> None:
    """The game is over at once; a pending move is taken back with it."""
    gui = seat("b D4 w E5")
    await gui.say("play b D4", "play w E5", "play b C3")
    assert await gui.ask("godaemon-resign") == "= the game is over: W+R"
    assert await gui.ask("godaemon-resign") == (
        "? This game is over: W+R. You can still ask for its record."
    )
    await gui.hang_up()
    assert gui.seat.game.move_number == 2
    assert gui.seat.log == ["pending C3", "taken back"]


async def test_no_result() -> None:
    """An end without a result waits for the opponent, who has to want it too."""
    gui = seat(PLAYED)
    answer = "= the game ends without a result when your opponent asks for that too"
    assert await gui.ask("godaemon-void") == answer
    assert gui.seat.game.phase is Phase.PLAYING
    await their(gui, cmd.Void())
    assert gui.seat.game.result == "Void"


class TestSay:
    """Words for the opponent."""

    async def test_passed_on(self) -> None:
        """Single blanks between them, whatever the letters."""
        gui = seat(PLAYED)
        assert await gui.ask("godaemon-say Schönes   Spiel! 囲碁") == "="
        assert gui.seat.game.chat[-1].text == "Schönes Spiel! 囲碁"
        assert gui.seat.game.chat[-1].color is Color.BLACK

    async def test_none(self) -> None:
        """Nothing is no words, nor is a comment."""
        assert await seat().say("godaemon-say", "godaemon-say # hello") == ["? syntax error"] * 2

    async def test_too_many(self) -> None:
        """A flood is not passed on."""
        gui = seat(PLAYED)
        assert await gui.ask("godaemon-say " + "x" * LONGEST_WORDS) == "="
        assert (await gui.ask("godaemon-say " + "x" * (LONGEST_WORDS + 1))).startswith("? too many")
        assert len(gui.seat.game.chat) == 1

    async def test_so_often_at_one_move(self) -> None:
        """Each is an email to the opponent: thirty are not passed on."""
        gui = seat(PLAYED)
        said = [await gui.ask(f"godaemon-say hello {number}") for number in range(30)]
        assert said[:SAID_AT_ONE_MOVE] == ["="] * SAID_AT_ONE_MOVE
        assert all(one.startswith("? you have said enough") for one in said[SAID_AT_ONE_MOVE:])
        assert len(gui.seat.game.chat) == SAID_AT_ONE_MOVE

    async def test_not_utf8(self) -> None:
        """Bytes that are no text are not passed on."""
        gui = seat(PLAYED)
        gui.lines.feed(b"godaemon-say gr\xfc\xdfe\n")
        await settle()
        assert gui.sent == [b"? words must be UTF-8\n\n"]

    async def test_controls_of_terminals_are_not_passed_on(self) -> None:
        """Nor marks that turn the direction of a text, as of a letter."""
        gui = seat(PLAYED)
        said = "godaemon-say hi \x9b31mred \u202erev \x85nl\u2028ls"
        assert await gui.ask(said) == "="
        assert gui.seat.game.chat[-1].text == "hi 31mred rev nlls"
        assert await gui.ask("godaemon-say \u202e\x9b") == "? syntax error"

    async def test_in_temporary_trouble(self) -> None:
        """What was not stored is not answered as if it was."""
        gui = seat(PLAYED)
        gui.seat.trouble = Busy("Try again in a minute.")
        assert await gui.ask("godaemon-say hello") == "? Try again in a minute."
        gui.seat.trouble = None
        assert gui.seat.game.chat == ()


class TestCauses:
    """A session with a name does each command once, however often it is sent."""

    async def test_serials(self) -> None:
        """Each line that is answered counts; what it does carries the session and the serial."""
        gui = Controller(FakeSeatGame(game(moves="b D4 w E5"), Color.BLACK), name="s1")
        await gui.say("name", "# nothing", "", "play b D4", "nonsense", "play w E5", "play b C3")
        assert gui.session.serial == 5
        await gui.say("godaemon-say hello", "genmove w")
        assert gui.seat.causes == ["gtp:s1:6", "gtp:s1:5"]

    async def test_sent_again(self) -> None:
        """A new session under the old name and serials is answered, and nothing is done twice."""
        seat_game = FakeSeatGame(game(moves=STOPPED), Color.BLACK)
        first = Controller(seat_game, name="s1")
        await first.say("godaemon-say hello", "godaemon-dead H2 only", "godaemon-resume")
        second = Controller(seat_game, name="s1")
        assert await second.say("godaemon-say hello") == ["="]
        second.session.serial = 2
        assert (await second.ask("godaemon-resume")).startswith("= the game is being played again")
        assert len(seat_game.game.chat) == 1
        third = Controller(seat_game, name="s2")
        await third.ask("godaemon-say hello")
        assert len(seat_game.game.chat) == 2

    async def test_without_a_name(self) -> None:
        """Nothing can be sent again, so that all is done."""
        gui = seat(PLAYED)
        await gui.say("godaemon-say hello", "godaemon-say hello")
        assert len(gui.seat.game.chat) == 2
        assert gui.seat.causes == ["", ""]
