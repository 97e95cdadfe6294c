"""Correspondence in scenes: `scenes/*.txt`, played by `tests/support/scenes.py`."""

import pytest

from tests.support.scene_files import Scene, read_scenes
from tests.support.scenes import FOLDER, play

SCENES = [
    pytest.param(scene, id=f"{path.stem}: {scene.name}", marks=pytest.mark.xdist_group(path.stem))
    for path in sorted(FOLDER.glob("*.txt"))
    for scene in read_scenes(path)
]


@pytest.mark.parametrize("scene", SCENES)
def test_scene(scene: Scene) -> None:
    """Each line of the scene holds."""
    play(scene)
