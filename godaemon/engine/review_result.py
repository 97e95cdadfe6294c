"""The result of a review, as values and as text that is sent between processes. Pure.

The player's process makes it (`godaemon.engine.review`), and emails are written from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from godaemon.errors import Unreadable
from godaemon.rules.points import Color, Point, parse_point
from godaemon.rules.position import Move

Line = tuple[Point | None, ...]
"""Moves in turn, None for a pass."""


class Mistake(NamedTuple):
    """A move that lost points and chances, with its number and better moves."""

    number: int
    move: Move
    lost: float
    """In points."""
    chance: float
    """The lost chance of winning, from 0 to 1."""
    better: Line
    """A better move, and what may follow it."""
    group: Point | None = None
    """A stone of the largest group whose life or death depended on the move, if any did."""

    @property
    def weight(self) -> float:
        """How much it mattered; points count for little in a decided game."""
        return 20 * max(0.0, self.chance) + min(self.lost, 20.0) / 4


@dataclass(frozen=True, slots=True)
class LookBack:
    """A reviewed game; `leads` and `chances` are Black's, before each move and at the end."""

    leads: Sequence[float]
    chances: Sequence[float]
    mistakes: Sequence[Mistake] = ()
    """The mistakes that mattered most, in order."""
    good: Mapping[int, Move] = field(default_factory=dict)
    """Moves that were better than they seemed at first, by their numbers."""
    expected: Mapping[Color, tuple[int, int]] = field(default_factory=dict)
    """How many of a colour's moves were among the first candidates, and of how many."""


def format_review(review: LookBack) -> str:
    """Lines with leads, chances, expected moves, good moves and mistakes."""
    lines = [" ".join(["leads", *(f"{lead:.1f}" for lead in review.leads)])]
    lines.append(" ".join(["chances", *(f"{chance:.2f}" for chance in review.chances)]))
    lines += [f"expected {color.word} {n} {of}" for color, (n, of) in review.expected.items()]
    lines += [f"good {at} {c.word} {point or 'pass'}" for at, (c, point) in review.good.items()]
    for number, (color, point), lost, chance, better, group in review.mistakes:
        vertices = " ".join(str(each or "pass") for each in (point, *better))
        about = "-" if group is None else str(group)
        lines.append(f"mistake {number} {color.word} {lost:.1f} {chance:.2f} {about} {vertices}")
    return "\n".join(lines)


def parse_review(text: str) -> LookBack:
    r"""What `format_review` wrote; raises `Unreadable`.

    >>> text = "leads 0.2 -7.9\nchances 0.5 0.1\nmistake 1 black 8.3 0.4 - A1 C3 pass"
    >>> parse_review(text).mistakes[0].better
    (Point(column=2, row=2), None)
    """
    rows: dict[str, list[list[str]]] = {"leads": [], "chances": [], "expected": []}
    rows |= {"good": [], "mistake": []}
    try:
        for line in text.splitlines():
            word, *rest = line.split()
            rows[word].append(rest)
        (leads,), (chances,) = rows["leads"], rows["chances"]
        return LookBack(
            [float(lead) for lead in leads],
            [float(chance) for chance in chances],
            [_parse_mistake(*words) for words in rows["mistake"]],
            {int(at): _parse_move(color, point) for at, color, point in rows["good"]},
            {Color[c.upper()]: (int(n), int(of)) for c, n, of in rows["expected"]},
        )
    except (KeyError, TypeError, ValueError) as fault:
        raise Unreadable("its look back made no sense", detail=f"{text[:200]!r}") from fault


def _parse_mistake(
    number: str, color: str, lost: str, chance: str, group: str, point: str, *better: str
) -> Mistake:
    about = None if group == "-" else parse_point(group)
    line = tuple(map(_parse_point, better))
    return Mistake(int(number), _parse_move(color, point), float(lost), float(chance), line, about)


def _parse_move(color: str, point: str) -> Move:
    return Move(Color[color.upper()], _parse_point(point))


def _parse_point(word: str) -> Point | None:
    return None if word == "pass" else parse_point(word)
