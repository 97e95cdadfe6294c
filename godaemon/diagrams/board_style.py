"""A player's style of boards in emails: pictures or tables, signs, and coordinates.

Pure. It is stored as the words that ask for it, such as `signs two`; "" is the usual style.
"""

from __future__ import annotations

from dataclasses import dataclass

SIDES = {"on": 4, "two": 2, "off": 0}
"""The sides with coordinates: all, two (above and to the left), or none."""


@dataclass(frozen=True, slots=True)
class BoardStyle:
    """How boards look."""

    signs: bool = False
    """Whether text boards use Unicode signs in place of letters."""
    sides: int = 4
    pictures: bool = False
    """Whether HTML shows pictures, with all coordinates and no links, in place of tables."""

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
