"""A board for people, as a drawing or in sentences.

Raises `Unreadable` for unknown arguments and `Refusal` for a point off the board, with the
specification's words.
"""

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
"""The function that describes each part, and the pattern of a vertex on it."""


def still_open(board: Board, dead: Iterable[Point]) -> str:
    """The dame that can be filled, and the areas of neither colour; "" if there are none."""
    removed = frozenset(dead)
    dame = " ".join(map(str, sorted(scoring.dame(board, removed))))
    areas = scoring.open_regions(board, removed)
    parts = [f"dame {dame}"] if dame else []
    for area in areas:
        points = "point" if len(area) == 1 else "points"
        parts.append(f"{len(area)} {points} of neither colour at {min(area)}")
    return "; ".join(parts)


def draw_board(rows: Sequence[str], position: Position, komi: float, rules: str) -> str:
    """A drawing of the board, with prisoners, komi and rules below."""
    last = position.last.point if position.last else None
    prisoners = ", ".join(f"{color.word} {count}" for color, count in position.prisoners.items())
    board = text_board(rows, last=last)
    return f"\n{board}\nPrisoners: {prisoners}. Komi {komi:g}, {rules} rules."


def describe(rows: Sequence[str], arguments: Arguments) -> str:
    """The whole board, or the part that the arguments name."""
    if not arguments:
        return "\n".join(_whole_board(rows))
    if arguments[0].lower() not in _PARTS:
        raise Unreadable(SYNTAX_ERROR)
    describe_part, pattern = _PARTS[arguments[0].lower()]
    point = vertex((pattern.format(word(arguments, 1)),), 0)
    if point is None or not size_of(rows).has(point):
        raise Refusal("invalid coordinate")
    return "\n".join(describe_part(rows, point))


def _whole_board(rows: Sequence[str]) -> Iterator[str]:
    chains = ", ".join(
        f"{one.color.word.capitalize()} {one.stones[0]} (liberty {one.liberties[0]})"
        for one in description.chains_in_atari(rows)
    )
    yield f"In atari: {chains}." if chains else "Nothing is in atari."
    yield from description.describe_stones(rows)
    for color in Color:
        yield from description.describe_chains(rows, color)
