"""Every command of a seat in every phase with any arguments: framed answers, no exceptions."""

import asyncio
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.games.model import Game, Phase
from godaemon.rules.points import Color
from gtp.every_session import POSITION_COMMANDS
from gtp.seat.commands import SEAT_COMMANDS
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
NAMES = sorted([*POSITION_COMMANDS, *SEAT_COMMANDS, "no-such-command"])
FRAME = re.compile(rb"[=?]([0-9]+)?( [^\n]*)?(\n[^\n]+)*\n\n")
USUAL = "b white D4 E5 C3 G5 pass dead done only 9 2 -1 6.5"
WORDS = st.sampled_from(USUAL.split()) | st.text(
    st.characters(codec="utf-8", exclude_characters="\n"), max_size=8
)


def served(begun: Game, data: bytes) -> Controller:
    """A controller after it has sent data and hung up."""

    async def run() -> Controller:
        gui = Controller(FakeSeatGame(begun, Color.BLACK))
        gui.lines.feed(data)
        await gui.hang_up()
        return gui

    return asyncio.run(run())


@pytest.mark.parametrize("name", NAMES)
@given(st.lists(WORDS, max_size=5), st.sampled_from(sorted(PHASES)))
@settings(max_examples=examples(80))
def test_any_arguments_get_one_frame(name: str, arguments: list[str], phase: str) -> None:
    """The session goes on, and moves are only added."""
    line, begun = " ".join([name, *arguments]), PHASES[phase]
    gui = served(begun, f"{line}\nprotocol_version\n".encode())
    assert gui.faults == []
    assert len(gui.sent) == 2
    assert all(FRAME.fullmatch(response) for response in gui.sent)
    assert gui.sent[-1] == b"= 2\n\n"
    before, after = begun.position.moves, gui.seat.game.position.moves
    assert after[: len(before)] == before
    assert phase != "over" or after == before


@given(st.lists(st.binary(max_size=40), max_size=12), st.sampled_from(["my turn", "count"]))
@settings(max_examples=examples(100))
def test_any_bytes_get_whole_frames_or_nothing(pieces: list[bytes], phase: str) -> None:
    """The session goes on."""
    gui = served(PHASES[phase], b"\n".join(pieces))
    assert gui.faults == []
    assert all(FRAME.fullmatch(response) for response in gui.sent)
    assert gui.seat.game.phase in {Phase.PLAYING, Phase.SCORING}
