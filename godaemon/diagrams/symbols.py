"""The seven states of a point in `rules.scoring.board_rows`, and a board, in words. Cannot fail."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
"""The name of each state but `.` (an empty point), in the order in which they are explained."""


def size_of(rows: Sequence[str]) -> Size:
    """The size of a board of rows."""
    return Size(len(rows[0]), len(rows))


def used(rows: Sequence[str]) -> tuple[str, ...]:
    """The states that occur, in the order of `STATES`; black and white always do."""
    present = "".join(("b", "w", *rows))
    return tuple([state for state in STATES if state in present])


def points_in(rows: Sequence[str], state: str) -> Iterable[Point]:
    """The points in one state, from the top left."""
    return (point for point, each in point_states(rows) if each == state)


def describe(rows: Sequence[str], *, last: Point | None = None) -> str:
    """The board in words: every stone by its point, for those who hear it read."""
    parts = [f"Board of {size_of(rows)}."]
    for state in used(rows):
        places = " ".join(map(str, points_in(rows, state))) or "none"
        parts.append(f"{STATES[state].capitalize()}: {places}.")
    if last is not None:
        parts.append(f"Last move: {last}.")
    return " ".join(parts)
