"""A board as a PNG file, put together from tiles that were drawn before: for pictures by the dozen.

The same look as `picture` and `png`, many times as fast: the empty board, its palette and every
kind of point are drawn once and kept, and so are the rows of late. Importing this module loads
Pillow. Pure; cannot fail. The same board gives the same bytes with the same version of Pillow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from struct import pack
from zlib import compress, crc32

from PIL import Image

from godaemon.diagrams.drawing import Circle, Line, Shape
from godaemon.diagrams.hoshi import hoshi
from godaemon.diagrams.look import WOOD, Look
from godaemon.diagrams.picture import BoardPicture, picture
from godaemon.diagrams.png import raster
from godaemon.rules.points import Point, Size

__all__ = ["look_for", "tiled"]

WIDTH = 380
"""About how many pixels wide a large board's picture is."""
LARGEST_PITCH, SMALLEST_PITCH = 26, 14
"""Between how many pixels from line to line it is drawn; numbers are read from 14 on."""

_COLORS = 64
_EFFORT = 5
"""How hard zlib tries; a tenth less would take twice as long."""
_FILTER = 1
_MIDDLE = Point(0, 0)
_SAMPLE = BoardPicture(("bwcx", "BW.b", "wb.."), Point(0, 0), {Point(0, 0): "1", Point(1, 0): "2"})


@lru_cache(maxsize=64)
def look_for(size: Size) -> Look:
    """On wood, as large as a letter has room for."""
    pitch = max(SMALLEST_PITCH, min(LARGEST_PITCH, WIDTH // max(size)))
    return replace(WOOD, pitch=pitch)


def tiled(board: BoardPicture) -> bytes:
    """The picture of a board as the bytes of a PNG file; marks are not drawn, numbers are."""
    size, look = board.size, look_for(board.size)
    words: dict[int, tuple[tuple[int, str], ...]] = {}
    for point, said in sorted(board.words.items()):
        words[point.row] = (*words.get(point.row, ()), (point.column, said))
    last = board.last
    rows = (
        _row(
            size,
            size.height - 1 - down,
            states,
            last.column if last is not None and last.row == size.height - 1 - down else None,
            words.get(size.height - 1 - down, ()),
        )
        for down, states in enumerate(board.rows)
    )
    above, below = _edges(size)
    return _file(size, look, b"".join((above, *rows, below)))


def _file(size: Size, look: Look, lines: bytes) -> bytes:
    """Lines of pixels, each after its filter, as a file with a palette (PNG, third edition, 5).

    Pillow would do the same, but let no other thread go on while it does.
    """
    width, height = _ground(size, look).size
    chunks = (
        (b"IHDR", pack(">2I5B", width - 1, height, 8, 3, 0, 0, 0)),
        (b"PLTE", _colors(look)),
        (b"IDAT", compress(lines, _EFFORT)),
        (b"IEND", b""),
    )
    packed = (
        pack(">I", len(data)) + name + data + pack(">I", crc32(name + data))
        for name, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


@lru_cache(maxsize=256)
def _row(
    size: Size, row: int, states: str, last: int | None, words: tuple[tuple[int, str], ...]
) -> bytes:
    """The lines of pixels from half above a row of points to half below it."""
    look, said = look_for(size), dict(words)
    left, top = _origin(look)
    upper = top + (size.height - 1 - row) * look.pitch
    ground = _ground(size, look)
    image = ground.crop((0, upper, ground.width, upper + look.pitch))
    for column, state in enumerate(states):
        if state != "." or column in said:
            ways = _ways(size, Point(column, row))
            tile = _tile(look, ways, state, said.get(column, ""), column == last)
            image.paste(tile, (_FILTER + left + column * look.pitch, 0))
    return image.tobytes()


@lru_cache(maxsize=64)
def _edges(size: Size) -> tuple[bytes, bytes]:
    """What lies above the first row, and below the last one."""
    look = look_for(size)
    ground, (_, top) = _ground(size, look), _origin(look)
    below = top + size.height * look.pitch
    parts = (0, 0, ground.width, top), (0, below, ground.width, ground.height)
    upper, lower = (ground.crop(part).tobytes() for part in parts)
    return upper, lower


def _origin(look: Look) -> tuple[int, int]:
    """Where the tile of the upper left point begins."""
    edge = look.margin + (0.75 if look.labels else 0.0)
    return (round((edge - 0.5) * look.pitch),) * 2


@lru_cache(maxsize=8)
def _palette(look: Look) -> Image.Image:
    """The colours of everything that occurs on a board."""
    return raster(picture(_SAMPLE, look)).quantize(_COLORS, dither=Image.Dither.NONE)


@lru_cache(maxsize=8)
def _colors(look: Look) -> bytes:
    return bytes(_palette(look).getpalette() or ())


@lru_cache(maxsize=32)
def _ground(size: Size, look: Look) -> Image.Image:
    """The empty board, behind a column of noughts: the filter of each line, which is none."""
    empty = ("." * size.width,) * size.height
    drawn = _in_palette(raster(picture(BoardPicture(empty), look)), look)
    ground = Image.new("P", (_FILTER + drawn.width, drawn.height), 0)
    ground.paste(drawn, (_FILTER, 0))
    return ground


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
    board = BoardPicture((state,), _MIDDLE if last else None, {_MIDDLE: words} if words else {})
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
