"""Boards read back from what the product writes: the seven-state rows, and the text diagrams.

The product only writes them; the tests read them to prove that nothing of the board is lost. Raises
`Unreadable` for what is no board.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from godaemon.diagrams.text import SIGNS, STAR, SYMBOLS
from godaemon.errors import Unreadable
from godaemon.rules.board import Board
from godaemon.rules.points import LARGEST, Color, Point, column_name, size

_LONGEST = 20_000  # a board of 52x52 is half as long


@dataclass(frozen=True, slots=True)
class Counted:
    """What the rows of a seven-state board say; `territory` holds the empty points with an owner.

    Points under dead stones have no state of their own: whose they are, the count says.
    """

    board: Board
    dead: frozenset[Point]
    territory: Mapping[Point, Color]


def parse_rows(rows: Sequence[str]) -> Counted:
    """The board of the rows that `board_rows` writes, top row first; raises `Unreadable`."""
    width = len(rows[0]) if rows else 0
    board = Board(size(width, len(rows)))
    dead, territory = set[Point](), dict[Point, Color]()
    for down, row in enumerate(rows):
        if len(row) != width:
            raise Unreadable(f"Row {down + 1} has {len(row)} points, and the first has {width}.")
        for column, state in enumerate(row):
            point = Point(column, len(rows) - 1 - down)
            if state in _STONES:
                board.put(board.index(point), _STONES[state])
            elif state in _OWNERS:
                territory[point] = _OWNERS[state]
            elif state != ".":
                raise Unreadable(f"“{state}” in row {down + 1} is none of the states .BWbwcx.")
            if state in "cx":
                dead.add(point)
    return Counted(board, frozenset(dead), territory)


_STONES = {"b": Color.BLACK, "w": Color.WHITE, "c": Color.BLACK, "x": Color.WHITE}
_OWNERS = {"B": Color.BLACK, "W": Color.WHITE}


class Drawn(NamedTuple):
    """What a diagram shows: the seven-state rows, the last move, and the marked points."""

    rows: tuple[str, ...]
    last: Point | None
    marks: frozenset[Point]


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


_READ = (
    {sign: state for state, sign in SYMBOLS.items()}
    | {sign: state for state, sign in SIGNS.items()}
    | dict.fromkeys([STAR, *"╋┌┬┐├┼┤└┴┘"], ".")
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
