"""The benchmarks run without faults; running them shows the figures."""

import re
import sys
from pathlib import Path

import pytest

from godaemon.engine import LEVELS
from tests.benchmarks import gtp, house, letters, rules
from tests.support import places

GAMES = [str(file) for file in sorted((places.DATA / "games").glob("*.sgf"))]


def test_letters_go_through(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each letter is a move, and its turn letter arrives."""
    options = ["--letters", "4", "--connections", "1", "2", "--folder", str(tmp_path)]
    assert letters.main(options) == 0
    shown = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in shown[-6:]] == [
        *("1", "2", "taken", "through", "alone,", "one")
    ]


def test_two_engines_are_measured_by_gtp(capsys: pytest.CaptureFixture[str]) -> None:
    """In all things; they refuse no command."""
    other = f"--engine=other={sys.executable} -m godaemon gtp --level 3"
    assert gtp.main([GAMES[1], "--rounds", "1", "--times", "1", other]) == 0
    shown = capsys.readouterr().out
    for what in gtp.MEASURES:
        assert what in shown
    assert "other" in shown


def test_two_boards_play_all_games(capsys: pytest.CaptureFixture[str]) -> None:
    """A move takes about fifty bytes; both boards end with the same stones."""
    assert rules.main([*GAMES, "--rounds", "1"]) == 0
    shown = capsys.readouterr().out
    assert "left out: 0" in shown
    assert "ratio to sgfmill, play_all" in shown
    assert "NO" not in shown
    memory = re.search(r"bytes a move +(\d+)", shown)
    assert memory is not None
    assert int(memory[1]) < 100


def test_a_match_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each game, and a summary."""
    assert house.main(["random", "--games", "2", "--level", "2", "--size", "7"]) == 0
    *games, last = capsys.readouterr().out.splitlines()
    assert len(games) == 2
    assert "black" in games[0]
    assert "white" in games[1]
    assert last.startswith("level 2 on 7x7 against random: ")
    assert "ms a move; no illegal move" in last


@pytest.mark.peer("gnugo")
def test_gnugo_plays_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither refuses the other's moves."""
    options = ["--games", "1", "--level", "2", "--size", "7", "--gnugo-level", "1"]
    assert house.main(["gnugo", *options]) == 0
    assert "against gnugo: " in capsys.readouterr().out


def test_levels_have_a_table() -> None:
    """A row for each level and board."""
    assert len(house.levels_table((7,), moves=1)) == 1 + len(LEVELS)


def test_a_decided_game_ends_early() -> None:
    """A side that leads by more than the given points for long enough has won."""
    game = house.match_game("random", 9, 7, 0, decided=10)
    assert game.winner is game.ours
    assert game.result.endswith("or so")


def test_an_interval_narrows_with_games() -> None:
    """Wilson's interval of 28 wins in 40 games, and of ten times as many."""
    assert house.interval(28, 40) == pytest.approx((0.546, 0.819), abs=0.001)
    assert house.interval(280, 400) == pytest.approx((0.653, 0.743), abs=0.001)
