"""The time that a move may take, by the controller's time limits (GTP 2 draft 2, 6.3.4).

The durations of moves are arguments, so that clocks also run for controllers that never send
`time_left`. Cannot fail.
"""

from datetime import timedelta
from math import inf

from godaemon.games.time_systems import NONE, TimeLeft, TimeSettings
from godaemon.rules.points import Color

LAG = 0.25
"""Seconds of each move that are reserved for transmission to the controller and back."""
SHARE = 0.9
"""The share of the available time that we use."""
MIN_MOVES = 10
"""We expect each colour to make at least this many more moves, even on a full board."""
_MOVES_PER_POINT = 0.3  # moves of a colour per empty point: 110 on an empty 19x19 board
_NO_LIMITS = TimeSettings(canadian=True)


class Timekeeper:
    """Both colours' time under one system; without one there is no limit."""

    def __init__(self) -> None:
        self.set_limits(None)

    def set_limits(self, limits: TimeSettings | None, move_cap: float = inf) -> None:
        """Use a time system, None for no limits; `move_cap` limits the seconds of one move."""
        self._limits, self._move_cap = limits or _NO_LIMITS, move_cap
        self.restart()

    def restart(self) -> None:
        """Begin a new game: both colours have all their time again."""
        limited = self._limits is not _NO_LIMITS
        self._left = dict.fromkeys(Color, self._limits.full) if limited else {}

    def set_left(self, color: Color, time: timedelta, stones: int) -> None:
        """Replace our own measurement by the controller's; `stones` is 0 in main time."""
        main = TimeLeft(time, self._limits.overtime, self._limits.number)
        self._left[color] = TimeLeft(NONE, time, stones) if stones else main

    def seconds_for_move(self, color: Color, empty: int) -> float | None:
        """Seconds for a move of `color` on a board with `empty` points left; None: no limit."""
        if (left := self._left.get(color)) is None:
            return None
        share = self._share(left, max(MIN_MOVES, round(empty * _MOVES_PER_POINT)))
        seconds = min(share.total_seconds(), self._move_cap)
        return max(0.0, seconds * SHARE - min(LAG, seconds / 4))

    def spend(self, color: Color, seconds: float) -> None:
        """Subtract the seconds that a move of `color` took."""
        if color in self._left:
            used = timedelta(seconds=seconds)
            self._left[color] = self._limits.after_move(self._left[color], used)

    def _share(self, left: TimeLeft, moves: int) -> timedelta:
        in_period = left.overtime
        if self._limits.canadian:
            in_period /= max(left.number, 1)
        if left.number and not left.main:
            return in_period
        return max(left.main / moves, min(in_period + self._limits.increment, left.main))
