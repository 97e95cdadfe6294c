"""A drawing as a PNG file by Pillow: a palette, an opaque ground, smoothed from twice the size.

Importing this module loads Pillow. The same drawing gives the same bytes with one version of
Pillow. Pure; cannot fail.
"""

from __future__ import annotations

from io import BytesIO

from PIL import Image, ImageDraw

from godaemon.diagrams.drawing import Circle, Drawing, Line, Rectangle, Shape, Text
from godaemon.diagrams.fonts import CAPITAL, DIRECTION, font, runs, width

_FINE = 2
"""How many times larger everything is drawn first."""
_COLORS = 64


def png(drawing: Drawing) -> bytes:
    small = raster(drawing).quantize(_COLORS, dither=Image.Dither.NONE)
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
        case Rectangle(x, y, width, height, fill):
            pen.rectangle(_box(x, y, x + width, y + height, unit), fill)
        case Line():
            _line(pen, shape, unit)
        case Circle():
            _circle(pen, shape, unit)
        case Text():
            _text(pen, shape, unit)


def _box(x1: float, y1: float, x2: float, y2: float, unit: int) -> tuple[int, int, int, int]:
    """A box in whole pixels; Pillow counts the last one as part of a shape."""
    left, top = round(x1 * unit), round(y1 * unit)
    return left, top, max(left, round(x2 * unit) - 1), max(top, round(y2 * unit) - 1)


def _line(pen: ImageDraw.ImageDraw, line: Line, unit: int) -> None:
    half = line.width / 2
    ends = (line.x1 - half, line.y1 - half, line.x2 + half, line.y2 + half)
    pen.rectangle(_box(*ends, unit), line.color)


def _circle(pen: ImageDraw.ImageDraw, circle: Circle, unit: int) -> None:
    x, y, radius = circle.x * unit, circle.y * unit, circle.radius * unit
    box = (x - radius, y - radius, x + radius, y + radius)
    width = max(1, round(circle.width * unit)) if circle.edge else 0
    pen.ellipse(box, circle.fill, circle.edge, width)


def _text(pen: ImageDraw.ImageDraw, text: Text, unit: int) -> None:
    """The baseline is half a capital below the middle."""
    size, parts = text.size * unit / CAPITAL, list(runs(text.words))
    length = sum(width(name, size, words) for name, words in parts)
    if text.widest is not None and length > text.widest * unit:
        size, length = size * text.widest * unit / length, text.widest * unit
    x, y = text.x * unit - (0 if text.left else length / 2), text.y * unit + size * CAPITAL / 2
    for name, words in parts:
        pen.text((x, y), words, text.color, font(name, size), anchor="ls", direction=DIRECTION)
        x += width(name, size, words)
