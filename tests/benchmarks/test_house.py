"""The runner of matches works: it plays, counts and prints; figures are for who asks for them."""

import pytest

from godaemon.engine import LEVELS
from tests.benchmarks.house import interval, levels_table, main, match_game


def test_prints_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each game, and a summary."""
    assert main(["random", "--games", "2", "--level", "2", "--size", "7"]) == 0
    *games, last = capsys.readouterr().out.splitlines()
    assert len(games) == 2
    assert "black" in games[0]
    assert "white" in games[1]
    assert last.startswith("level 2 on 7x7 against random: ")
    assert "ms a move; no illegal move" in last


@pytest.mark.peer("gnugo")
def test_plays_gnu_go(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither refuses the other's moves."""
    assert main(["gnugo", "--games", "1", "--level", "2", "--size", "7", "--gnugo-level", "1"]) == 0
    assert "against gnugo: " in capsys.readouterr().out


def test_prints_a_table_of_levels() -> None:
    """A row for each level and board."""
    rows = levels_table((7,), moves=1)
    assert len(rows) == 1 + len(LEVELS)


def test_a_decided_game_ends_early() -> None:
    """A side that leads by more than the given points for long enough has won."""
    game = match_game("random", 9, 7, 0, decided=10)
    assert game.winner is game.ours
    assert game.result.endswith("or so")


def test_an_interval_narrows_with_games() -> None:
    """Wilson's interval of 28 wins in 40 games, and of ten times as many."""
    assert interval(28, 40) == pytest.approx((0.546, 0.819), abs=0.001)
    assert interval(280, 400) == pytest.approx((0.653, 0.743), abs=0.001)
