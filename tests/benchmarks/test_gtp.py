"""The GTP benchmark runs without faults; running it shows the figures."""

import sys

import pytest

from tests.benchmarks import gtp
from tests.support import places


def test_the_program_prints_its_figures(capsys: pytest.CaptureFixture[str]) -> None:
    """Both engines are measured in all things, and refuse no command."""
    game = str(places.DATA / "games" / "counted-1.sgf")
    other = f"--engine=other={sys.executable} -m godaemon gtp --level 3"
    assert gtp.main([game, "--rounds", "1", "--times", "1", other]) == 0
    shown = capsys.readouterr().out
    for what in gtp.MEASURES:
        assert what in shown
    assert "other" in shown
