"""The benchmark of the rules runs without faults; running it shows the figures."""

import re

import pytest

from tests.benchmarks.rules import main
from tests.support import places


def test_prints_its_figures(capsys: pytest.CaptureFixture[str]) -> None:
    """A move takes about fifty bytes; both boards end with the same stones."""
    games = [str(file) for file in sorted((places.DATA / "games").glob("*.sgf"))]
    assert main([*games, "--rounds", "1"]) == 0
    shown = capsys.readouterr().out
    assert "left out: 0" in shown
    assert "ratio to sgfmill, play_all" in shown
    assert "NO" not in shown
    memory = re.search(r"bytes a move +(\d+)", shown)
    assert memory is not None
    assert int(memory[1]) < 100
