"""Every command of a seat with any arguments, and any bytes at all: whole frames, and no fault."""

from __future__ import annotations

import asyncio
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.games.model import Phase
from godaemon.rules.points import Color
from gtp.every_session import LOOKS
from gtp.seat.commands import SEAT
from tests.support.examples import examples
from tests.support.seat_game import Controller, FakeSeatGame, game

PLAYING = "b D4 w E5 b D5 w E4"
SCORING = f"{PLAYING} b pass w pass"
FRAME = re.compile(rb"[=?]([0-9]+)? [^\n]*(\n[^\n]+)*\n\n")
NAMES = sorted(command.name for command in (*LOOKS, *SEAT))
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
