"""Parse the boards that the product writes, to check that nothing is lost."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from godaemon.diagrams.symbols import size_of
from godaemon.diagrams.text import SIGNS, STAR, SYMBOLS
from godaemon.rules.board import Board
from godaemon.rules.points import Color, Point, column_name

_STONES = {"b": Color.BLACK, "w": Color.WHITE, "c": Color.BLACK, "x": Color.WHITE}
_OWNERS = {"B": Color.BLACK, "W": Color.WHITE}
_READ = (
    {sign: state for state, sign in SYMBOLS.items()}
    | {sign: state for state, sign in SIGNS.items()}
    | dict.fromkeys([STAR, *"╋┌┬┐├┼┤└┴┘"], ".")
)


class Counted(NamedTuple):
    """A parsed seven-state board. `territory` maps empty points to their owner.

    A point under a dead stone has no owner here: the rows do not say it.
    """

    board: Board
    dead: frozenset[Point]
    territory: Mapping[Point, Color]


def parse_rows(rows: Sequence[str]) -> Counted:
    """Parse the output of `board_rows`, top row first."""
    board = Board(size_of(rows))
    states = {
        Point(column, row): state
        for row, line in enumerate(reversed(rows))
        for column, state in enumerate(line)
    }
    for point, state in states.items():
        if state in _STONES:
            board.put(board.index(point), _STONES[state])
    dead = frozenset(point for point, state in states.items() if state in "cx")
    return Counted(board, dead, {at: _OWNERS[one] for at, one in states.items() if one in _OWNERS})


def parse(text: str) -> tuple[tuple[str, ...], Point | None]:
    """Parse a diagram of `text_board`: its rows, and the last move, which it has in brackets."""
    header, *lines, footer = text.split("\n")
    assert header.split() == footer.split() == list(map(column_name, range(len(header.split()))))
    rows, last = [], []
    for row, line in zip(range(len(lines) - 1, -1, -1), lines, strict=True):
        found = re.fullmatch(r" *(\d+) +(\S.*?) +(\d+)", line)
        assert found
        assert int(found[1]) == int(found[3]) == row + 1
        cells = re.findall(r"(\(?)([^ ─()])", found[2])
        last += [Point(column, row) for column, (bracket, _) in enumerate(cells) if bracket]
        rows.append("".join(_READ[sign] for _, sign in cells))
    assert len(last) <= 1
    return tuple(rows), next(iter(last), None)
