"""A player's style of boards in emails: tables, pictures or sentences, and coordinates.

Pure. It is stored as the words that ask for it, such as `picture two`; "" is the usual style.
"""

from __future__ import annotations

from dataclasses import dataclass

SIDES = {"on": 4, "two": 2, "off": 0}
"""The sides with coordinates: all, two (above and to the left), or none."""
SHOWN = ("table", "picture", "words")
"""What emails have: in HTML a table to click on, a picture, or sentences in place of any board."""


@dataclass(frozen=True, slots=True)
class BoardStyle:
    """How boards look."""

    sides: int = 4
    shown: str = SHOWN[0]

    @classmethod
    def of(cls, words: str) -> BoardStyle:
        """The style in words, as `str` gives it; what is not named is as usual.

        >>> BoardStyle.of("picture two"), str(BoardStyle(sides=0))
        (BoardStyle(sides=2, shown='picture'), 'off')
        """
        named = words.split()
        sides = next((SIDES[one] for one in named if one in SIDES), 4)
        return cls(sides, next((one for one in named if one in SHOWN), SHOWN[0]))

    def __str__(self) -> str:
        named = next(name for name, sides in SIDES.items() if sides == self.sides)
        words = {self.shown: self.shown != SHOWN[0], named: self.sides < 4}
        return " ".join(word for word, unusual in words.items() if unusual)


USUAL = BoardStyle()
