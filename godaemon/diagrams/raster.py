"""A drawing as a PNG file, made by Pillow. Cannot fail.

A PNG has a palette and an opaque background, and is smoothed from twice the size. With one version
of Pillow the same drawing gives the same bytes.
"""

from io import BytesIO

from PIL import Image, ImageDraw

from godaemon.diagrams.drawing import Circle, Drawing, Rectangle, Shape, Text
from godaemon.diagrams.fonts import CAPITAL, DIRECTION, font_runs, load_font, text_width

_SCALE = 2
"""The scale at which everything is drawn before it is smoothed."""
_PALETTE = 64


def png(drawing: Drawing) -> bytes:
    image = raster(drawing).quantize(_PALETTE, dither=Image.Dither.NONE)
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def raster(drawing: Drawing) -> Image.Image:
    width, height = drawing.pixels
    image = Image.new("RGB", (width * _SCALE, height * _SCALE), drawing.background)
    pen = ImageDraw.Draw(image)
    for shape in drawing.shapes:
        _draw(pen, shape, drawing.pitch * _SCALE)
    return image.reduce(_SCALE)


def _draw(pen: ImageDraw.ImageDraw, shape: Shape, unit: int) -> None:
    x, y = shape.x * unit, shape.y * unit
    match shape:
        case Rectangle():  # for Pillow the right and lower edges belong to it
            right = round((shape.x + shape.width) * unit) - 1
            low = round((shape.y + shape.height) * unit) - 1
            left, top = round(x), round(y)
            pen.rectangle((left, top, max(left, right), max(top, low)), shape.fill)
        case Circle():
            radius = shape.radius * unit
            box = (x - radius, y - radius, x + radius, y + radius)
            width = max(1, round(shape.width * unit)) if shape.edge else 0
            pen.ellipse(box, shape.fill, shape.edge, width)
        case Text():
            _text(pen, shape, unit)


def _text(pen: ImageDraw.ImageDraw, text: Text, unit: int) -> None:
    """Draw a text; its baseline is half a capital below the middle."""
    size, parts = text.size * unit / CAPITAL, list(font_runs(text.words))
    length = sum(text_width(name, size, words) for name, words in parts)
    if text.widest is not None and length > text.widest * unit:
        size, length = size * text.widest * unit / length, text.widest * unit
    x, y = text.x * unit - (0 if text.left else length / 2), text.y * unit + size * CAPITAL / 2
    for name, words in parts:
        pen.text((x, y), words, text.color, load_font(name, size), anchor="ls", direction=DIRECTION)
        x += text_width(name, size, words)
