"""Every command of a seat in every phase, with any arguments and bytes: frames, and no fault."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.games.model import Game, Phase
from godaemon.rules.points import Color
from gtp.every_session import LOOKS
from gtp.seat.commands import SEAT
from tests.support.examples import examples
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


NAMES = sorted([*LOOKS, *SEAT])
COMMANDS = [*NAMES, "no-such-command"]


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_answered(phase: str, command: str) -> None:
    """With success or with a reason, in every phase, whatever stands behind it."""
    found = asyncio.run(answers(PHASES[phase], command))
    waits = command.startswith(MAY_WAIT)
    for arguments, answer in zip(ARGUMENTS, found, strict=True):
        assert (waits and not answer) or answer[:1] in ("=", "?"), (arguments, answer)
        assert "Traceback" not in answer


PLAYING = "b D4 w E5 b D5 w E4"
SCORING = f"{PLAYING} b pass w pass"
FRAME = re.compile(rb"[=?]([0-9]+)? [^\n]*(\n[^\n]+)*\n\n")
WORDS = st.one_of(
    st.sampled_from(
        ["b", "white", "D4", "E5", "C3", "pass", "dead", "only", "9", "2", "-1", "6.5"]
    ),
    st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=8),
)


def talk(moves: str, data: bytes) -> Controller:
    """What a controller has been answered, once it has gone."""

    async def run() -> Controller:
        gui = Controller(FakeSeatGame(game(moves=moves), Color.BLACK))
        gui.lines.feed(data)
        await gui.hang_up()
        return gui

    return asyncio.run(run())


@pytest.mark.parametrize("name", NAMES)
@given(st.lists(WORDS, max_size=5), st.sampled_from(["", PLAYING, SCORING]))
@settings(max_examples=examples(25))
def test_any_arguments(name: str, arguments: list[str], moves: str) -> None:
    """One frame comes back, the session lives on, and the record is only ever added to."""
    line = " ".join([name, *arguments])
    gui = talk(moves, f"{line}\nprotocol_version\n".encode())
    assert gui.faults == []
    assert len(gui.sent) == 2
    assert all(FRAME.fullmatch(response) for response in gui.sent)
    assert gui.sent[-1] == b"= 2\n\n"
    before = game(moves=moves).position.moves
    assert gui.seat.game.position.moves[: len(before)] == before


@given(st.lists(st.binary(max_size=40), max_size=12), st.sampled_from([PLAYING, SCORING]))
@settings(max_examples=examples(100))
def test_any_bytes(pieces: list[bytes], moves: str) -> None:
    """Bytes that are no commands are answered in whole frames, or not at all."""
    gui = talk(moves, b"\n".join(pieces))
    assert gui.faults == []
    assert all(FRAME.fullmatch(response) for response in gui.sent)
    assert gui.seat.game.phase in {Phase.PLAYING, Phase.SCORING}
