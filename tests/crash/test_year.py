"""A scripted year, at a small size: nothing of what must always hold is broken in it."""

from __future__ import annotations

import pytest

from tests.crash.year import Options, Year, live

SMALL = Options(players=4, games=4, seed=6, days=2, troubles=2, clocks=("18h+6h", "1 day per move"))


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory) -> Year:
    """A year of few games; `python -m tests.crash.year` has a whole one."""
    return live(tmp_path_factory.mktemp("year"), SMALL)


def test_nothing_goes_wrong_in_a_year(year: Year) -> None:
    """Whoever is awaited was told, clocks run as a plain clock does, and no secret is sent on."""
    assert year.books.faults == []


def test_all_games_end(year: Year) -> None:
    """Whatever their players did, or did not."""
    assert year.books.games
    assert all(game.phase.over for game in year.books.games.values())
