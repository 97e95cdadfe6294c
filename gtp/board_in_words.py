"""A board for people, drawn or in sentences, for both kinds of session. Pure.

What cannot be read raises `Unreadable`, and a point off the board `Refusal`, with the
specification's words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from godaemon.diagrams import description
from godaemon.diagrams.symbols import size_of
from godaemon.diagrams.text import text_board
from godaemon.errors import Refusal, Unreadable
from godaemon.rules import scoring
from godaemon.rules.board import Board
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position
from gtp.argument_readers import SYNTAX_ERROR, vertex, word
from gtp.client.syntax import Arguments

_PARTS = {
    "near": (description.describe_surroundings, "{}"),
    "group": (description.describe_group, "{}"),
    "row": (description.describe_row, "A{}"),
    "column": (description.describe_column, "{}1"),
}
"""The function that describes each part, and how its argument is read."""


def still_open(board: Board, dead: Iterable[Point]) -> str:
    """The dame that can be filled, and the areas on which both colours border; "" without any."""
    gone = frozenset(dead)
    dame = " ".join(map(str, sorted(scoring.dame(board, gone))))
    areas = scoring.open_regions(board, gone)
    wide = [f"{len(area)} points beside both colours at {min(area)}" for area in areas]
    return "; ".join([f"dame {dame}", *wide] if dame else wide)


def draw_board(rows: Sequence[str], position: Position, komi: float, rules: str) -> str:
    """The board as a drawing on lines of its own, with prisoners and rules below."""
    last = position.last.point if position.last else None
    taken = ", ".join(f"{color.word} {count}" for color, count in position.prisoners.items())
    board = text_board(rows, last=last)
    return f"\n{board}\nPrisoners: {taken}. Komi {komi:g}, {rules} rules."


def describe(rows: Sequence[str], arguments: Arguments) -> str:
    """The whole board, or the part that the arguments name."""
    if not arguments:
        return "\n".join(_whole_board(rows))
    if arguments[0].lower() not in _PARTS:
        raise Unreadable(SYNTAX_ERROR)
    tell, form = _PARTS[arguments[0].lower()]
    point = vertex((form.format(word(arguments, 1)),), 0)
    if point is None or not size_of(rows).has(point):
        raise Refusal("invalid coordinate")
    return "\n".join(tell(rows, point))


def _whole_board(rows: Sequence[str]) -> Iterator[str]:
    short = ", ".join(
        f"{one.color.word.capitalize()} {one.stones[0]} (liberty {one.liberties[0]})"
        for one in description.chains_in_atari(rows)
    )
    yield f"In atari: {short}." if short else "Nothing is in atari."
    yield from description.describe_stones(rows)
    for color in Color:
        yield from description.describe_chains(rows, color)
