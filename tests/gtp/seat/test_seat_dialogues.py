"""Dialogues with a seat from the files in `dialogues/seats/`: whole clients, and each rule."""

from pathlib import Path

import pytest

from tests.support import places
from tests.support.seat_dialogue import Scene, scenes

SEATS = places.ROOT / "tests/gtp/dialogues/seats"
SCENES = [scene for path in sorted(SEATS.glob("*.gtp")) for scene in scenes(path)]


@pytest.mark.parametrize("scene", SCENES, ids=[scene.name for scene in SCENES])
def test_dialogue(scene: Scene) -> None:
    """A controller is answered as the file says."""
    assert scene.differences() == []


def test_a_wrong_answer_is_reported(tmp_path: Path) -> None:
    """Another answer, one too many, one too few."""
    wrong = tmp_path / "wrong.gtp"
    wrong.write_text(
        "; A\n! game 9x9 black: b D4\n> name\n= gnugo\n> name\n! quiet\n> # nothing\n=\n! log a\n"
    )
    (scene,) = scenes(wrong)
    found = scene.differences()
    assert len(found) == 4
    assert found[0].startswith("['name'] expected ['= gnugo']")
