"""Points and colours, and their written forms: GTP and letters "Q16", SGF "pd".

Columns are A B ... H J ... Z (no I), then AA AB ... on wider boards, as Sabaki writes them; rows
count from the bottom. Raises `Unreadable` with a sentence for the person.
"""

import re
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from godaemon.errors import Unreadable
from godaemon.texts.catalogue import sentence

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
"""The column letters in order; I is left out because it is easily read as a one or an L."""

LARGEST = 52
"""The longest side of a board: SGF names that many columns (FF[4], "Go (GM[1]) specific")."""

_VERTEX = re.compile(r"([A-Za-z]{1,2})([0-9]{1,3})")
_SGF = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Color(IntEnum):
    """The colour of a stone or of a player.

    >>> Color.BLACK.opponent
    <Color.WHITE: -1>
    >>> Color.WHITE.word
    'white'
    """

    BLACK = 1
    WHITE = -1

    @classmethod
    def named(cls, word: str) -> "Color":
        """The colour of a `word`."""
        return cls[word.upper()]

    @property
    def opponent(self) -> "Color":
        return Color.WHITE if self is Color.BLACK else Color.BLACK

    @property
    def word(self) -> str:
        """The lower-case English word: "black" or "white"."""
        return self.name.lower()


class Size(NamedTuple):
    """A board's width (columns) and height (rows), each from 1 to `LARGEST`."""

    width: int
    height: int

    @property
    def points(self) -> int:
        return self.width * self.height

    @property
    def last(self) -> "Point":
        """The point at the upper right."""
        return Point(self.width - 1, self.height - 1)

    def __str__(self) -> str:
        return f"{self.width}x{self.height}"

    def has(self, point: "Point") -> bool:
        return 0 <= point.column < self.width and 0 <= point.row < self.height


class Point(NamedTuple):
    """A place on a board: column from the left and row from the bottom, both from 0.

    >>> str(Point(15, 3))
    'Q4'
    >>> Size(9, 9).has(Point(15, 3))
    False
    """

    column: int
    row: int

    def __str__(self) -> str:
        return f"{column_name(self.column)}{self.row + 1}"


@lru_cache(maxsize=LARGEST**2)
def point_at(column: int, row: int) -> Point:
    """The point at these coordinates, always the same object, which makes look-ups faster."""
    return Point(column, row)


def board_order(point: Point) -> tuple[int, int]:
    """A sort key: row by row, from the lower left.

    >>> str(min(Point(0, 5), Point(3, 2), key=board_order))
    'D3'
    """
    return point.row, point.column


def check_size(width: int, height: int) -> Size:
    """A board size; raises `Unreadable` if a side is not from 1 to `LARGEST`.

    >>> check_size(13, 19)
    Size(width=13, height=19)
    """
    if not (1 <= width <= LARGEST and 1 <= height <= LARGEST):
        message = sentence("no-such-size", largest=LARGEST, size=f"{width}x{height}")
        raise Unreadable(message, hints=("9x9", "13x13", "19x19"))
    return Size(width, height)


def column_name(column: int) -> str:
    """The letter or letters of a column, from 0: A, B ... H, J ... Z, AA, AB ...

    >>> column_name(7), column_name(8), column_name(25)
    ('H', 'J', 'AA')
    """
    if column < len(LETTERS):
        return LETTERS[column]
    first, second = divmod(column - len(LETTERS), len(LETTERS))
    return LETTERS[first] + LETTERS[second]


def parse_point(text: str) -> Point:
    """The point of a text such as `q16`, on a board of any size.

    Raises `Unreadable`, with likely meanings as hints. Column `I` is never shifted to a neighbour,
    because either one may be meant.

    >>> parse_point("q16")
    Point(column=15, row=15)
    >>> parse_point("I9")
    Traceback (most recent call last):
        ...
    godaemon.errors.Unreadable: There is no column I on a Go board: H9 or J9?
    """
    match = _VERTEX.fullmatch(text.strip())
    if match is None:
        raise Unreadable(sentence("no-point", text=text), hints=("D4", "Q16"))
    letters, digits = match[1].upper(), int(match[2])
    if "I" in letters:
        left, right = (letters.replace("I", other) + str(digits) for other in "HJ")
        raise Unreadable(sentence("no-column-i", left=left, right=right), hints=(left, right))
    if digits == 0:
        raise Unreadable(sentence("no-point", text=text), hints=(f"{letters}1",))
    column = 0
    for letter in letters:
        column = column * len(LETTERS) + LETTERS.index(letter) + 1
    return point_at(column - 1, digits - 1)


def to_sgf(point: Point, height: int) -> str:
    """The SGF form of a point on a board of that height; SGF counts rows from the top.

    >>> to_sgf(parse_point("Q16"), height=19)
    'pd'
    """
    return _SGF[point.column] + _SGF[height - 1 - point.row]


def from_sgf(text: str, height: int) -> Point:
    """The point of an SGF pair of letters, with a negative row if it is below the board.

    Raises `Unreadable`.

    >>> str(from_sgf("pd", height=19))
    'Q16'
    """
    if len(text) != 2 or not all(letter in _SGF for letter in text):
        raise Unreadable(sentence("no-sgf-point", text=text), hints=("dd", "pd"))
    return point_at(_SGF.index(text[0]), height - 1 - _SGF.index(text[1]))
