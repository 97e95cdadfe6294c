"""The board as plain text, for letters and terminals: coordinates on all four sides, ASCII only.

A 19x19 board is 45 columns wide, and no line of it can be taken for a command when it is quoted
back to us. Pure; takes the rows of `rules.scoring.board_rows`, top row first, and cannot fail.
"""

from __future__ import annotations

from collections.abc import Sequence

from godaemon.diagrams.hoshi import hoshi
from godaemon.diagrams.symbols import STATES, size_of, used
from godaemon.rules.points import Point, column_name

SYMBOLS = {"b": "X", "w": "O", "c": "x", "x": "o", "B": "b", "W": "w", ".": "."}
"""How each of the seven states is written; an empty star point is `+`."""

STAR = "+"


def text_board(rows: Sequence[str], *, last: Point | None = None) -> str:
    """The board with its coordinates; the last move stands in round brackets, like `(X)`.

    No line ends in a blank, and the text does not end in a newline.
    """
    size = size_of(rows)
    pitch = 1 + len(column_name(size.width - 1))
    names = "".join(column_name(column).rjust(pitch) for column in range(size.width))
    margin = len(str(size.height))
    header = " " * (margin + 1) + names
    lines = [header]
    for row in range(size.height - 1, -1, -1):
        cells = _cells(rows[size.height - 1 - row], row, hoshi(size))
        body = _line(cells, pitch, last.column if last and last.row == row else None)
        label = str(row + 1)
        lines.append(f"{label.rjust(margin)} {body} {label.rjust(margin)}")
    return "\n".join([*lines, header])


def legend(rows: Sequence[str]) -> str:
    """One line that explains the symbols that occur on the board, and only these."""
    return ", ".join(f"{SYMBOLS[state]} {STATES[state]}" for state in used(rows))


def _cells(states: str, row: int, stars: frozenset[Point]) -> list[str]:
    return [
        STAR if state == "." and Point(column, row) in stars else SYMBOLS[state]
        for column, state in enumerate(states)
    ]


def _line(cells: list[str], pitch: int, marked: int | None) -> str:
    """One row of points, with a blank after it; brackets take the blanks beside the point."""
    line = list("".join(cell.rjust(pitch) for cell in cells) + " ")
    if marked is not None:
        at = (marked + 1) * pitch - 1
        line[at - 1], line[at + 1] = "(", ")"
    return "".join(line)
