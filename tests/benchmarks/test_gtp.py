"""The GTP benchmark runs without faults; running it shows the figures."""

import sys

import pytest

from gtp.board.board_session import BoardSession
from tests.benchmarks import gtp
from tests.benchmarks.rules import games, playable
from tests.support import places

GAMES = sorted((places.DATA / "games").glob("counted-*.sgf"))


def test_the_scripts_are_played() -> None:
    """Every command that is measured is answered with success."""
    records = playable([record for path in GAMES for record in games(path)])
    session = BoardSession()
    lines = [line for script in gtp.scripts(records) for line in script]
    assert len(lines) > 500
    assert {session.answer(line.strip())[:1] for line in lines} == {b"="}


def test_the_program_prints_its_figures(capsys: pytest.CaptureFixture[str]) -> None:
    """Both engines are measured in all things; against itself it is about as fast."""
    other = f"--engine=other={sys.executable} -m godaemon gtp --level 3"
    assert gtp.main([str(GAMES[0]), "--rounds", "1", "--times", "1", other]) == 0
    shown = capsys.readouterr().out
    for what in gtp.MEASURES:
        assert what in shown
    assert "other" in shown
