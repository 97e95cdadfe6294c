"""A board as a PNG file, put together from tiles that were drawn before: for pictures by the dozen.

The same look as `picture` and `png`, several times as fast: the empty board, its palette and every
kind of point are drawn once and kept. Importing this module loads Pillow. Pure; cannot fail. The
same board gives the same bytes with the same version of Pillow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from io import BytesIO

from PIL import Image

from godaemon.diagrams.drawing import Circle, Line, Shape
from godaemon.diagrams.hoshi import hoshi
from godaemon.diagrams.look import WOOD, Look
from godaemon.diagrams.picture import Board, picture
from godaemon.diagrams.png import raster
from godaemon.rules.points import Point, Size

__all__ = ["look_for", "tiled"]

WIDTH = 380
"""About how many pixels wide a large board's picture is."""
LARGEST_PITCH, SMALLEST_PITCH = 26, 14
"""Between how many pixels from line to line it is drawn; numbers are read from 14 on."""

_COLORS = 64
_MIDDLE = Point(0, 0)
_SAMPLE = Board(("bwcx", "BW.b", "wb.."), Point(0, 0), {Point(0, 0): "1", Point(1, 0): "2"})


@lru_cache(maxsize=64)
def look_for(size: Size) -> Look:
    """On wood, as large as a letter has room for."""
    pitch = max(SMALLEST_PITCH, min(LARGEST_PITCH, WIDTH // max(size)))
    return replace(WOOD, pitch=pitch)


def tiled(board: Board) -> bytes:
    """The picture of a board as the bytes of a PNG file; marks are not drawn, numbers are."""
    look = look_for(board.size)
    image = _ground(board.size, look).copy()
    left, top = _origin(look)
    for down, states in enumerate(board.rows):
        row = board.size.height - 1 - down
        for column, state in enumerate(states):
            point = Point(column, row)
            words = board.words.get(point, "")
            if state == "." and not words:
                continue
            last = point == board.last
            tile = _tile(look, _ways(board.size, point), state, words, last)
            image.paste(tile, (left + column * look.pitch, top + down * look.pitch))
    out = BytesIO()
    image.save(out, "PNG", compress_level=7)
    return out.getvalue()


def _origin(look: Look) -> tuple[int, int]:
    """Where the tile of the upper left point begins."""
    edge = look.margin + (0.75 if look.labels else 0.0)
    return (round((edge - 0.5) * look.pitch),) * 2


@lru_cache(maxsize=8)
def _palette(look: Look) -> Image.Image:
    """The colours of everything that occurs on a board."""
    return raster(picture(_SAMPLE, look)).quantize(_COLORS, dither=Image.Dither.NONE)


@lru_cache(maxsize=32)
def _ground(size: Size, look: Look) -> Image.Image:
    """The empty board."""
    empty = ("." * size.width,) * size.height
    return _in_palette(raster(picture(Board(empty), look)), look)


def _in_palette(image: Image.Image, look: Look) -> Image.Image:
    return image.quantize(palette=_palette(look), dither=Image.Dither.NONE)


_Ways = tuple[bool, bool, bool, bool, bool]


@lru_cache(maxsize=1024)
def _ways(size: Size, point: Point) -> _Ways:
    """Whether lines go left, right, up and down from a point, and whether it is a star."""
    column, row = point
    right, up = column < size.width - 1, row < size.height - 1
    return column > 0, right, up, row > 0, point in hoshi(size)


@lru_cache(maxsize=512)
def _tile(look: Look, ways: _Ways, state: str, words: str, last: bool) -> Image.Image:  # noqa: FBT001
    """One point with what stands on it; what reaches beyond it is cut off."""
    close = replace(look, labels=False, margin=0.5)
    board = Board((state,), _MIDDLE if last else None, {_MIDDLE: words} if words else {})
    drawn = picture(board, close)
    over = (shape for shape in drawn.shapes if not isinstance(shape, Line))
    return _in_palette(raster(replace(drawn, shapes=(*_crossing(look, ways), *over))), look)


def _crossing(look: Look, ways: _Ways) -> Iterator[Shape]:
    left, right, up, down, star = ways
    upright = look.grid if left and right else look.frame
    level = look.grid if up and down else look.frame
    if up or down:
        yield Line(0.5, 0.5 - up * 0.5, 0.5, 0.5 + down * 0.5, upright, look.line)
    if left or right:
        yield Line(0.5 - left * 0.5, 0.5, 0.5 + right * 0.5, 0.5, level, look.line)
    if star:
        yield Circle(0.5, 0.5, look.hoshi, fill=look.line)
