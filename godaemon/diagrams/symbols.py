"""Point states, star points and parts of a board, for all drawings. Cannot fail.

Takes the rows of `rules.scoring.board_rows`, with seven states of a point.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product

from godaemon.rules.handicap import handicap_lines
from godaemon.rules.points import Point, Size
from godaemon.rules.scoring import point_states

STATES = {
    "b": "black",
    "w": "white",
    "c": "dead black",
    "x": "dead white",
    "B": "black's points",
    "W": "white's points",
}
"""The names of the states, except `.` (an empty point), in the order of legends."""


def size_of(rows: Sequence[str]) -> Size:
    return Size(len(rows[0]), len(rows))


def used_states(rows: Sequence[str]) -> tuple[str, ...]:
    """The states that occur, and always black and white, in the order of `STATES`."""
    present = "".join(("b", "w", *rows))
    return tuple([state for state in STATES if state in present])


def points_in(rows: Sequence[str], states: str) -> Iterable[Point]:
    """The points with one of some states."""
    return (point for point, state in point_states(rows) if state in states)


def describe_board(rows: Sequence[str], *, last: Point | None = None) -> str:
    """The board in words: every stone by its point, for screen readers."""
    parts = [f"Board of {size_of(rows)}."]
    for state in used_states(rows):
        places = " ".join(map(str, points_in(rows, state))) or "none"
        parts.append(f"{STATES[state].capitalize()}: {places}.")
    if last is not None:
        parts.append(f"Last move: {last}.")
    return " ".join(parts)


@lru_cache(maxsize=64)
def hoshi(size: Size) -> frozenset[Point]:
    """The star points: corners from 7x7 on, sides from 15x15 on, the centre if sides are odd."""
    width, height = size
    central = {Point(width // 2, height // 2)} if width % 2 and height % 2 else set()
    if min(size) < 7:
        return frozenset(central if min(size) >= 3 else ())
    lines = (handicap_lines(side)[: 3 if side % 2 and min(size) >= 15 else 2] for side in size)
    return frozenset({Point(*place) for place in product(*lines)} | central)


_LINES_AROUND, _MAX_EDGE_LINES = 3, 2
"""The lines to show around points; an edge at most `_MAX_EDGE_LINES` lines further is shown too."""


@dataclass(frozen=True, slots=True)
class Part:
    """A rectangle of a board (`rows`, top row first); `last` is marked, `signs` replace stones."""

    rows: Sequence[str]
    columns: range
    lines: range
    last: Point | None = None
    signs: Mapping[Point, str] = field(default_factory=dict)


def ranges_around(points: Iterable[Point], size: Size) -> tuple[range, range]:
    """The columns and lines around some points.

    >>> ranges_around([Point(3, 3)], Size(19, 19))
    (range(0, 7), range(0, 7))
    """
    columns, lines = zip(*points, strict=True)
    return _range_of_window(columns, size.width), _range_of_window(lines, size.height)


def _range_of_window(places: Sequence[int], length: int) -> range:
    first, end = min(places) - _LINES_AROUND, max(places) + _LINES_AROUND + 1
    return range(
        first if first > _MAX_EDGE_LINES else 0, end if end < length - _MAX_EDGE_LINES else length
    )
