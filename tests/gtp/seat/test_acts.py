"""What a seat asks beside moves: undo, words, plans, estimates and analysis."""

from __future__ import annotations

from dataclasses import replace

import pytest

from godaemon.errors import Temporary
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.model import Phase
from godaemon.rules.points import Color, parse_point
from gtp.seat.commands.act import SAID_AT_ONE_MOVE
from tests.support.seat_game import Controller, FakeSeatGame, game


def replayed(moves: str, color: Color = Color.BLACK) -> Controller:
    """A controller that has replayed a game."""
    return Controller(FakeSeatGame(game(moves=moves), color))


async def test_a_sent_move_is_asked_for() -> None:
    """The opponent is asked; once they agree, undo and another move are possible."""
    gui = replayed("b D4 w E5 b D5")
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
    gui = replayed("b D4 w E5 b D5", Color.WHITE)
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
    gui = replayed("b D4 w E5", Color.BLACK)
    await gui.seat.do(cmd.Undo(), Color.WHITE)
    assert await gui.say("play b D4", "play w E5", "play b G7") == ["=", "=", "="]
    told = "= 1 taken back: G7 was not sent: undo 2 times, then white to move."
    assert await gui.ask("godaemon-undo yes") == told
    assert await gui.say("undo", "undo") == ["=", "="]
    assert "white to move" in await gui.ask("godaemon-status")


async def test_an_answer_to_that_opens_the_game_to_nobody() -> None:
    """Where the opponent has asked for spectators instead: to them nothing was said."""
    gui = replayed("b D4 w E5 b D5", Color.WHITE)
    await gui.seat.do(cmd.Public(), Color.BLACK)
    assert gui.seat.game.public_asked is Color.BLACK
    assert await gui.ask("godaemon-undo yes") == "? nobody asks you for a move back"
    assert not gui.seat.game.public


async def test_a_pending_move_costs_nothing() -> None:
    """It was never sent, and nobody is asked."""
    gui = replayed("b D4 w E5")
    assert await gui.say("play b D4", "play w E5", "play b C3", "undo", "play b D5") == ["="] * 5
    assert gui.seat.game.undo_asked is None


async def test_a_pending_move_is_taken_back_by_asking_for_it() -> None:
    """Bug: within its own quiet seconds a seat was told that the opponent had moved since."""
    gui = replayed("b D4 w E5")
    assert await gui.say("play b D4", "play w E5", "play b C3") == ["="] * 3
    assert await gui.ask("godaemon-undo") == "= C3 was not sent: undo, then black to move."
    assert gui.seat.pending is None
    assert (await gui.ask("genmove w")).startswith("? this is not the game any more: undo")
    assert await gui.say("undo", "play b D5") == ["=", "="]
    assert gui.seat.game.undo_asked is None
    assert gui.seat.game.move_number == 2


def seats(moves: str = "b E5 w C3") -> tuple[Controller, Controller]:
    """Alice at the black seat and Bob at the white one, each with a game of their own."""
    mine = FakeSeatGame(game(moves=moves), Color.BLACK)
    return Controller(mine), Controller(FakeSeatGame(mine.game, Color.WHITE))


async def test_what_was_said_is_told_in_its_order() -> None:
    """Words of both and one's own notes, with the move after which each was said."""
    mine, _ = seats()
    await mine.seat.do(cmd.Say("Good  luck!"), Color.WHITE)
    assert await mine.say("godaemon-note the corner is open", "godaemon-say Thanks!") == ["="] * 2
    await mine.seat.mail("b G7")
    await mine.seat.do(cmd.Note("ko?"), Color.WHITE)
    assert await mine.ask("godaemon-hidden I hope nobody sees C7") == "="
    assert (await mine.ask("godaemon-history")).splitlines() == [
        "= move 2, Bob: Good luck!",
        "move 2, Alice: Thanks!",
        "move 2, Alice noted: the corner is open",
        "move 3, Alice noted: I hope nobody sees C7",
    ]


async def test_a_note_is_its_players_own() -> None:
    """Nothing that the opponent asks tells of it; at the end a hidden one is shown."""
    mine, theirs = seats()
    await mine.say("godaemon-note a seed", "godaemon-hidden a shoot")
    looks = ("godaemon-history", "godaemon-status", "printsgf")
    before = await theirs.say(*looks)
    await theirs.seat.change(mine.seat.game)
    assert await theirs.say(*looks) == before
    await theirs.seat.do(cmd.Resign(), Color.BLACK)
    assert await theirs.ask("godaemon-history") == "= move 2, Alice noted: a shoot"
    assert "a seed" not in await theirs.ask("printsgf")


async def test_notes_have_the_bounds_of_words() -> None:
    """None without words, and not without end at one move."""
    mine, _ = seats()
    assert await mine.say("godaemon-note", "godaemon-hidden") == ["? syntax error"] * 2
    answers = [await mine.ask(f"godaemon-note {number}") for number in range(SAID_AT_ONE_MOVE + 1)]
    assert answers[-1].startswith("? you have said enough at this move")


async def test_a_game_is_called_off() -> None:
    """Before both have moved at once; later when the opponent wants it too."""
    early, _ = seats("b E5")
    assert await early.ask("godaemon-cancel") == "= the game is over: without a result"
    late, _ = seats()
    answer = "= the game ends without a result when your opponent asks for that too"
    assert await late.ask("godaemon-cancel") == answer
    assert (await early.ask("godaemon-cancel")).startswith("? This game is over")


async def test_plans_are_made_shown_and_forgotten() -> None:
    """Two branches; `cancel` forgets both."""
    gui = Controller(FakeSeatGame(game(moves="b E5"), Color.BLACK))
    assert await gui.ask("godaemon-if c3 g7 G3 c7") == "= if C3 then G7\n... if G3 then C7"
    assert await gui.ask("godaemon-if any pass") == (
        "= if C3 then G7\n... if G3 then C7\nif any then pass"
    )
    assert await gui.ask("godaemon-if") == await gui.ask("godaemon-if any pass")
    assert (await gui.ask("godaemon-if E5 D4")).startswith("? I tried E5: There is already a stone")
    assert await gui.say("godaemon-if C3", "godaemon-if K") == ["? syntax error"] * 2
    assert await gui.say("godaemon-if cancel", "godaemon-if") == ["=", "="]
    theirs = Controller(FakeSeatGame(gui.seat.game, Color.WHITE))
    assert (await theirs.ask("godaemon-if C3 G7")).startswith("? It is your move: play it first")


async def test_where_nothing_can_be_planned_nothing_is_planned() -> None:
    """To look is no mistake, once the game is over either."""
    over = Controller(
        FakeSeatGame(replace(game(), phase=Phase.FINISHED, result="B+R"), Color.BLACK)
    )
    assert await over.ask("godaemon-if") == "="
    assert (await over.ask("godaemon-if C3 G7")).startswith("? This game is over: B+R")


@pytest.mark.parametrize(
    ("moves", "line"),
    [
        *[("", line) for line in ("godaemon-if C3 G7", "godaemon-undo yes", "godaemon-undo")],
        *[("b pass w pass", f"godaemon-{word}") for word in ("pass", "undo", "undo no", "dead E5")],
        ("", "godaemon-done"),
    ],
)
async def test_a_refusal_speaks_of_commands_of_the_seat(moves: str, line: str) -> None:
    """And never of lines, words or emails, which a program has none of."""
    said = await Controller(FakeSeatGame(game(moves=moves), Color.BLACK)).ask(line)
    assert said.startswith("? ")
    for word in ("line", "email", "begin with", "say done", "say resume", "say so", "reply"):
        assert word not in said


async def test_the_opponents_program_sees_nothing_of_them() -> None:
    """Whatever it asks for, it gets the same with plans and without."""
    answers = []
    for plan in ("godaemon-if", "godaemon-if C3 G7 G3 C7"):
        mine = Controller(FakeSeatGame(game(moves="b E5"), Color.BLACK))
        await mine.ask(plan)
        theirs = Controller(FakeSeatGame(mine.seat.game, Color.WHITE))
        asked = (
            "godaemon-status",
            "showboard",
            "printsgf",
            "godaemon-if",
            "godaemon-history",
        )
        answers.append(await theirs.say("play b E5", *asked, "play w C3", "undo"))
    assert answers[0] == answers[1]


def estimating(*, agreed: bool = True) -> Controller:
    """A controller in a game of two moves, in which both have agreed to estimates, or not."""
    begun = game(moves="b D4 w E5")
    spec = replace(begun.spec, estimates=agreed)
    return Controller(FakeSeatGame(replace(begun, spec=spec), Color.BLACK))


async def test_where_both_have_agreed_it_is_given_and_noted() -> None:
    """As GNU Go writes it, with the bounds of what White may win by; the other can see it."""
    gui = estimating()
    told = "= B+2.0 (upper bound: 2.0, lower: -6.0)"
    assert await gui.say("estimate_score", "estimate_score") == [told, told]
    assert [type(one) for one in gui.seat.events] == [ev.Estimated]
    assert "Estimate: Alice asked for one, move 2" in await gui.ask("godaemon-status")
    assert "Alice asked for an estimate of the score" in await gui.ask("godaemon-history")


async def test_where_they_have_not_it_is_refused() -> None:
    """Nothing is noted, and our player does not think about it."""
    gui = estimating(agreed=False)
    gui.seat.trouble = Temporary("nobody can estimate the score now")
    answer = await gui.ask("estimate_score")
    assert answer.startswith("? This game has no estimates of the score: ")
    assert gui.seat.events == []


async def test_after_play_it_is_the_count() -> None:
    """As final_score gives it, in any game."""
    gui = estimating(agreed=False)
    gui.seat.game = replace(gui.seat.game, phase=Phase.FINISHED, result="B+R")
    assert await gui.say("estimate_score", "final_score") == ["= B+R", "= B+R"]


async def test_without_a_player_it_fails() -> None:
    """And may be asked again; the opponent hears of it once there is an answer."""
    gui = estimating()
    gui.seat.trouble = Temporary("nobody can estimate the score now")
    assert await gui.ask("estimate_score") == "? nobody can estimate the score now"
    assert "asked for an estimate" not in await gui.ask("godaemon-history")


async def test_to_resign_off_turn_is_done_at_once() -> None:
    """A program cannot be asked whether it means it."""
    gui = estimating()
    gui.seat.color = Color.WHITE
    assert await gui.ask("godaemon-resign") == "= the game is over: B+R"


@pytest.mark.parametrize("name", ["lz-analyze", "kata-analyze"])
async def test_no_analyser_plays_in_a_game_that_goes_on(name: str) -> None:
    """Bug: a program that was told of it showed it a variation by playing, and that was sent."""
    gui = Controller(FakeSeatGame(game(moves="b D4"), Color.WHITE))
    assert name not in (await gui.ask("list_commands")).split()
    assert await gui.ask(f"known_command {name}") == "= false"
    assert (await gui.ask(f"{name} 50")).startswith("? no analysis while the game goes on")
    gui.seat.game = replace(gui.seat.game, phase=Phase.FINISHED, result="B+R")
    assert name in (await gui.ask("list_commands")).split()
    assert await gui.ask(f"known_command {name}") == "= true"
