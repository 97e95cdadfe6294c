"""The ten levels of our own player, and the types of its input and output.

`level` raises `Unknown` for a number without a level. Up to level 6 a move is drawn by the
network's likelihoods and a temperature; level 7 plays the likeliest move; from level 8 on the
player searches. A drawn move must have a minimum likelihood and may cost only a few points, so that
weak levels make small mistakes, as people do, and do not lose whole groups.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from godaemon.errors import Unknown
from godaemon.rules.points import Color, Point, Size


class Choice(NamedTuple):
    """A move of the player: a point, a pass (`point` is None), or resignation."""

    point: Point | None = None
    resigns: bool = False


class Limit(NamedTuple):
    """Moves of a colour to leave out, or with `alone` the only ones to consider; None is a pass.

    `depth` is the number of moves ahead to which it applies: 1 is the next move.
    """

    color: Color
    alone: bool
    points: frozenset[Point | None]
    depth: int


class LiveAnalysis(NamedTuple):
    """A request to report on the search while the player chooses a move."""

    limits: Sequence[Limit]
    report: Callable[[Any], object]
    """Called with our player's `Search` after each visit."""


class Level(NamedTuple):
    """One level."""

    number: int
    temperature: float = 0.0
    """Likelihoods are raised to 1/temperature on 9x9; 0 plays the best move."""
    cost: float = 0.0
    """The points that a drawn move may cost on 9x9."""
    visits: int = 0
    """The visits of a search; 0 plays without one."""
    seconds: float = 5.0
    """The time limit for a move, if the player has a clock."""

    @property
    def resigns(self) -> bool:
        """True if it resigns lost games; beginners may want to finish theirs."""
        return self.number > 3


LEVELS = (
    Level(1, 3.2, 14.0),
    Level(2, 2.3, 10.0),
    Level(3, 1.85, 7.3),
    Level(4, 1.4, 5.5),
    Level(5, 1.1, 4.7),
    Level(6, 0.7, 3.8),
    Level(7),
    Level(8, visits=12),
    Level(9, visits=30),
    Level(10, visits=80, seconds=10),
)
"""The levels, the weakest first."""

DEFAULT_LEVEL = 3

_SIDES = range(7, 20)


def level(number: int) -> Level:
    """The level of a number, from 1; raises `Unknown`."""
    if 1 <= number <= len(LEVELS):
        return LEVELS[number - 1]
    raise Unknown(f"There is no level {number}: there are 1 to {len(LEVELS)}.", hints=("3",))


def is_network_size(size: Size) -> bool:
    return size.width in _SIDES and size.height in _SIDES
