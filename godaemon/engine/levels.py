"""The levels of our own player, by what people feel, and what it answers.

Pure data; `level` raises `Unknown` for a number that is none. To 6 it draws its move by the shares
that the network gives, flattened by a temperature; at 7 it plays the best of them; from 8 on it
looks ahead. What the weak ones draw must have some share of its own and cost no more than some
points: they are to miss what is small and slow, as people do, rather than to lose whole groups.
"""

from __future__ import annotations

from typing import NamedTuple

from godaemon.errors import Unknown
from godaemon.rules.points import Point


class Choice(NamedTuple):
    """A move of the player: a point, a pass (`point` is None), or resignation."""

    point: Point | None = None
    resigns: bool = False


class Level(NamedTuple):
    """One level."""

    number: int
    temperature: float = 0.0
    """Shares are drawn by their root of this order, less on larger boards; 0 plays the best."""
    cost: float = 0.0
    """The points that a drawn move may cost on 9x9; half as many again on 19x19."""
    visits: int = 0
    """The positions looked at; 0 plays by the first impression."""
    seconds: float = 5.0
    """The time for a move, if the player has a clock."""

    @property
    def resigns(self) -> bool:
        """True if it resigns lost games; beginners are to see theirs to the end."""
        return self.number > 3


LEVELS = (
    Level(1, 3.2, 14.0),
    Level(2, 2.5, 11.0),
    Level(3, 2.0, 8.0),
    Level(4, 1.6, 6.0),
    Level(5, 1.2, 5.0),
    Level(6, 0.85, 4.0),
    Level(7),
    Level(8, visits=24),
    Level(9, visits=50, seconds=10),
    Level(10, visits=200, seconds=20),
)
"""Every level, the weakest first."""

DEFAULT_LEVEL = 3


def level(number: int) -> Level:
    """The level of a number, from 1; raises `Unknown`."""
    if 1 <= number <= len(LEVELS):
        return LEVELS[number - 1]
    raise Unknown(f"There is no level {number}: there are 1 to {len(LEVELS)}.", hints=("3",))
