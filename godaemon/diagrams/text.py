"""The board as plain text, for emails and terminals, with coordinates.

In ASCII a 19x19 board is 45 columns wide, and no line of it can be read as a command if a reply
quotes it. Takes the rows of `rules.scoring.board_rows`, top row first. Cannot fail.
"""

from collections.abc import Sequence
from functools import lru_cache

from godaemon.diagrams.symbols import Part, hoshi, size_of, used_states
from godaemon.rules.points import Point, Size, column_name
from godaemon.texts.catalogue import say

SYMBOLS = {"b": "X", "w": "O", "c": "x", "x": "o", "B": "b", "W": "w", ".": "."}
"""The sign of each of the seven states in ASCII; an empty star point is `+`."""

LEGENDS = {"b": "legend-black", "w": "legend-white", "c": "legend-dead-black"}
LEGENDS |= {"x": "legend-dead-white", "B": "legend-black-points", "W": "legend-white-points"}
"""The message key that explains each sign."""

STAR = "+"

SIGNS = {"b": "●", "w": "○", "c": "◆", "x": "◇", "B": "▪", "W": "▫", ".": "·"}
"""The sign of each state in Unicode; empty points are crossings of lines, such as `┼`."""

_CROSSINGS = "┌┬┐├┼┤└┴┘"
_STAR_SIGN = "╋"
_LINE = "─"


def text_board(
    rows: Sequence[str], *, last: Point | None = None, fancy: bool = False, sides: int = 4
) -> str:
    """The board with its coordinates; the last move is in round brackets, like `(X)`.

    `fancy` draws in Unicode instead of ASCII. `sides` is the number of sides with coordinates: all,
    two (above and to the left) or none. Neither a line nor the text ends in white space.

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
    margin, names = len(str(size.height)), _names(size.width)
    header = " " * (margin + 1) + names
    lines = []
    for row, states in zip(range(size.height - 1, -1, -1), rows, strict=True):
        last_column = last.column if last is not None and last.row == row else None
        body = _line(_cells(states, row, size, fancy=fancy), last_column, _LINE if fancy else " ")
        label = str(row + 1).rjust(margin)
        lines.append(f"{label} {body} {label}")
    if sides < 4:
        ends = slice(0 if sides else margin + 1, margin + len(names) + 2)
        return "\n".join([*([header] if sides else []), *(line[ends].rstrip() for line in lines)])
    return "\n".join([header, *lines, header])


def text_part(part: Part) -> str:
    """A part of the board as ASCII; signs replace their stones.

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
    start, stop = margin + part.columns.start * pitch, margin + part.columns.stop * pitch + 1
    end = margin + width * pitch + 1
    selected = lines[1 + height - part.lines.stop : 1 + height - part.lines.start]
    selected = [lines[0], *selected, lines[-1]]
    return "\n".join(f"{text[:margin]}{text[start:stop]}{text[end:]}".rstrip() for text in selected)


def legend(rows: Sequence[str], *, last: Point | None = None, fancy: bool = False) -> str:
    """One line that explains the symbols that occur on a board, and only these."""
    symbols = SIGNS if fancy else SYMBOLS
    words = [say(LEGENDS[state], sign=symbols[state]) for state in used_states(rows)]
    return say("comma").join([*words, say("last-move-sign")] if last else words)


@lru_cache(maxsize=64)
def _names(width: int) -> str:
    """The letters of the columns, each above its points."""
    pitch = 1 + len(column_name(width - 1))
    return "".join(column_name(column).rjust(pitch) for column in range(width))


def _cells(states: str, row: int, size: Size, *, fancy: bool) -> list[str]:
    stars = _stars(row, size)
    if not fancy:
        cells = list(states.translate(_SYMBOLS))
        for column in stars:
            cells[column] = cells[column].replace(SYMBOLS["."], STAR)
        return cells
    return [
        SIGNS[state] if state != "." else _empty(Point(column, row), size, star=column in stars)
        for column, state in enumerate(states)
    ]


_SYMBOLS = str.maketrans(SYMBOLS)


@lru_cache(maxsize=1024)
def _stars(row: int, size: Size) -> tuple[int, ...]:
    return tuple(star.column for star in hoshi(size) if star.row == row)


def _empty(point: Point, size: Size, *, star: bool) -> str:
    if min(size) == 1:
        return SIGNS["."]
    if star:
        return _STAR_SIGN
    across = (point.column > 0) + (point.column == size.width - 1)
    up = (point.row > 0) + (point.row == size.height - 1)
    return _CROSSINGS[3 * (2 - up) + across]


def _line(cells: list[str], last: int | None, filler: str) -> str:
    """One row of points with a blank after it; brackets replace blanks beside the last move."""
    gap = len(column_name(len(cells) - 1))
    line = f"{' ' * gap}{(filler * gap).join(cells)} "
    if last is None:
        return line
    index = (last + 1) * (gap + 1) - 1
    return f"{line[: index - 1]}({line[index]}){line[index + 2 :]}"
