"""A small scripted year without faults."""

import pytest

from tests.crash.year import Options, Year, live

SMALL = Options(players=4, games=4, seed=6, days=2, troubles=2, clocks=("18h+6h", "1 day per move"))


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory) -> Year:
    """A run with few games; `python -m tests.crash.year` runs a full year."""
    return live(tmp_path_factory.mktemp("year"), SMALL)


def test_nothing_goes_wrong_in_a_year(year: Year) -> None:
    """Awaited players have a letter, clocks agree with a simple clock, no secret leaks."""
    assert year.books.faults == []


def test_all_games_end(year: Year) -> None:
    """Whatever the players do."""
    assert year.books.games
    assert all(game.phase.over for game in year.books.games.values())
