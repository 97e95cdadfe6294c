"""A few days of games on a virtual clock."""

from pathlib import Path

from tests.crash.year import Options, live

SMALL = Options(players=5, games=5, seed=1, days=2, troubles=3, clocks=("18h+6h", "1 day per move"))


def test_all_games_end_and_agree_with_their_logs(tmp_path: Path) -> None:
    """Awaited players have a letter, clocks agree with a simple clock, and notes stay private."""
    year = live(tmp_path, SMALL)
    assert year.faults == []
    assert len(year.games) == SMALL.games
    assert year.counts["packed"] == SMALL.games
