"""Whole conversations of known clients with a seat, from the files in `dialogues/seats/`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import places, seat_dialogue

DIALOGUES = sorted((places.ROOT / "tests/gtp/dialogues/seats").glob("*.gtp"))


@pytest.mark.parametrize("path", DIALOGUES, ids=lambda path: path.stem)
def test_dialogue(path: Path) -> None:
    """Each client attaches, replays, goes back, plays and counts, and is answered as it says."""
    assert seat_dialogue.differences(path) == []


def test_the_runner_sees_a_wrong_answer(tmp_path: Path) -> None:
    """What is not as the file says is reported: another answer, one too many, one too few."""
    wrong = tmp_path / "wrong.gtp"
    wrong.write_text(
        "! game 9x9 black: b D4\n> name\n= gnugo\n> name\n! quiet\n> # nothing\n=\n! log a\n"
    )
    found = seat_dialogue.differences(wrong)
    assert len(found) == 4
    assert found[0].startswith("wrong.gtp: ['name'] expected ['= gnugo']")
