"""The style of a picture: every measure and colour that a board is drawn with. Pure data.

Lengths are in units of the distance between two lines, but for `pitch`, which says how many pixels
that distance is.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PictureStyle:
    """The measures and colours of a picture; colours are `#rrggbb`."""

    pitch: int = 32
    """Pixels from line to line."""
    background: str = "#e8c27a"
    line: str = "#6b4a1f"
    ink: str = "#4a3517"
    """Labels and notes."""
    black: str = "#1b1b1d"
    white: str = "#fbfaf6"
    black_edge: str = "#000000"
    white_edge: str = "#5b5142"
    dead_black: str = "#8d7a5b"
    dead_white: str = "#f1ddb2"
    mark: str = "#d2342b"
    """The last move's ring on a point without a stone."""
    shadow: str | None = "#c69c54"
    """What lies beside a stone, to the lower right; None for none."""
    stone: float = 0.475
    """A stone's radius."""
    grid: float = 0.035
    """The width of an inner line."""
    frame: float = 0.07
    """The width of the outer lines."""
    hoshi: float = 0.095
    """The radius of a star point."""
    margin: float = 0.8
    """From the outer lines to the labels."""


WOOD = PictureStyle()
"""A wooden board, for screens."""

PRINT = PictureStyle(
    background="#ffffff",
    line="#222222",
    ink="#222222",
    black="#111111",
    white="#ffffff",
    black_edge="#111111",
    white_edge="#111111",
    dead_black="#9a9a9a",
    dead_white="#ffffff",
    mark="#c0272d",
    shadow=None,
)
"""Black on white, as in books and newspapers."""
