"""Analysis at a seat: of a game that is over, and named to programs only then."""

from __future__ import annotations

from dataclasses import replace

import pytest

from godaemon.games.model import Phase
from godaemon.rules.points import Color
from tests.support.seat_game import Controller, FakeSeatGame, game


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
