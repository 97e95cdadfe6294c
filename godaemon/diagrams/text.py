"""The board as plain text, for letters and terminals: coordinates on all four sides.

In ASCII a 19x19 board is 45 columns wide, and no line of it can be taken for a command when it is
quoted back to us; the other form draws stones and lines with signs of Unicode. Takes the rows of
`rules.scoring.board_rows`, top row first. Pure; cannot fail.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from godaemon.diagrams.hoshi import hoshi
from godaemon.diagrams.part import Part
from godaemon.diagrams.symbols import STATES, size_of, used
from godaemon.rules.points import Point, Size, column_name

SYMBOLS = {"b": "X", "w": "O", "c": "x", "x": "o", "B": "b", "W": "w", ".": "."}
"""The sign of each of the seven states in ASCII; an empty star point is `+`."""

STAR = "+"

SIGNS = {"b": "●", "w": "○", "c": "◆", "x": "◇", "B": "▪", "W": "▫", ".": "·"}
"""The sign of each state in Unicode; empty points are the crossings of lines, `┼` and so on."""

_CROSSINGS = "┌┬┐├┼┤└┴┘"
_STAR_SIGN = "╋"
_LINE = "─"


def text_board(
    rows: Sequence[str], *, last: Point | None = None, fancy: bool = False, sides: int = 4
) -> str:
    """The board with its coordinates; the last move stands in round brackets, like `(X)`.

    `fancy` draws with signs of Unicode instead of ASCII. Of two `sides` with coordinates one is
    above and one to the left. No line ends in a blank, and the text does not end in a newline.

    >>> rows = [".......", "....w..", "..b....", ".......", "....b..", ".......", "......."]
    >>> print(text_board(rows, last=Point(4, 2)))
       A B C D E F G
    7  . . . . . . .  7
    6  . . . . O . .  6
    5  . . X . + . .  5
    4  . . . + . . .  4
    3  . . + .(X). .  3
    2  . . . . . . .  2
    1  . . . . . . .  1
       A B C D E F G
    """
    size = size_of(rows)
    pitch = 1 + len(column_name(size.width - 1))
    names = "".join(column_name(column).rjust(pitch) for column in range(size.width))
    margin = len(str(size.height))
    header = " " * (margin + 1) + names
    lines = []
    for row, states in zip(range(size.height - 1, -1, -1), rows, strict=True):
        ended = last.column if last is not None and last.row == row else None
        lines.append(_row(states, row, size, pitch, ended, fancy=fancy))
    if sides < 4:
        ends = slice(0 if sides else margin + 1, margin + len(names) + 2)
        return "\n".join([*([header] if sides else []), *(line[ends].rstrip() for line in lines)])
    return "\n".join([header, *lines, header])


def text_part(part: Part) -> str:
    """A part of the board as ASCII; stones with a sign are this sign.

    >>> rows = [".......", "....w..", "..b....", ".......", "....b..", ".......", "......."]
    >>> part = Part(rows, range(2, 7), range(1, 5), last=Point(4, 2), signs={Point(5, 3): "1"})
    >>> print(text_part(part))
       C D E F G
    5  X . + . .  5
    4  . + . 1 .  4
    3  + .(X). .  3
    2  . . . . .  2
       C D E F G
    """
    (width, height), lines = size_of(part.rows), text_board(part.rows, last=part.last).split("\n")
    pitch, margin = 1 + len(column_name(width - 1)), len(str(height)) + 1
    for (column, row), sign in part.signs.items():
        line, at = lines[height - row], margin + (column + 1) * pitch - 1
        lines[height - row] = f"{line[:at]}{sign}{line[at + 1 :]}"
    first, beyond = margin + part.columns.start * pitch, margin + part.columns.stop * pitch + 1
    end = margin + width * pitch + 1
    wanted = lines[1 + height - part.lines.stop : 1 + height - part.lines.start]
    wanted = [lines[0], *wanted, lines[-1]]
    return "\n".join(f"{one[:margin]}{one[first:beyond]}{one[end:]}".rstrip() for one in wanted)


def legend(rows: Sequence[str], *, fancy: bool = False) -> str:
    """One line that explains the symbols that occur on the board, and only these."""
    symbols = SIGNS if fancy else SYMBOLS
    return ", ".join(f"{symbols[state]} {STATES[state]}" for state in used(rows))


@lru_cache(maxsize=2048)
def _row(
    states: str,
    row: int,
    size: Size,
    pitch: int,
    last: int | None,
    *,
    fancy: bool,
) -> str:
    """One row with its labels; most are the same in the game's next diagram, so they are kept."""
    margin, label = len(str(size.height)), str(row + 1)
    body = _line(_cells(states, row, size, fancy=fancy), pitch, last, _LINE if fancy else " ")
    return f"{label.rjust(margin)} {body} {label.rjust(margin)}"


def _cells(states: str, row: int, size: Size, *, fancy: bool) -> list[str]:
    stars = hoshi(size)
    return [
        (SIGNS if fancy else SYMBOLS)[state]
        if state != "."
        else _empty(Point(column, row), size, star=Point(column, row) in stars, fancy=fancy)
        for column, state in enumerate(states)
    ]


def _empty(point: Point, size: Size, *, star: bool, fancy: bool) -> str:
    """An empty point: a dot or a crossing of lines, and what is printed at stars."""
    if not fancy or min(size) == 1:
        return SIGNS["."] if fancy else STAR if star else SYMBOLS["."]
    if star:
        return _STAR_SIGN
    across = 0 if point.column == 0 else 2 if point.column == size.width - 1 else 1
    down = 0 if point.row == size.height - 1 else 2 if point.row == 0 else 1
    return _CROSSINGS[3 * down + across]


def _line(cells: list[str], pitch: int, last: int | None, filler: str) -> str:
    """One row of points, with a blank after it; brackets take the places beside the point."""
    first, *others = cells
    line = list(first.rjust(pitch) + "".join(cell.rjust(pitch, filler) for cell in others) + " ")
    if last is not None:
        at = (last + 1) * pitch - 1
        line[at - 1], line[at + 1] = "()"
    return "".join(line)
