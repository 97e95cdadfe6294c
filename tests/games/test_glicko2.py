"""Glicko-2: the example of its paper, and general properties."""

from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.games.glicko2 import MAX_DEVIATION, Rating, rating_after_games, rating_after_rest

RATINGS = st.builds(
    Rating, st.floats(-1000, 3500), st.floats(30, MAX_DEVIATION), st.floats(0.03, 0.2)
)


@st.composite
def games(draw: st.DrawFn) -> tuple[Rating, Rating]:
    """Two players at most 800 points apart."""
    one, other = draw(RATINGS), draw(RATINGS)
    return one, other._replace(value=one.value + draw(st.floats(-800, 800)))


def test_the_papers_example() -> None:
    """Glickman, "Example of the Glicko-2 system": 1464.06, 151.52, 0.05999 (he rounds between)."""
    others = (Rating(1400, 30, 0.06), Rating(1550, 100, 0.06), Rating(1700, 300, 0.06))
    rated = rating_after_games(Rating(1500, 200, 0.06), list(zip(others, (1, 0, 0), strict=True)))
    assert rated.value == pytest.approx(1464.06, abs=0.01)
    assert rated.deviation == pytest.approx(151.52, abs=0.01)
    assert rated.volatility == pytest.approx(0.05999, abs=0.00001)


@given(games())
def test_winners_rise_and_losers_fall(game: tuple[Rating, Rating]) -> None:
    """A tie is between the two; all values stay finite."""
    mine, theirs = game
    lost, tied, won = (rating_after_games(mine, [(theirs, score)]) for score in (0, 0.5, 1))
    assert lost.value < mine.value < won.value
    assert lost.value < tied.value < won.value
    for rated in (lost, tied, won):
        assert all(map(isfinite, rated))
        assert 0 < rated.deviation <= MAX_DEVIATION
        assert 0 < rated.volatility < 1


@given(games())
def test_uncertain_ratings_change_more(game: tuple[Rating, Rating]) -> None:
    """Of a player, and of their opponent."""
    mine, theirs = game
    sure, unsure = (mine._replace(deviation=one) for one in (60, 200))
    moved = [
        abs(rating_after_games(one, [(theirs, 1)]).value - mine.value) for one in (sure, unsure)
    ]
    assert moved[0] < moved[1]


@given(RATINGS, st.floats(0, 1000))
def test_idle_time_raises_the_deviation(player: Rating, periods: float) -> None:
    """It changes nothing else."""
    later = rating_after_rest(player, periods)
    assert player.deviation <= later.deviation + 1e-9
    assert later._replace(deviation=player.deviation) == player


@given(RATINGS)
def test_equals_exchange_equal_points(player: Rating) -> None:
    """One gains what the other loses."""
    won, lost = (rating_after_games(player, [(player, score)]) for score in (1, 0))
    assert won.value - player.value == pytest.approx(player.value - lost.value)
