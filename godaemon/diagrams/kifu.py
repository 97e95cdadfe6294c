"""A game in figures, as books print it: every stone has the number of its move.

A figure begins with the stones before its first move. Notes below the board name passes, and moves
on a point that has a number already: `57 at 32`, `80 at Q16`. Pure; cannot fail.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap

from godaemon.diagrams.drawing import Drawing, Text
from godaemon.diagrams.picture import PRINT, BoardPicture, board_drawing
from godaemon.rules.board import Board
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Move
from godaemon.rules.scoring import board_rows
from godaemon.texts.catalogue import say

_HEIGHT = 0.27
_LEADING = 0.62
_SIGN = 0.195
"""The approximate width of a sign in lines of `_HEIGHT`."""
_HELD = "\xa0"  # a no-break space
_NARROWEST = 30
"""The signs of a line below the smallest board."""
_LONGEST = 100
_SHORTEST = 50
_LARGEST = 8 * 21 * 21
"""The limit on the squares of all figures: eight boards of 19x19 with their edges."""


def figure_ranges(size: Size, first: int, last: int) -> list[tuple[int, int]]:
    """The first and last move of each figure: figures have 50 to 100 moves, from 1, 51, 101 ... on.

    They are longer if a picture of all figures would be too large.

    >>> figure_ranges(Size(19, 19), 1, 234)
    [(1, 100), (101, 150), (151, 234)]
    """
    most = max(1, _LARGEST // ((size.width + 2) * (size.height + 2)))
    step = max(_LONGEST, -(-(last - first + 1) // most))
    parts = []
    while last - first >= step:
        end = first + step - 1
        if 0 < last - end < _SHORTEST and step == _LONGEST:
            end -= _SHORTEST
        parts.append((first, end))
        first = end + 1
    return [*parts, (first, last)]


def kifu_drawing(
    size: Size,
    moves: Sequence[Move],
    *,
    black: Iterable[Point] = (),
    white: Iterable[Point] = (),
    caption: Sequence[str] = (),
    first: int = 1,
) -> Drawing:
    """One figure: `black` and `white` are the stones before its first move.

    `caption` are lines below the board, before the notes; long ones are broken.
    """
    stones = dict.fromkeys(black, Color.BLACK) | dict.fromkeys(white, Color.WHITE)
    setup, numbers = set(stones), _numbers(moves, stones, first)
    stones |= {point: moves[number - first].color for point, number in numbers.items()}
    board = BoardPicture(
        _rows(size, stones), words={point: str(number) for point, number in numbers.items()}
    )
    listed = ", ".join(note.replace(" ", _HELD) for note in kifu_notes(moves, setup, first))
    return board_drawing(board, PRINT, tuple(_text_lines([*caption, listed], size)))


def kifu_notes(moves: Sequence[Move], setup: Iterable[Point] = (), first: int = 1) -> Iterator[str]:
    """Moves that a figure cannot show: `57 at 32`, `80 at Q16` on an earlier stone, `64 pass`."""
    stones = dict.fromkeys(setup, Color.BLACK)
    numbers = _numbers(moves, stones, first)
    for number, (_, point) in enumerate(moves, start=first):
        if point is None:
            yield f"{number} {say('pass')}"
        elif point in stones or numbers[point] != number:
            yield say("picture-at", number=number, place=numbers.get(point, point))


def _numbers(moves: Sequence[Move], setup: Iterable[Point], first: int) -> dict[Point, int]:
    """The number of the first stone on each point."""
    numbers: dict[Point, int] = {}
    for number, (_, point) in enumerate(moves, start=first):
        if point is not None and point not in setup:
            numbers.setdefault(point, number)
    return numbers


def _rows(size: Size, stones: Mapping[Point, Color]) -> Sequence[str]:
    board = Board(size)
    for point, color in stones.items():
        board.put(board.index(point), color)
    return board_rows(board, None)


def _text_lines(paragraphs: Iterable[str], size: Size) -> Iterator[Text]:
    signs = max(_NARROWEST, int(size.width / _SIGN))
    lines = [line for words in paragraphs for line in wrap(words, signs)]
    for number, line in enumerate(lines):
        y = _HEIGHT / 2 + number * _LEADING
        yield Text(
            0, y, line.replace(_HELD, " "), _HEIGHT, PRINT.ink, left=True, widest=signs * _SIGN
        )
