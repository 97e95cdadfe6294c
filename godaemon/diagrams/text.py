"""The board as plain text, for letters and terminals: coordinates on all four sides.

In ASCII a 19x19 board is 45 columns wide, and no line of it can be taken for a command when it is
quoted back to us; the other form draws stones and lines with signs of Unicode. `parse` reads both.
Takes the rows of `rules.scoring.board_rows`, top row first. Pure; drawing cannot fail, and `parse`
raises `Unreadable`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from godaemon.diagrams.hoshi import hoshi
from godaemon.diagrams.symbols import STATES, size_of, used
from godaemon.errors import Unreadable
from godaemon.rules.points import LARGEST, Point, Size, column_name

SYMBOLS = {"b": "X", "w": "O", "c": "x", "x": "o", "B": "b", "W": "w", ".": "."}
"""How each of the seven states is written in ASCII; an empty star point is `+`."""

STAR = "+"

SIGNS = {"b": "●", "w": "○", "c": "◆", "x": "◇", "B": "▪", "W": "▫", ".": "·"}
"""How each state is written in Unicode; empty points are the crossings of lines, `┼` and so on."""

_CROSSINGS = "┌┬┐├┼┤└┴┘"
_STAR_SIGN = "╋"
_LINE = "─"
_LONGEST = 20_000  # a board of 52x52 is half as long

_BRACKETS = {(True, False): "()", (False, True): "[]", (True, True): "{}"}
"""What stands around a point: the last move, a mark, or both."""


class Drawn(NamedTuple):
    """What a diagram shows: the seven-state rows, the last move, and the marked points."""

    rows: tuple[str, ...]
    last: Point | None
    marks: frozenset[Point]


def text_board(
    rows: Sequence[str],
    *,
    last: Point | None = None,
    marks: Collection[Point] = (),
    fancy: bool = False,
) -> str:
    """The board with its coordinates; the last move stands in round brackets, like `(X)`.

    Marked points stand in square brackets, a marked last move in braces. `fancy` draws with signs
    of Unicode instead of ASCII. No line ends in a blank, and the text does not end in a newline.

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
    >>> parse(text_board(rows)).rows == tuple(rows)
    True
    """
    size = size_of(rows)
    pitch = max(1 + len(column_name(size.width - 1)), 3 if marks else 0)
    names = "".join(column_name(column).rjust(pitch) for column in range(size.width))
    margin = len(str(size.height))
    header = " " * (margin + 1) + names
    lines = [header]
    for row, states in zip(range(size.height - 1, -1, -1), rows, strict=True):
        around = {point.column: _BRACKETS[False, True] for point in marks if point.row == row}
        if last is not None and last.row == row:
            around[last.column] = _BRACKETS[True, last in marks]
        lines.append(_row(states, row, size, pitch, tuple(sorted(around.items())), fancy=fancy))
    return "\n".join([*lines, header])


def legend(rows: Sequence[str], *, fancy: bool = False) -> str:
    """One line that explains the symbols that occur on the board, and only these."""
    symbols = SIGNS if fancy else SYMBOLS
    return ", ".join(f"{symbols[state]} {STATES[state]}" for state in used(rows))


def parse(text: str) -> Drawn:
    """What a diagram of `text_board` shows; raises `Unreadable` where it is none."""
    if len(text) > _LONGEST:
        raise Unreadable("This text is longer than any diagram.")
    lines = text.rstrip("\n").split("\n")
    names = lines[0].split()
    if not 1 <= len(names) <= LARGEST or lines[-1].split() != names or len(lines) > LARGEST + 2:
        raise Unreadable("This is no diagram: the columns' letters stand above and below the rows.")
    if names != [column_name(column) for column in range(len(names))] or len(lines) < 3:
        raise Unreadable("This is no diagram: its columns are not A, B, C and so on without I.")
    rows: list[str] = []
    brackets: dict[Point, str] = {}
    for row, line in zip(range(len(lines) - 3, -1, -1), lines[1:-1], strict=True):
        states, around = _states(line, row, len(names))
        rows.append(states)
        brackets |= {Point(column, row): sign for column, sign in around.items()}
    last = [point for point, sign in brackets.items() if sign in "({"]
    if len(last) > 1:
        raise Unreadable(f"This diagram shows two last moves, {last[0]} and {last[1]}.")
    marks = frozenset(point for point, sign in brackets.items() if sign in "[{")
    return Drawn(tuple(rows), last[0] if last else None, marks)


@lru_cache(maxsize=2048)
def _row(
    states: str,
    row: int,
    size: Size,
    pitch: int,
    around: tuple[tuple[int, str], ...],
    *,
    fancy: bool,
) -> str:
    """One row with its labels; most are the same in the game's next diagram, so they are kept."""
    margin, label = len(str(size.height)), str(row + 1)
    body = _line(
        _cells(states, row, size, fancy=fancy), pitch, dict(around), _LINE if fancy else " "
    )
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


def _line(cells: list[str], pitch: int, around: dict[int, str], filler: str) -> str:
    """One row of points, with a blank after it; brackets take the places beside the point."""
    first, *others = cells
    line = list(first.rjust(pitch) + "".join(cell.rjust(pitch, filler) for cell in others) + " ")
    for column, brackets in around.items():
        at = (column + 1) * pitch - 1
        line[at - 1], line[at + 1] = brackets[0], brackets[1]
    return "".join(line)


_READ = (
    {sign: state for state, sign in SYMBOLS.items()}
    | {sign: state for state, sign in SIGNS.items()}
    | dict.fromkeys([STAR, _STAR_SIGN, *_CROSSINGS], ".")
)
_ROW = re.compile(r" *([0-9]{1,2}) +(\S.*?) +([0-9]{1,2})")


def _states(line: str, row: int, width: int) -> tuple[str, dict[int, str]]:
    """The states of one row, and the opening brackets by column; raises `Unreadable`."""
    found = _ROW.fullmatch(line)
    if found is None or found[1] != str(row + 1) or found[3] != str(row + 1):
        raise Unreadable(f"This is no diagram: row {row + 1} does not stand between its numbers.")
    states, around = "", {}
    for bracket, sign in re.findall(r"([(\[{]?)([^ ─()\[\]{}])", found[2]):
        if sign not in _READ:
            raise Unreadable(f"Row {row + 1} of this diagram holds “{sign}”, which I do not know.")
        if bracket:
            around[len(states)] = bracket
        states += _READ[sign]
    if len(states) != width:
        raise Unreadable(f"Row {row + 1} of this diagram has {len(states)} points, not {width}.")
    return states, around
