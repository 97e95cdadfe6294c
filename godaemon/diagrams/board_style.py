"""A player's own style of boards in letters: pictures or tables, signs, and coordinates.

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
    pictures: bool = False
    """Whether HTML shows pictures, which have all coordinates and no links, and not tables."""

    @classmethod
    def of(cls, words: str) -> BoardStyle:
        """The style in words, as `str` gives it; what is not named is as usual.

        >>> BoardStyle.of("signs two"), str(BoardStyle(sides=0))
        (BoardStyle(signs=True, sides=2, pictures=False), 'off')
        """
        said = words.split()
        sides = next((SIDES[one] for one in said if one in SIDES), 4)
        return cls("signs" in said, sides, "picture" in said)

    def __str__(self) -> str:
        named = next(name for name, sides in SIDES.items() if sides == self.sides)
        words = {"picture": self.pictures, "signs": self.signs, named: self.sides < 4}
        return " ".join(word for word, said in words.items() if said)


USUAL = BoardStyle()
