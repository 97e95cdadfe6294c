"""Every phase of a game, every command of a seat: each is answered, and none acts out of turn."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from godaemon.games.model import Game, Phase
from godaemon.rules.points import Color
from gtp.every_session import LOOKS
from gtp.seat.commands import SEAT
from tests.support.seat_game import Controller, FakeSeatGame, game

WALL = (
    "b F5 w G5 b F4 w C3 b F6 w G6 b F7 w G7 b F8 w G8 b F9 w G9 b F3 w G3 b F2 w G2 b F1 w G1 b H8"
    " w G4 b pass w pass"
)
PHASES = {
    "my turn": game(moves="b F5 w G5"),
    "their turn": game(moves="b F5"),
    "count": game(moves=WALL),
    "over": replace(game(moves=WALL), phase=Phase.FINISHED, result="B+4.5"),
}
ARGUMENTS = ("", "black", "black D4", "white D4", "D4", "D4 E5", "7", "done", "9x9 nonsense \x07")
MAY_WAIT = ("genmove", "kgs-genmove_cleanup", "kata-", "lz-", "gogui-play_sequence", "reg_genmove")
"""What is answered when the other player has moved."""


async def answers(begun: Game, command: str) -> list[str]:
    """The answers to a command with every kind of arguments."""
    found = []
    for arguments in ARGUMENTS:
        table = FakeSeatGame(begun, Color.BLACK)
        gui = Controller(table)
        found.append(await gui.ask(f"{command} {arguments}".strip()))
        assert gui.faults == []
        if begun.phase is Phase.FINISHED or begun.to_move is Color.WHITE:
            assert table.game.position.moves == begun.position.moves, (command, arguments)
        await gui.hang_up()
    return found


COMMANDS = [*sorted(command.name for command in (*LOOKS, *SEAT)), "no-such-command"]


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_answered(phase: str, command: str) -> None:
    """With success or with a reason, in every phase, whatever stands behind it."""
    found = asyncio.run(answers(PHASES[phase], command))
    waits = command.startswith(MAY_WAIT)
    for arguments, answer in zip(ARGUMENTS, found, strict=True):
        assert (waits and not answer) or answer[:1] in ("=", "?"), (arguments, answer)
        assert "Traceback" not in answer
