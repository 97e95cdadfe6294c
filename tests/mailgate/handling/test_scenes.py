"""Correspondence in scenes: `scenes/*.txt`, played by `tests/support/scenes.py`."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest

from tests.support.examples import some
from tests.support.scene_files import Scene, read_scenes
from tests.support.scenes import FOLDER, play


def _scenes(path: Path) -> Iterator[Scene]:
    """The scenes of a file; of a table with more than three rows some, or all in CI."""
    tables = groupby(read_scenes(path), lambda scene: scene.name.partition(" [")[0])
    for number, (_, rows) in enumerate(tables):
        scenes = [*rows]
        yield from some(scenes, 2, number) if len(scenes) > 3 else scenes


SCENES = [
    pytest.param(scene, id=f"{path.stem}: {scene.name}", marks=pytest.mark.xdist_group(path.stem))
    for path in sorted(FOLDER.glob("*.txt"))
    for scene in _scenes(path)
]


@pytest.mark.parametrize("scene", SCENES)
def test_scene(scene: Scene) -> None:
    """Each line of the scene holds."""
    play(scene)
