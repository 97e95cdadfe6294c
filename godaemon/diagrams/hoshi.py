"""The star points (hoshi) printed on a board of any size. Pure; cannot fail."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from godaemon.rules.handicap import handicap_lines
from godaemon.rules.points import Point, Size


@lru_cache(maxsize=64)
def hoshi(size: Size) -> frozenset[Point]:
    """The star points of a board: corners, and the middle and sides where there is room for them.

    Both sides need seven lines for corner points; an odd pair of sides has a centre, and a side of
    fifteen lines or more has points half-way, as 19x19 boards are printed.
    """
    width, height = size
    if min(width, height) < 7:
        return frozenset(_centre(size) if min(width, height) >= 3 else ())
    lines = (handicap_lines(side)[: 3 if side % 2 and min(size) >= 15 else 2] for side in size)
    return frozenset({Point(*place) for place in product(*lines)} | _centre(size))


def _centre(size: Size) -> set[Point]:
    width, height = size
    return {Point(width // 2, height // 2)} if width % 2 and height % 2 else set()
