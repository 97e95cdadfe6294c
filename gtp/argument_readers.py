"""Readers of a command's arguments: numbers, colours and vertices (GTP 2 draft 2, 3.2.1).

Each reads the argument at an index, or all from there on. Raises `Unreadable` with the
specification's words.
"""

import math
import re
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import TypeVar

from godaemon.errors import Refusal, Unreadable
from godaemon.rules.points import LETTERS, Color, Point
from godaemon.rules.position import Move
from godaemon.rules.scoring import Status
from gtp.client.syntax import Arguments, small_int

SYNTAX_ERROR = "syntax error"
UNKNOWN_COMMAND = "unknown command"
ILLEGAL_MOVE = "illegal move"

Value = TypeVar("Value")

_MAX_SECONDS = 1e9  # seconds; sums of times must not overflow
_FLOAT = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_COLORS = {"b": Color.BLACK, "black": Color.BLACK, "w": Color.WHITE, "white": Color.WHITE}
_TWICE = [first + second for first in "AB" for second in LETTERS]
"""KataGo's and Sabaki's names of columns beyond Z, which the specification lacks (2.11)."""
_COLUMNS = {letter: column for column, letter in enumerate([*LETTERS, *_TWICE])}


def word(arguments: Arguments, at: int) -> str:
    """The argument at an index, unchanged; raises `Unreadable` if it is missing."""
    if at >= len(arguments):
        raise Unreadable(SYNTAX_ERROR)
    return arguments[at]


def _require(value: Value | None) -> Value:
    if value is None:
        raise Unreadable(SYNTAX_ERROR)
    return value


def integer(arguments: Arguments, at: int) -> int:
    """An int from 0 to 2^31-1 (3.2.1).

    >>> integer(("9", "007"), 1)
    7
    """
    return _require(small_int(word(arguments, at)))


def decimal(arguments: Arguments, at: int) -> float:
    """A finite float (3.2.1), perhaps with a decimal comma."""
    text = word(arguments, at).replace(",", ".")
    value = float(text) if _FLOAT.fullmatch(text) else math.nan
    if not math.isfinite(value):
        raise Unreadable(SYNTAX_ERROR)
    return value


def seconds(arguments: Arguments, at: int) -> timedelta:
    """A float of 0 or more; programs for KataGo write times with fractions."""
    value = decimal(arguments, at)
    if value < 0:
        raise Unreadable(SYNTAX_ERROR)
    return time_span(value)


def time_span(number: float) -> timedelta:
    """A number of seconds as a time: 0 if it is negative, and at most thirty years."""
    return timedelta(seconds=min(max(0.0, number), _MAX_SECONDS))


def color(arguments: Arguments, at: int) -> Color:
    """A colour: `b`, `w`, `black` or `white`, in any case (3.2.1)."""
    return _require(_COLORS.get(word(arguments, at).lower()))


def vertex(arguments: Arguments, at: int) -> Point | None:
    """A vertex in any case, None for `pass`; it may be off the board (3.2.1).

    >>> print(vertex(("black", "q16"), 1), vertex(("pass",), 0))
    Q16 None
    """
    text = word(arguments, at)
    letters = text.rstrip("0123456789")
    column, row = _COLUMNS.get(letters.upper()), small_int(text[len(letters) :])
    if column is not None and row:
        return Point(column, row - 1)
    if text.lower() == "pass":
        return None
    raise Unreadable(SYNTAX_ERROR)


def boolean(arguments: Arguments, at: int) -> bool:
    """A boolean, `true` or `false` (3.2.1)."""
    return _require({"true": True, "false": False}.get(word(arguments, at)))


def status(arguments: Arguments, at: int) -> Status:
    """The status of stones: `alive`, `seki` or `dead` (6.3.5)."""
    return _require({one.value: one for one in Status}.get(word(arguments, at)))


def words(arguments: Arguments, at: int) -> Arguments:
    """All arguments from an index on, unchanged."""
    return arguments[at:]


def optional(read: Callable[[Arguments, int], Value]) -> Callable[[Arguments, int], Value | None]:
    """A reader of an optional argument; None if it is missing."""
    return lambda arguments, at: read(arguments, at) if at < len(arguments) else None


def file_name(arguments: Arguments) -> tuple[str, Arguments]:
    """A file name, quoted if it has blanks, and the words after it.

    >>> file_name(("my.sgf", "12")), file_name(('"my', 'game.sgf"', "12"))
    (('my.sgf', ('12',)), ('my game.sgf', ('12',)))
    """
    if found := re.fullmatch(r'"([^"]+)"(?: (.*))?', " ".join(arguments)):
        return found[1], tuple((found[2] or "").split())
    return word(arguments, 0), arguments[1:]


def vertices(arguments: Arguments, at: int = 0) -> list[Point | None]:
    """All arguments from an index on, as vertices."""
    return [vertex(arguments, place) for place in range(at, len(arguments))]


def stones(arguments: Arguments, at: int) -> list[Point | None]:
    """The vertices of handicap stones; raises `Refusal`: bad vertex list (6.3.2)."""
    try:
        return vertices(arguments, at)
    except Unreadable as refusal:
        raise Refusal("bad vertex list") from refusal


def sides(arguments: Arguments, at: int) -> tuple[int, int]:
    """The size of a board: int size, or int width and int height.

    A second word that is no number is ignored, as in GNU Go.

    >>> sides(("9",), 0), sides(("9", "13"), 0), sides(("9", "please"), 0)
    ((9, 9), (9, 13), (9, 9))
    """
    width = integer(arguments, at)
    both = len(arguments) > at + 1 and arguments[at + 1].isdecimal()
    return width, integer(arguments, at + 1) if both else width


def both_sides(arguments: Arguments, at: int) -> tuple[int, int]:
    """The size of a board: int width and int height."""
    return integer(arguments, at), integer(arguments, at + 1)


def moves(arguments: Arguments, at: int) -> list[Move]:
    """Moves, as GoGui writes them: pairs of a colour and a vertex.

    >>> [(one.color.word, str(one.point)) for one in moves(("b", "D4", "w", "pass"), 0)]
    [('black', 'D4'), ('white', 'None')]
    """
    pairs = range(at, len(arguments), 2)
    return [Move(color(arguments, place), vertex(arguments, place + 1)) for place in pairs]


def format_vertex(point: Point | None) -> str:
    """A vertex such as `Q16`, or `pass`; in upper case, because qGo reads no other."""
    return "pass" if point is None else str(point)


def format_chains(chains: Iterable[Iterable[Point]]) -> str:
    """Chains in GTP's form: one per line, vertices separated by single blanks."""
    return "\n".join(" ".join(map(str, sorted(chain))) for chain in chains)
