"""A player's style of boards in emails: tables, pictures or sentences, and coordinates.

A style is stored as the words that request it, such as `picture two`; "" is the default.
"""

from dataclasses import dataclass

SIDES = {"on": 4, "two": 2, "off": 0}
"""The sides with coordinates: all, two (above and to the left), or none."""
FORMS = ("table", "picture", "words")
"""The form of a board: an HTML table to click on, a picture, or only sentences."""


@dataclass(frozen=True, slots=True)
class BoardStyle:
    """How boards look."""

    sides: int = 4
    shown: str = FORMS[0]

    @classmethod
    def of(cls, words: str) -> "BoardStyle":
        """The style that some words describe, as `str` returns them; the rest has its default.

        >>> BoardStyle.of("picture two"), str(BoardStyle(sides=0))
        (BoardStyle(sides=2, shown='picture'), 'off')
        """
        parts = words.split()
        sides = next((SIDES[part] for part in parts if part in SIDES), 4)
        return cls(sides, next((part for part in parts if part in FORMS), FORMS[0]))

    def __str__(self) -> str:
        sides_word = next(name for name, sides in SIDES.items() if sides == self.sides)
        words = {self.shown: self.shown != FORMS[0], sides_word: self.sides < 4}
        return " ".join(word for word, is_unusual in words.items() if is_unusual)


USUAL = BoardStyle()
