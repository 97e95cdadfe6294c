"""Glicko-2: a player's rating after the games of a rating period. Raises nothing.

Steps and letters are those of Mark Glickman, "Example of the Glicko-2 system" (22 March 2022).

>>> rated = rating_after_games(Rating(1500, 200, 0.06), [(Rating(1400, 30, 0.06), 1)])
>>> round(rated.value), round(rated.deviation)
(1564, 175)
"""

from collections.abc import Sequence
from math import exp, log, pi, sqrt
from typing import NamedTuple

_SCALE = 173.7178
_CENTRE = 1500.0
_TAU = 0.5
"""The system constant; the paper recommends 0.3 to 1.2."""
_TOLERANCE = 0.000001
MAX_DEVIATION = 350.0
"""The deviation of an unknown player."""


class Rating(NamedTuple):
    """A player's strength: the value, its standard deviation, and its volatility."""

    value: float
    deviation: float
    volatility: float


def rating_after_games(player: Rating, games: Sequence[tuple[Rating, float]]) -> Rating:
    """The rating after a period of games, each an opponent and a score: 1, 0.5 (a tie) or 0."""
    mu, phi = (player.value - _CENTRE) / _SCALE, player.deviation / _SCALE
    results = [(_g(one.deviation), _expected_score(player, one), score) for one, score in games]
    v = 1 / sum(g * g * e * (1 - e) for g, e, _ in results)
    gain = sum(g * (score - e) for g, e, score in results)
    sigma = _volatility(phi * phi, v, (v * gain) ** 2, player.volatility)
    phi = 1 / sqrt(1 / (phi * phi + sigma * sigma) + 1 / v)
    return Rating((mu + phi * phi * gain) * _SCALE + _CENTRE, _cap(phi), sigma)


def rating_after_rest(player: Rating, periods: float) -> Rating:
    """The rating after some periods without a game: the deviation is larger."""
    phi = player.deviation / _SCALE
    return player._replace(deviation=_cap(sqrt(phi * phi + periods * player.volatility**2)))


def _cap(phi: float) -> float:
    return min(phi * _SCALE, MAX_DEVIATION)


def _g(deviation: float) -> float:
    return 1 / sqrt(1 + 3 * (deviation / _SCALE / pi) ** 2)


def _expected_score(player: Rating, other: Rating) -> float:
    ahead = (player.value - other.value) / _SCALE
    return 1 / (1 + exp(-_g(other.deviation) * ahead))


def _volatility(phi2: float, v: float, delta2: float, sigma: float) -> float:
    """The new volatility: step 5 of Glicko-2, by the Illinois algorithm."""
    a = log(sigma * sigma)

    def _f(x: float) -> float:
        e = exp(x)
        return e * (delta2 - phi2 - v - e) / (2 * (phi2 + v + e) ** 2) - (x - a) / _TAU**2

    low = a
    if delta2 > phi2 + v:
        high = log(delta2 - phi2 - v)
    else:
        high = a - _TAU
        while _f(high) < 0:
            high -= _TAU
    f_low, f_high = _f(low), _f(high)
    while abs(high - low) > _TOLERANCE:
        between = low + (low - high) * f_low / (f_high - f_low)
        f_between = _f(between)
        if f_between * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = between, f_between
    return exp(low / 2)
