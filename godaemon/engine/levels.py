"""The levels of our own player: how many games it plays out for a move, and for how long at most.

Pure data; `level` raises `Unknown` for a number that is none.
"""

from __future__ import annotations

from typing import NamedTuple

from godaemon.errors import Unknown


class Level(NamedTuple):
    """One level; a move ends at whichever of its two bounds is met first."""

    number: int
    playouts: int
    """Games played out for a move; with none it looks at captures and at open sides only."""
    seconds: float
    """Time for a move, where the player has been given a clock."""

    @property
    def title(self) -> str:
        """What it is, for people and lists of engines."""
        if not self.playouts:
            return "at once, without search"
        return f"{self.playouts} playouts or {self.seconds:g} s a move"


LEVELS = tuple(
    Level(number, playouts, seconds)
    for number, (playouts, seconds) in enumerate(
        (
            (0, 1),
            (50, 1),
            (150, 1),
            (400, 2),
            (1000, 3),
            (2000, 5),
            (4000, 8),
            (8000, 12),
            (16000, 15),
            (32000, 20),
        ),
        start=1,
    )
)
"""Every level, the weakest and quickest first."""

DEFAULT_LEVEL = 3


def level(number: int) -> Level:
    """The level of that number, from 1; raises `Unknown`."""
    if 1 <= number <= len(LEVELS):
        return LEVELS[number - 1]
    raise Unknown(f"There is no level {number}: there are 1 to {len(LEVELS)}.", hints=("3",))
