"""The time that a move may take, by the limits that a controller has set (GTP 2 draft 2, 6.3.4).

It measures nothing itself: what a move took comes in from outside, so that time is kept also for
controllers that never send `time_left`. Imports nothing of ours but colours; cannot fail.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from godaemon.rules.points import Color

LAG = 0.25
"""Seconds of each move reserved for the way to the controller and back."""
SHARE = 0.9
"""The share of the available time that we use."""
FEWEST = 10
"""We expect each colour to make at least this many more moves, even on a full board."""
_MOVES_A_POINT = 0.3  # of a colour, for each empty point: 110 moves from an empty 19x19 board


class TimeLimits(NamedTuple):
    """A time system: main time, then overtime of periods, or Canadian as in `time_systems`.

    `stones` is the number of moves to make in `overtime` seconds, or with `periods` the number of
    periods of that length; only periods that are used up are lost.
    """

    main: float
    overtime: float = 0.0
    stones: int = 0
    periods: bool = False
    added: float = 0.0
    """Seconds that each move adds (Fischer's)."""
    most: float = inf
    """Seconds that a clock can hold."""
    longest: float = inf
    """Seconds that one move may take."""

    @property
    def per_move(self) -> float:
        """Seconds that a move has in overtime, or that it adds."""
        return self.overtime if self.periods else self.overtime / max(self.stones, 1) + self.added


class RemainingTime(NamedTuple):
    """A colour's remaining time; `stones` is 0 during main time (6.3.4)."""

    seconds: float
    stones: int = 0


class Timekeeper:
    """Both colours' time under one system; without one there is no limit."""

    def __init__(self) -> None:
        self._limits: TimeLimits | None = None
        self._left: dict[Color, RemainingTime] = {}

    def set_limits(self, limits: TimeLimits | None) -> None:
        """Use a time system; None for no limits."""
        self._limits = limits
        self.restart()

    def restart(self) -> None:
        """Begin a new game: both colours have all their time again."""
        limits = self._limits
        self._left = {}
        if limits is not None:
            first = RemainingTime(limits.main) if limits.main > 0 else _overtime_left(limits)
            self._left = dict.fromkeys(Color, first)

    def set_left(self, color: Color, left: RemainingTime) -> None:
        """Replace our count by the controller's."""
        self._left[color] = left

    def seconds_for_move(self, color: Color, empty: int) -> float | None:
        """Seconds for a move of `color` on a board with `empty` points left; None: no limit."""
        left = self._left.get(color)
        if left is None:
            return None
        seconds = self._share(left, max(FEWEST, round(empty * _MOVES_A_POINT)))
        seconds = min(seconds, self._limits.longest if self._limits else inf)
        return max(0.0, seconds * SHARE - min(LAG, seconds / 4))

    def spend(self, color: Color, seconds: float) -> None:
        """Subtract the seconds that a move of `color` took."""
        left = self._left.get(color)
        if left is not None:
            self._left[color] = self._subtract(left, seconds)

    def _share(self, left: RemainingTime, moves: int) -> float:
        limits = self._limits
        if left.stones:
            whole = limits is not None and limits.periods
            return left.seconds if whole else left.seconds / left.stones
        share = left.seconds / moves
        return share if limits is None else max(share, min(limits.per_move, left.seconds))

    def _subtract(self, left: RemainingTime, seconds: float) -> RemainingTime:
        limits = self._limits
        if limits is None or not (limits.overtime > 0 and limits.stones):
            rest = max(0.0, left.seconds - seconds)
            return RemainingTime(min(rest + limits.added, limits.most) if limits else rest)
        if not left.stones:
            more = left.seconds - seconds
            if more > 0:
                return RemainingTime(more)
            return self._subtract(_overtime_left(limits), -more)
        if limits.periods:
            lost = int(min(seconds / limits.overtime, left.stones))
            return RemainingTime(limits.overtime, max(1, left.stones - lost))
        if left.stones == 1:
            return _overtime_left(limits)
        return RemainingTime(max(0.0, left.seconds - seconds), left.stones - 1)


def _overtime_left(limits: TimeLimits) -> RemainingTime:
    return RemainingTime(limits.overtime, limits.stones)
