"""A player's own style of boards in letters: which signs text has, and where coordinates stand.

Pure. Kept as the words that ask for it, such as `signs two`; "" is the usual style.
"""

from __future__ import annotations

from dataclasses import dataclass

SIDES = {"on": 4, "two": 2, "off": 0}
"""On how many sides coordinates stand: all, above and to the left, or none."""


@dataclass(frozen=True, slots=True)
class BoardStyle:
    """How boards look."""

    signs: bool = False
    """Whether text draws them with signs of Unicode, and not with letters."""
    sides: int = 4
    """On how many sides coordinates stand; of two, above and to the left."""

    @classmethod
    def of(cls, words: str) -> BoardStyle:
        """The style in words, as `str` gives it; what is not named is as usual.

        >>> BoardStyle.of("signs two"), str(BoardStyle(sides=0))
        (BoardStyle(signs=True, sides=2), 'off')
        """
        said = words.split()
        return cls("signs" in said, next((SIDES[one] for one in said if one in SIDES), 4))

    def __str__(self) -> str:
        named = next(name for name, sides in SIDES.items() if sides == self.sides)
        return " ".join([*(["signs"] if self.signs else []), *([named] if self.sides < 4 else [])])


USUAL = BoardStyle()
