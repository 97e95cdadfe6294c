"""The time that a move may take, by the controller's time limits (GTP 2 draft 2, 6.3.4).

Pure. The durations of moves are arguments, so that clocks also run for controllers that never send
`time_left`. Cannot fail.
"""

from math import inf
from typing import NamedTuple

from godaemon.rules.points import Color

LAG = 0.25
"""Seconds of each move reserved for transmission to the controller and back."""
SHARE = 0.9
"""The share of the available time that we use."""
FEWEST = 10
"""We expect each colour to make at least this many more moves, even on a full board."""
_MOVES_PER_POINT = 0.3  # moves of a colour per empty point: 110 on an empty 19x19 board


class TimeLimits(NamedTuple):
    """A time system: main time, then Canadian overtime or byo-yomi periods.

    `stones` is the number of moves in `overtime` seconds; with `periods`, the number of periods of
    that length, of which only expired ones are lost.
    """

    main: float
    overtime: float = 0.0
    stones: int = 0
    periods: bool = False
    increment: float = 0.0
    """Seconds that each move adds (Fischer)."""
    clock_cap: float = inf
    """The limit on the seconds of a clock."""
    move_cap: float = inf
    """The limit on the seconds of one move."""

    @property
    def per_move(self) -> float:
        """Seconds for a move in overtime, or its increment."""
        return (
            self.overtime if self.periods else self.overtime / max(self.stones, 1) + self.increment
        )


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
        """Replace our own measurement by the controller's."""
        self._left[color] = left

    def seconds_for_move(self, color: Color, empty: int) -> float | None:
        """Seconds for a move of `color` on a board with `empty` points left; None: no limit."""
        left = self._left.get(color)
        if left is None:
            return None
        seconds = self._share(left, max(FEWEST, round(empty * _MOVES_PER_POINT)))
        seconds = min(seconds, self._limits.move_cap if self._limits else inf)
        return max(0.0, seconds * SHARE - min(LAG, seconds / 4))

    def spend(self, color: Color, seconds: float) -> None:
        """Subtract the seconds that a move of `color` took."""
        left = self._left.get(color)
        if left is not None:
            self._left[color] = self._subtract(left, seconds)

    def _share(self, left: RemainingTime, moves: int) -> float:
        limits = self._limits
        if left.stones:
            in_period = limits is not None and limits.periods
            return left.seconds if in_period else left.seconds / left.stones
        share = left.seconds / moves
        return share if limits is None else max(share, min(limits.per_move, left.seconds))

    def _subtract(self, left: RemainingTime, seconds: float) -> RemainingTime:
        limits = self._limits
        if limits is None or not (limits.overtime > 0 and limits.stones):
            rest = max(0.0, left.seconds - seconds)
            if limits:
                rest = min(rest + limits.increment, limits.clock_cap)
            return RemainingTime(rest)
        if not left.stones:
            rest = left.seconds - seconds
            if rest > 0:
                return RemainingTime(rest)
            return self._subtract(_overtime_left(limits), -rest)
        if limits.periods:
            expired = int(min(seconds / limits.overtime, left.stones))
            return RemainingTime(limits.overtime, max(1, left.stones - expired))
        if left.stones == 1:
            return _overtime_left(limits)
        return RemainingTime(max(0.0, left.seconds - seconds), left.stones - 1)


def _overtime_left(limits: TimeLimits) -> RemainingTime:
    return RemainingTime(limits.overtime, limits.stones)
