"""A picture as a list of shapes, and its SVG file. Cannot fail.

Coordinates are in units of the distance between two lines, x to the right and y down. The SVG file
has plain shapes and text, and loads no other files.
"""

from dataclasses import dataclass
from html import escape


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A filled rectangle by its upper left corner."""

    x: float
    y: float
    width: float
    height: float
    fill: str


@dataclass(frozen=True, slots=True)
class Circle:
    """A disc (`fill`), a ring (`edge`) that is `width` wide and inside the radius, or both."""

    x: float
    y: float
    radius: float
    fill: str | None = None
    edge: str | None = None
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; `x`, `y` is its middle, or the middle of its left edge (`left`).

    `size` is the height of its capitals and digits, `widest` the limit on its width.
    """

    x: float
    y: float
    words: str
    size: float
    color: str
    left: bool = False
    widest: float | None = None


Shape = Rectangle | Circle | Text


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture of `width` by `height` units on an opaque background, `pitch` pixels to a unit."""

    width: float
    height: float
    pitch: int
    background: str
    shapes: tuple[Shape, ...]
    title: str
    """A description for screen readers."""

    @property
    def pixels(self) -> tuple[int, int]:
        return round(self.width * self.pitch), round(self.height * self.pitch)


_FONT = "Aileron,'Helvetica Neue',Helvetica,Arial,'Liberation Sans',sans-serif"
_CAPITAL = 0.716
"""The height of a capital in these fonts, as a share of the font size."""
_DIGIT = 0.556
"""The width of a digit, as a share of the font size; small letters are no wider on average."""


def svg(drawing: Drawing) -> str:
    """The picture as an SVG file, with its title for screen readers."""
    width, height = drawing.pixels
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
    parts = [
        f'{head} viewBox="0 0 {width} {height}" role="img" font-family="{_FONT}">',
        f"<title>{escape(_printable(drawing.title))}</title>",
        f'<rect width="{width}" height="{height}" fill="{drawing.background}"/>',
        *(_shape(shape, drawing.pitch) for shape in drawing.shapes),
        "</svg>\n",
    ]
    return "\n".join(parts)


def _shape(shape: Shape, pitch: int) -> str:
    match shape:
        case Rectangle(x, y, width, height, fill):
            place = f'x="{_n(x, pitch)}" y="{_n(y, pitch)}"'
            sides = f'width="{_n(width, pitch)}" height="{_n(height, pitch)}"'
            return f'<rect {place} {sides} fill="{fill}"/>'
        case Circle():
            return _circle(shape, pitch)
        case Text():
            return _text(shape, pitch)


def _circle(circle: Circle, pitch: int) -> str:
    radius = circle.radius - (circle.width / 2 if circle.edge else 0)
    place = f'cx="{_n(circle.x, pitch)}" cy="{_n(circle.y, pitch)}" r="{_n(radius, pitch)}"'
    edge = (
        f' stroke="{circle.edge}" stroke-width="{_n(circle.width, pitch)}"' if circle.edge else ""
    )
    return f'<circle {place} fill="{circle.fill or "none"}"{edge}/>'


def _text(text: Text, pitch: int) -> str:
    """A text element, its baseline below its middle; numbers have the same width in any font."""
    size, squeeze = text.size / _CAPITAL, ""
    place = f'x="{_n(text.x, pitch)}" y="{_n(text.y + text.size / 2, pitch)}"'
    anchor = "" if text.left else ' text-anchor="middle"'
    if text.widest is not None and len(text.words) > 1:
        length = len(text.words) * _DIGIT * size
        if text.words.isdecimal() or length > text.widest:
            width = _n(min(length, text.widest), pitch)
            squeeze = f' textLength="{width}" lengthAdjust="spacingAndGlyphs"'
    style = f'font-size="{_n(size, pitch)}" fill="{text.color}"{anchor}{squeeze}'
    return f"<text {place} {style}>{escape(_printable(text.words))}</text>"


def _printable(words: str) -> str:
    """The text with blanks in place of characters that XML does not allow."""
    return "".join(sign if sign.isprintable() else " " for sign in words)


def _n(value: float, pitch: int) -> str:
    return f"{value * pitch:.2f}".rstrip("0").rstrip(".")
