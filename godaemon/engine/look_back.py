"""A look back on a game as values, and as text that is sent between processes. Pure.

The player's process makes one (`godaemon.engine.review`), and letters are written from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from godaemon.errors import Unreadable
from godaemon.rules.points import Color, Point, parse_point
from godaemon.rules.position import Move

Line = tuple[Point | None, ...]
"""Moves in turn, None for a pass."""


class Mistake(NamedTuple):
    """A move that lost points, by its number in the game."""

    number: int
    move: Move
    lost: float
    better: Line = ()
    """A better move and what may follow it; empty where the move is not among the worst."""


class LookBack(NamedTuple):
    """Black's lead before each move and after the last, and the mistakes in the game's order."""

    leads: Sequence[float]
    mistakes: Sequence[Mistake]


def written(review: LookBack) -> str:
    """The leads in one line, and a line for each mistake."""
    lines = [" ".join(["leads", *(f"{lead:.1f}" for lead in review.leads)])]
    for number, (color, point), lost, better in review.mistakes:
        vertices = " ".join(map(_vertex, better))
        lines.append(f"{number} {color.word} {_vertex(point)} {lost:.1f} {vertices}".rstrip())
    return "\n".join(lines)


def read(text: str) -> LookBack:
    r"""What `written` wrote; raises `Unreadable`.

    >>> read("leads 0.2 -7.9\n1 black A1 8.3 C3 pass").mistakes[0].better
    (Point(column=2, row=2), None)
    """
    first, *rest = text.splitlines() or [""]
    try:
        leads = [float(word) for word in first.removeprefix("leads").split()]
        return LookBack(leads, [_mistake(*line.split()) for line in rest])
    except (KeyError, TypeError, ValueError) as fault:
        raise Unreadable("its look back made no sense", detail=f"{text[:200]!r}") from fault


def _mistake(number: str, color: str, point: str, lost: str, *better: str) -> Mistake:
    move = Move(Color[color.upper()], _point(point))
    return Mistake(int(number), move, float(lost), tuple(map(_point, better)))


def _vertex(point: Point | None) -> str:
    return "pass" if point is None else str(point)


def _point(word: str) -> Point | None:
    return None if word == "pass" else parse_point(word)
