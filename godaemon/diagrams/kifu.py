"""A game in figures, as books print it: every stone has the number of its move.

A figure begins with the stones before its first move. Notes below the board name passes, and moves
on a point that has a number already: `57 at 32`, `80 at Q16`. Cannot fail.
"""

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from godaemon.diagrams.drawing import Drawing, Text
from godaemon.diagrams.picture import PRINT, BoardPicture, board_drawing
from godaemon.rules.board import Board
from godaemon.rules.points import Point, Size
from godaemon.rules.position import Move
from godaemon.rules.scoring import board_rows
from godaemon.texts.catalogue import say

_HEIGHT = 0.27
_LEADING = 0.62
_SIGN = 0.195
"""The approximate width of a sign in lines of `_HEIGHT`."""
_NBSP = "\xa0"  # a no-break space
_MIN_LINE = 30
"""The signs of a line below the smallest board."""
_MAX_FIGURE = 100
_MIN_FIGURE = 50
_MAX_SQUARES = 8 * 21 * 21
"""The limit on the squares of all figures: eight boards of 19x19 with their edges."""


def figure_ranges(size: Size, first: int, last: int) -> list[tuple[int, int]]:
    """The first and last move of each figure: figures have 50 to 100 moves, from 1, 51, 101 ... on.

    They are longer if a picture of all figures would be too large.

    >>> figure_ranges(Size(19, 19), 1, 234)
    [(1, 100), (101, 150), (151, 234)]
    """
    max_figures = max(1, _MAX_SQUARES // ((size.width + 2) * (size.height + 2)))
    step = max(_MAX_FIGURE, -(-(last - first + 1) // max_figures))
    parts = []
    while last - first >= step:
        end = first + step - 1
        if 0 < last - end < _MIN_FIGURE and step == _MAX_FIGURE:
            end -= _MIN_FIGURE
        parts.append((first, end))
        first = end + 1
    return [*parts, (first, last)]


def kifu_drawing(
    board: Board, moves: Sequence[Move], *, caption: Sequence[str] = (), first: int = 1
) -> Drawing:
    """One figure: `board` has the stones before its first move.

    `caption` are lines below the board, before the notes; long ones are broken.
    """
    numbers, after = _numbers(moves, board, first), board.copy()
    for point, number in numbers.items():
        after.put(board.index(point), moves[number - first].color)
    words = {point: str(number) for point, number in numbers.items()}
    listed = ", ".join(note.replace(" ", _NBSP) for note in kifu_notes(board, moves, first))
    notes = tuple(_text_lines([*caption, listed], board.size))
    return board_drawing(BoardPicture(board_rows(after, None), words=words), PRINT, notes)


def kifu_notes(board: Board, moves: Sequence[Move], first: int = 1) -> Iterator[str]:
    """Moves that a figure cannot show: `57 at 32`, `80 at Q16` on an earlier stone, `64 pass`."""
    numbers = _numbers(moves, board, first)
    for number, (_, point) in enumerate(moves, start=first):
        if point is None:
            yield f"{number} {say('pass')}"
        elif numbers.get(point) != number:
            yield say("picture-at", number=number, place=numbers.get(point, point))


def _numbers(moves: Sequence[Move], board: Board, first: int) -> dict[Point, int]:
    """The number of the first stone on each point that was empty before."""
    numbers: dict[Point, int] = {}
    for number, (_, point) in enumerate(moves, start=first):
        if point is not None and board.color(point) is None:
            numbers.setdefault(point, number)
    return numbers


def _text_lines(paragraphs: Iterable[str], size: Size) -> Iterator[Text]:
    signs = max(_MIN_LINE, int(size.width / _SIGN))
    lines = [line for words in paragraphs for line in wrap(words, signs)]
    for number, line in enumerate(lines):
        y = _HEIGHT / 2 + number * _LEADING
        yield Text(
            0, y, line.replace(_NBSP, " "), _HEIGHT, PRINT.ink, left=True, widest=signs * _SIGN
        )
