"""The benchmark of the rules runs without faults; running it shows the figures."""

from pathlib import Path

import pytest

from tests.benchmarks.rules import (
    SGFMILL,
    bytes_a_move,
    games,
    main,
    measure,
    playable,
    same_stones,
    times_as_fast,
)
from tests.support import places

GAMES = sorted((places.DATA / "games").glob("*.sgf"))


def test_both_boards_play_all_moves() -> None:
    """With every ko rule."""
    records = playable([record for path in GAMES for record in games(path)])
    figures = measure(records, rounds=1)
    assert all(times_as_fast(spent, figures[SGFMILL]) > 0 for spent in figures.values())


def test_a_move_takes_little_memory() -> None:
    """About fifty bytes; both boards end with the same stones."""
    records = playable([record for path in GAMES for record in games(path)])
    assert bytes_a_move(records) < 100
    assert same_stones(records)


def test_prints_its_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It reads SGF and packed games, and lists the games left out."""
    packed = tmp_path / "games.txt"
    packed.write_text("9 7.5 - aa | B ee W ef B -- W --\n3 0 - - | B aa W aa\n")
    assert main([str(packed), str(GAMES[0]), "--rounds", "1"]) == 0
    shown = capsys.readouterr().out
    assert "2 games" in shown
    assert "left out: 1" in shown
    assert "ratio to sgfmill, play_all" in shown
    assert "NO" not in shown
