"""GTP's written form: lines to requests, replies to bytes, and the readers of arguments.

Pure, and it imports only `godaemon.errors` and the values of `godaemon.rules`. What cannot be read
raises `Unreadable` with the failure text of the specification (GTP 2 draft 2, 3.1 and 3.2.1).
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from godaemon.errors import Unreadable
from godaemon.rules.moves import Move
from godaemon.rules.points import LETTERS, Color, Point

SYNTAX_ERROR = "syntax error"
UNKNOWN_COMMAND = "unknown command"

LARGEST_INT = 2**31 - 1
"""The largest int there is, and the largest id (3.2.1)."""

Arguments = tuple[str, ...]
"""The words after a command's name; there may be more than the command wants."""

_UNSEEN = dict.fromkeys([*range(32), 127, 0xFEFF]) | {ord("\t"): " "}
"""Control characters and a byte order mark vanish; a tab is a blank."""
_CONTROLS = dict.fromkeys([*range(9), *range(11, 32), 127])
_INTERRUPT = re.compile(r"\s*#\s*interrupt\s*")
_FLOAT = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_COLORS = {
    "b": Color.BLACK,
    "black": Color.BLACK,
    "w": Color.WHITE,
    "white": Color.WHITE,
}
_COLUMNS = {letter: column for column, letter in enumerate(LETTERS)}
_COLUMNS |= {letter.lower(): column for letter, column in _COLUMNS.items()}


class Request(NamedTuple):
    """One command as it was asked for; `name` is empty where a line holds an id alone."""

    id: int | None
    name: str
    arguments: Arguments


class Reply(NamedTuple):
    """What a command comes to: success or failure, and its text."""

    ok: bool
    text: str


def parse(line: bytes | str) -> Request | None:
    """The request that one line holds; None for blank lines and comments.

    Follows 3.1 to the letter: control characters go, then comments, then tabs become blanks. A
    first word that is a number from 0 to 2^31-1 is the id; any other is the command's name. Bytes
    that are not UTF-8 are kept as Python keeps odd file names, so that `loadsgf` finds them.
    """
    if isinstance(line, bytes):
        line = line.decode("utf-8", "surrogateescape")
    words = line.translate(_UNSEEN).partition("#")[0].split(" ")
    if "" in words:
        words = [word for word in words if word]
        if not words:
            return None
    first = words[0]
    label = _int(first)
    if label is not None:
        return Request(label, words[1] if len(words) > 1 else "", tuple(words[2:]))
    return Request(None, first, tuple(words[1:]))


def is_interrupt(line: bytes) -> bool:
    """Whether a line is GoGui's `# interrupt`, a comment to everybody else."""
    text = line.decode("utf-8", "replace").translate(_UNSEEN)
    return _INTERRUPT.fullmatch(text) is not None


def encode(reply: Reply, number: int | None = None) -> bytes:
    """A response as it goes out: `=7 text`, and exactly one blank line, at its end.

    There is always a blank after the sign and id, because GoGui takes the text after the first
    blank of the whole response. A text may begin with a new line; other blank lines are left out,
    since a client would take them for the end.
    """
    sign = "=" if reply.ok else "?"
    label = "" if number is None else number
    text = reply.text
    if "\n" in text or not text.isprintable():
        text = _one_block(text)
    return f"{sign}{label} {text}\n\n".encode("utf-8", "surrogateescape")


def _one_block(text: str) -> str:
    first, *rest = text.translate(_CONTROLS).split("\n")
    return "\n".join([first, *(line for line in rest if line.strip())])


def word(arguments: Arguments, at: int) -> str:
    """The argument at a place, as it was written; raises `Unreadable` where there is none."""
    if at >= len(arguments):
        raise Unreadable(SYNTAX_ERROR)
    return arguments[at]


def integer(arguments: Arguments, at: int) -> int:
    """The int at a place, 0 to 2^31-1 (3.2.1)."""
    value = _int(word(arguments, at))
    if value is None:
        raise Unreadable(SYNTAX_ERROR)
    return value


def decimal(arguments: Arguments, at: int) -> float:
    """The finite float at a place (3.2.1)."""
    text = word(arguments, at)
    value = float(text) if _FLOAT.fullmatch(text) else math.nan
    if not math.isfinite(value):
        raise Unreadable(SYNTAX_ERROR)
    return value


def boolean(arguments: Arguments, at: int) -> bool:
    """The boolean at a place: `true` or `false` (3.2.1)."""
    text = word(arguments, at)
    if text not in {"true", "false"}:
        raise Unreadable(SYNTAX_ERROR)
    return text == "true"


def color(arguments: Arguments, at: int) -> Color:
    """The colour at a place: `b`, `w`, `black` or `white`, in any case (3.2.1)."""
    found = _COLORS.get(word(arguments, at).lower())
    if found is None:
        raise Unreadable(SYNTAX_ERROR)
    return found


def vertex(arguments: Arguments, at: int) -> Point | None:
    """The vertex at a place, None for `pass`, in any case; it may lie off the board (3.2.1)."""
    text = word(arguments, at)
    column, row = _COLUMNS.get(text[0]), _int(text[1:])
    if column is not None and row:
        return Point(column, row - 1)
    if text.lower() == "pass":
        return None
    raise Unreadable(SYNTAX_ERROR)


def vertices(arguments: Arguments, at: int = 0) -> list[Point | None]:
    """All vertices from a place on."""
    return [vertex(arguments, each) for each in range(at, len(arguments))]


def moves(arguments: Arguments) -> list[Move]:
    """Pairs of a colour and a vertex, as GoGui writes sequences: `b D4 w E5`."""
    return [
        Move(color(arguments, at), vertex(arguments, at + 1)) for at in range(0, len(arguments), 2)
    ]


def written(point: Point | None) -> str:
    """A vertex as we write it: `Q16`, upper-case because qGo reads no other, or `pass`."""
    return "pass" if point is None else str(point)


def _int(text: str) -> int | None:
    """The int of the specification that a word is, or None; leading zeroes are as good as any."""
    if not (text.isascii() and text.isdecimal()):
        return None
    digits = text.lstrip("0") if len(text) > 10 else text
    if len(digits) > 10:
        return None
    value = int(digits or "0")
    return value if value <= LARGEST_INT else None
