"""A game on one diagram: every stone with the number of its move, as games are printed.

A move on a point that has a number already, or held a stone before the first move, is told below
the board: `57 at 32`, `80 at Q16`; so are passes. Pure; cannot fail.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from godaemon.diagrams.drawing import Drawing, Text
from godaemon.diagrams.picture import BoardPicture, picture
from godaemon.diagrams.style import PRINT, PictureStyle
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Move

_HEIGHT = 0.27
_LEADING = 0.62
_SIGN = 0.195
"""About the width of a sign in lines of that height."""
_HELD = "\xa0"  # no line is broken there
_NARROWEST = 30
"""How many signs a line holds below the smallest board."""


def kifu(
    size: Size,
    moves: Sequence[Move],
    *,
    black: Iterable[Point] = (),
    white: Iterable[Point] = (),
    caption: Sequence[str] = (),
    style: PictureStyle = PRINT,
) -> Drawing:
    """The diagram of a game: `black` and `white` are the stones set up before its first move.

    `caption` are lines written below the board, before the notes; long ones are broken.
    """
    stones = dict.fromkeys(black, Color.BLACK) | dict.fromkeys(white, Color.WHITE)
    setup, numbers = set(stones), _numbers(moves, stones)
    stones |= {point: moves[number - 1].color for point, number in numbers.items()}
    board = BoardPicture(
        _rows(size, stones), words={point: str(number) for point, number in numbers.items()}
    )
    listed = ", ".join(note.replace(" ", _HELD) for note in notes(moves, setup))
    return picture(board, style, tuple(_written([*caption, listed], size, style)))


def notes(moves: Sequence[Move], setup: Iterable[Point] = ()) -> Iterator[str]:
    """All that the diagram cannot show: `57 at 32`, `80 at Q16` on a stone set up, `64 pass`."""
    stones = dict.fromkeys(setup, Color.BLACK)
    numbers = _numbers(moves, stones)
    for number, (_, point) in enumerate(moves, start=1):
        if point is None:
            yield f"{number} pass"
        elif point in stones or numbers[point] != number:
            yield f"{number} at {numbers.get(point, point)}"


def _numbers(moves: Sequence[Move], setup: Iterable[Point]) -> dict[Point, int]:
    """The number that stands on each point: that of the first stone played there."""
    numbers: dict[Point, int] = {}
    for number, (_, point) in enumerate(moves, start=1):
        if point is not None and point not in setup:
            numbers.setdefault(point, number)
    return numbers


def _rows(size: Size, stones: dict[Point, Color]) -> list[str]:
    signs = {Color.BLACK: "b", Color.WHITE: "w", None: "."}
    return [
        "".join(signs[stones.get(Point(column, row))] for column in range(size.width))
        for row in range(size.height - 1, -1, -1)
    ]


def _written(paragraphs: Iterable[str], size: Size, style: PictureStyle) -> Iterator[Text]:
    """Lines as long as the board is wide, each with the room that it may take."""
    signs = max(_NARROWEST, int(size.width / _SIGN))
    lines = [line for words in paragraphs for line in wrap(words, signs)]
    for number, line in enumerate(lines):
        y = _HEIGHT / 2 + number * _LEADING
        yield Text(
            0, y, line.replace(_HELD, " "), _HEIGHT, style.ink, left=True, widest=signs * _SIGN
        )
