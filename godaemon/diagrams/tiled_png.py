"""A board as a PNG file, put together from tiles that were drawn before: for pictures by the dozen.

They look as by `picture` and `png`, and are made many times as fast: the empty board, its palette
and every kind of point are drawn once and kept, and so are the rows of late. Importing this module
loads Pillow. Pure; cannot fail. The same board gives the same bytes with the same version of
Pillow.
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
from godaemon.diagrams.picture import BoardPicture, picture
from godaemon.diagrams.png import raster
from godaemon.diagrams.style import WOOD, PictureStyle
from godaemon.rules.points import Point, Size

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
def style_for(size: Size) -> PictureStyle:
    """On wood, as large as a letter has room for."""
    pitch = max(SMALLEST_PITCH, min(LARGEST_PITCH, WIDTH // max(size)))
    return replace(WOOD, pitch=pitch)


def tiled(board: BoardPicture) -> bytes:
    """The picture of a board as the bytes of a PNG file; marks are not drawn, numbers are."""
    size, style = board.size, style_for(board.size)
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
    return _file(size, style, b"".join((above, *rows, below)))


def _file(size: Size, style: PictureStyle, lines: bytes) -> bytes:
    """Lines of pixels, each after its filter, as a file with a palette (PNG, third edition, 5).

    Pillow would do the same, but let no other thread go on while it does.
    """
    width, height = _ground(size, style).size
    chunks = (
        (b"IHDR", pack(">2I5B", width - 1, height, 8, 3, 0, 0, 0)),
        (b"PLTE", _colors(style)),
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
    style, said = style_for(size), dict(words)
    left, top = _origin(style)
    upper = top + (size.height - 1 - row) * style.pitch
    ground = _ground(size, style)
    image = ground.crop((0, upper, ground.width, upper + style.pitch))
    for column, state in enumerate(states):
        if state != "." or column in said:
            ways = _ways(size, Point(column, row))
            tile = _tile(style, ways, state, said.get(column, ""), column == last)
            image.paste(tile, (_FILTER + left + column * style.pitch, 0))
    return image.tobytes()


@lru_cache(maxsize=64)
def _edges(size: Size) -> tuple[bytes, bytes]:
    """What lies above the first row, and below the last one."""
    style = style_for(size)
    ground, (_, top) = _ground(size, style), _origin(style)
    below = top + size.height * style.pitch
    parts = (0, 0, ground.width, top), (0, below, ground.width, ground.height)
    upper, lower = (ground.crop(part).tobytes() for part in parts)
    return upper, lower


def _origin(style: PictureStyle) -> tuple[int, int]:
    """Where the tile of the upper left point begins."""
    edge = style.margin + (0.75 if style.labels else 0.0)
    return (round((edge - 0.5) * style.pitch),) * 2


@lru_cache(maxsize=8)
def _palette(style: PictureStyle) -> Image.Image:
    """The colours of everything that occurs on a board."""
    return raster(picture(_SAMPLE, style)).quantize(_COLORS, dither=Image.Dither.NONE)


@lru_cache(maxsize=8)
def _colors(style: PictureStyle) -> bytes:
    return bytes(_palette(style).getpalette() or ())


@lru_cache(maxsize=32)
def _ground(size: Size, style: PictureStyle) -> Image.Image:
    """The empty board, behind a column of noughts: the filter of each line, which is none."""
    empty = ("." * size.width,) * size.height
    drawn = _in_palette(raster(picture(BoardPicture(empty), style)), style)
    ground = Image.new("P", (_FILTER + drawn.width, drawn.height), 0)
    ground.paste(drawn, (_FILTER, 0))
    return ground


def _in_palette(image: Image.Image, style: PictureStyle) -> Image.Image:
    return image.quantize(palette=_palette(style), dither=Image.Dither.NONE)


_Ways = tuple[bool, bool, bool, bool, bool]


@lru_cache(maxsize=1024)
def _ways(size: Size, point: Point) -> _Ways:
    """The lines that leave a point, left, right, up and down, as truths, and one for a star."""
    column, row = point
    right, up = column < size.width - 1, row < size.height - 1
    return column > 0, right, up, row > 0, point in hoshi(size)


@lru_cache(maxsize=512)
def _tile(style: PictureStyle, ways: _Ways, state: str, words: str, last: bool) -> Image.Image:  # noqa: FBT001
    """One point with what stands on it; what reaches beyond it is cut off."""
    close = replace(style, labels=False, margin=0.5)
    board = BoardPicture((state,), _MIDDLE if last else None, {_MIDDLE: words} if words else {})
    drawn = picture(board, close)
    over = (shape for shape in drawn.shapes if not isinstance(shape, Line))
    return _in_palette(raster(replace(drawn, shapes=(*_crossing(style, ways), *over))), style)


def _crossing(style: PictureStyle, ways: _Ways) -> Iterator[Shape]:
    left, right, up, down, star = ways
    upright = style.grid if left and right else style.frame
    level = style.grid if up and down else style.frame
    if up or down:
        yield Line(0.5, 0.5 - up * 0.5, 0.5, 0.5 + down * 0.5, upright, style.line)
    if left or right:
        yield Line(0.5 - left * 0.5, 0.5, 0.5 + right * 0.5, 0.5, level, style.line)
    if star:
        yield Circle(0.5, 0.5, style.hoshi, fill=style.line)
