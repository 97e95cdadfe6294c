"""A part of a board, to be drawn: a rectangle of it, with signs on some of its points. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from godaemon.rules.points import Point, Size

_AROUND, _EDGE = 3, 2
"""So many points are shown around what matters, and no edge is left out for so few more."""


@dataclass(frozen=True, slots=True)
class Part:
    """Some columns and lines of a board by its rows, top row first; stones with signs are numbered.

    `last` is the stone that is marked.
    """

    rows: Sequence[str]
    columns: range
    lines: range
    last: Point | None = None
    signs: Mapping[Point, str] = field(default_factory=dict)


def around(points: Iterable[Point], size: Size) -> tuple[range, range]:
    """The columns and lines around some points.

    >>> around([Point(3, 3)], Size(19, 19))
    (range(0, 7), range(0, 7))
    """
    columns, lines = zip(*points, strict=True)
    return _stretch(columns, size.width), _stretch(lines, size.height)


def _stretch(places: Sequence[int], length: int) -> range:
    first, end = min(places) - _AROUND, max(places) + _AROUND + 1
    return range(first if first > _EDGE else 0, end if end < length - _EDGE else length)
