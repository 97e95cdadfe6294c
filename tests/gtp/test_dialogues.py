"""Whole conversations with a free board, from the files in `dialogues/`."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from gtp.freeboard import FreeBoard
from gtp.freesession import FreeSession
from tests.support import dialogue

DIALOGUES = sorted(Path(__file__).parent.joinpath("dialogues").glob("*.gtp"))


@pytest.mark.parametrize("path", DIALOGUES, ids=lambda path: path.stem)
def test_dialogue(path: Path) -> None:
    """Each line is answered with what the file says, in one well-formed frame."""
    session = FreeSession(FreeBoard(rng=random.Random(1)), local=True)
    assert dialogue.differences(path, session.answer) == []


def test_the_runner_sees_a_wrong_answer(tmp_path: Path) -> None:
    """A dialogue that expects something else is reported, with its place."""
    wrong = tmp_path / "wrong.gtp"
    wrong.write_text("> name\n= gnugo\n> # nothing\n= something\n")
    found = dialogue.differences(wrong, FreeSession().answer)
    assert [line.split()[0] for line in found] == ["wrong.gtp:1:", "wrong.gtp:3:"]


@pytest.mark.parametrize("response", [b"= a\n\nb\n\n", b"= a\n", b"= a\n\n\n"])
def test_the_runner_sees_a_bad_frame(response: bytes) -> None:
    """A response with a blank line inside it, or without one at its end, matches nothing."""
    assert not dialogue.matches("= a...", response)
