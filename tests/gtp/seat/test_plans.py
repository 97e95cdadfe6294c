"""Plans at a seat: they are shown back, and refused as in letters."""

from __future__ import annotations

from dataclasses import replace

import pytest

from godaemon.games.model import Phase
from godaemon.rules.points import Color
from tests.support.seat_game import Controller, FakeSeatGame, game

BLACK = Color.BLACK


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
    over = Controller(FakeSeatGame(replace(game(), phase=Phase.FINISHED, result="B+R"), BLACK))
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
    said = await Controller(FakeSeatGame(game(moves=moves), BLACK)).ask(line)
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
