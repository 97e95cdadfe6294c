"""A picture as a list of shapes, from which SVG and PNG are both made, so that they agree.

Coordinates are in units of the distance between two lines, x to the right and y down. Pure; cannot
fail.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A filled rectangle by its upper left corner."""

    x: float
    y: float
    width: float
    height: float
    fill: str


@dataclass(frozen=True, slots=True)
class Line:
    """A level or upright line with square ends, so that lines that meet at a corner fill it."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float
    color: str


@dataclass(frozen=True, slots=True)
class Circle:
    """A disc (`fill`), a ring (`edge`), or both; the edge is `width` wide and lies inside."""

    x: float
    y: float
    radius: float
    fill: str | None = None
    edge: str | None = None
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Text:
    """One line of words; `x`, `y` is its middle, or the middle of its left edge (`left`).

    `size` is the height of its capitals and digits; it is squeezed to `widest` where that is given.
    """

    x: float
    y: float
    words: str
    size: float
    color: str
    left: bool = False
    widest: float | None = None


Shape = Rectangle | Line | Circle | Text


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture of `width` by `height` units on an opaque ground, `pitch` pixels to a unit."""

    width: float
    height: float
    pitch: int
    background: str
    shapes: tuple[Shape, ...]
    title: str
    """What it shows, in words, for those who do not see it."""

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height in whole pixels."""
        return round(self.width * self.pitch), round(self.height * self.pitch)
