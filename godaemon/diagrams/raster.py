"""A drawing as a PNG file, and a game as a GIF, both by Pillow, which this module loads. Pure.

A PNG has a palette and an opaque ground, and is smoothed from twice the size; the same drawing
gives the same bytes with one version of Pillow. For a GIF one board full of each state of a point
is drawn. A frame is the previous one with the changed points pasted from these boards, and Pillow
writes only what has changed: 350 moves on 19x19 take 160 kB and less than a second. Nothing here
can fail.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from math import ceil

from PIL import Image, ImageDraw

from godaemon.diagrams.drawing import Circle, Drawing, Rectangle, Shape, Text
from godaemon.diagrams.fonts import CAPITAL, DIRECTION, font_runs, load_font, text_width
from godaemon.diagrams.picture import WOOD, BoardPicture, board_drawing
from godaemon.rules.board import points_of
from godaemon.rules.points import Point, Size

_FINE = 2
"""How many times larger everything is drawn first."""
_PALETTE = 64


def png(drawing: Drawing) -> bytes:
    small = raster(drawing).quantize(_PALETTE, dither=Image.Dither.NONE)
    out = BytesIO()
    small.save(out, "PNG", optimize=True)
    return out.getvalue()


def raster(drawing: Drawing) -> Image.Image:
    width, height = drawing.pixels
    image = Image.new("RGB", (width * _FINE, height * _FINE), drawing.background)
    pen = ImageDraw.Draw(image)
    for shape in drawing.shapes:
        _draw(pen, shape, drawing.pitch * _FINE)
    return image.reduce(_FINE)


def _draw(pen: ImageDraw.ImageDraw, shape: Shape, unit: int) -> None:
    match shape:
        case Rectangle():
            _rectangle(pen, shape, unit)
        case Circle():
            _circle(pen, shape, unit)
        case Text():
            _text(pen, shape, unit)


def _rectangle(pen: ImageDraw.ImageDraw, shape: Rectangle, unit: int) -> None:
    """In whole pixels; Pillow counts the last one as part of a shape."""
    left, top = round(shape.x * unit), round(shape.y * unit)
    right = round((shape.x + shape.width) * unit) - 1
    low = round((shape.y + shape.height) * unit) - 1
    pen.rectangle((left, top, max(left, right), max(top, low)), shape.fill)


def _circle(pen: ImageDraw.ImageDraw, circle: Circle, unit: int) -> None:
    x, y, radius = circle.x * unit, circle.y * unit, circle.radius * unit
    box = (x - radius, y - radius, x + radius, y + radius)
    width = max(1, round(circle.width * unit)) if circle.edge else 0
    pen.ellipse(box, circle.fill, circle.edge, width)


def _text(pen: ImageDraw.ImageDraw, text: Text, unit: int) -> None:
    """The baseline is half a capital below the middle."""
    size, parts = text.size * unit / CAPITAL, list(font_runs(text.words))
    length = sum(text_width(name, size, words) for name, words in parts)
    if text.widest is not None and length > text.widest * unit:
        size, length = size * text.widest * unit / length, text.widest * unit
    x, y = text.x * unit - (0 if text.left else length / 2), text.y * unit + size * CAPITAL / 2
    for name, words in parts:
        pen.text((x, y), words, text.color, load_font(name, size), anchor="ls", direction=DIRECTION)
        x += text_width(name, size, words)


HELD = 5_000
"""How long the last position is shown, in milliseconds."""
_WHOLE = 60_000
"""How long all other positions take together, in milliseconds; each takes 200 to 800."""
_MOST = 64_000_000
"""The most pixels of all frames together, which Pillow keeps: 440 frames of 19x19."""
_COLORS = 16
_CORNER = Point(0, 0)
_EDGE = WOOD.margin + 0.75
_POINT, _RING = 1.0, 0.66
"""The sides of the squares around what stands on a point, and around the ring within a stone."""


def film(boards: Sequence[BoardPicture]) -> bytes:
    """The positions of a board as a GIF file that repeats.

    If there are too many some are left out, never the last.
    """
    pitch = 18 if max(boards[0].size) <= 25 else 12
    width, height = ((side - 1 + 2 * _EDGE) * pitch for side in boards[0].size)
    shown = [*boards[: -1 : ceil(len(boards) * width * height / _MOST)], boards[-1]]
    times = [min(max(_WHOLE // len(shown), 200), 800)] * (len(shown) - 1) + [HELD]
    frames, out = _frames(shown, pitch), BytesIO()
    first = next(frames)
    first.save(out, "GIF", save_all=True, append_images=frames, duration=times, loop=0)
    return out.getvalue()


def _frames(boards: Sequence[BoardPicture], pitch: int) -> Iterator[Image.Image]:
    size = boards[0].size
    sheets, points = _sheets(size, pitch), points_of(size)
    frame, before, last = sheets["."].copy(), "." * len(points), None
    for board in boards:
        states = "".join(reversed(board.rows))
        for point, state, was in zip(points, states, before, strict=True):
            if state != was or point == last:
                square = _square(size, point, _POINT, pitch)
                frame.paste(sheets[state].crop(square), square)
        if board.last is not None:
            ring = sheets[f"{board.state(board.last)} ringed"]
            part = ring.crop(_square(size, _CORNER, _RING, pitch))
            frame.paste(part, _square(size, board.last, _RING, pitch))
        yield frame.copy()
        before, last = states, board.last


def _sheets(size: Size, pitch: int) -> Mapping[str, Image.Image]:
    """Boards full of each state, and those with a ring in the corner, in one palette."""
    style = replace(WOOD, pitch=pitch, shadow=None)
    boards = {state: BoardPicture((state * size.width,) * size.height) for state in ".bwcxBW"}
    boards |= {f"{state} ringed": replace(one, last=_CORNER) for state, one in boards.items()}
    drawn = {name: raster(board_drawing(board, style)) for name, board in boards.items()}
    width, height = drawn["."].size
    every = Image.new("RGB", (width, height * len(drawn)))
    for at, sheet in enumerate(drawn.values()):
        every.paste(sheet, (0, at * height))
    colors = every.quantize(_COLORS, dither=Image.Dither.NONE)
    none = Image.Dither.NONE
    return {name: sheet.quantize(palette=colors, dither=none) for name, sheet in drawn.items()}


def _square(size: Size, point: Point, side: float, pitch: int) -> tuple[int, int, int, int]:
    """The pixels around a point: left, top, right and bottom."""
    left = round((point.column + _EDGE - side / 2) * pitch)
    top = round((size.height - 1 - point.row + _EDGE - side / 2) * pitch)
    return left, top, left + round(side * pitch), top + round(side * pitch)
