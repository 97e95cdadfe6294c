"""Estimates of the score and reviews, as values and as text for another process.

The player's process makes them (`godaemon.engine.evaluation`, `godaemon.engine.review`), and emails
show them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from godaemon.errors import Unreadable
from godaemon.rules.points import Color, Point, parse_point
from godaemon.rules.position import Move


@dataclass(frozen=True, slots=True)
class ScoreEstimate:
    """The expected lead, and the expected owner of each point."""

    lead: float
    """Black's lead in points; negative if White is ahead."""
    spread: float
    """The usual difference between the final score and the lead, in points."""
    owners: Sequence[float]
    """The owner of each point in the board's order, from 1 (Black) to -1 (White)."""


def format_estimate(estimate: ScoreEstimate) -> str:
    """One line with the lead and its spread, and one with the owners."""
    owners = " ".join(f"{owner:.2f}" for owner in estimate.owners)
    return f"lead {estimate.lead:.1f} {estimate.spread:.1f}\nowned {owners}"


def format_score(estimate: ScoreEstimate) -> str:
    """The lead in GNU Go's words, with the bounds of White's points.

    >>> format_score(ScoreEstimate(2.0, 4.0, ()))
    'B+2.0 (upper bound: 2.0, lower: -6.0)'
    """
    lead, spread = estimate.lead, estimate.spread
    score = f"{'BW'[lead < 0]}+{abs(lead):.1f}" if lead else "0"
    return f"{score} (upper bound: {spread - lead:.1f}, lower: {-spread - lead:.1f})"


def parse_estimate(text: str) -> ScoreEstimate:
    r"""The estimate that `format_estimate` wrote; raises `Unreadable`.

    >>> parse_estimate("lead 3.5 6.0\nowned 0.90 -0.25")
    ScoreEstimate(lead=3.5, spread=6.0, owners=(0.9, -0.25))
    """
    try:
        (_, lead, spread), (_, *owners) = map(str.split, text.splitlines())
        return ScoreEstimate(float(lead), float(spread), tuple(map(float, owners)))
    except ValueError as fault:
        raise Unreadable("its estimate made no sense", detail=f"{text[:200]!r}") from fault


Line = tuple[Point | None, ...]
"""Moves in order; None is a pass."""


class Mistake(NamedTuple):
    """A move that lost points and chances, with its number and better moves."""

    number: int
    move: Move
    lost: float
    """The lost points."""
    chance: float
    """The lost chance of winning, from 0 to 1."""
    better: Line
    """A better move, and its continuation."""
    group: Point | None = None
    """A stone of the largest group whose life depended on the move, or None."""

    @property
    def weight(self) -> float:
        """The importance of the mistake; in a decided game, points count for little."""
        return 20 * max(0.0, self.chance) + min(self.lost, 20.0) / 4


@dataclass(frozen=True, slots=True)
class GameReview:
    """A reviewed game; `leads` and `chances` are Black's, before each move and at the end."""

    leads: Sequence[float]
    chances: Sequence[float]
    mistakes: Sequence[Mistake] = ()
    """The worst mistakes, in order."""
    good: Mapping[int, Move] = field(default_factory=dict)
    """Moves that proved better than they seemed, by move number."""
    expected: Mapping[Color, tuple[int, int]] = field(default_factory=dict)
    """The number of each colour's moves that were expected, and of all its moves."""


def format_review(review: GameReview) -> str:
    lines = [" ".join(["leads", *(f"{lead:.1f}" for lead in review.leads)])]
    lines.append(" ".join(["chances", *(f"{chance:.2f}" for chance in review.chances)]))
    lines += [f"expected {c.word} {hits} {total}" for c, (hits, total) in review.expected.items()]
    lines += [
        f"good {number} {c.word} {point or 'pass'}" for number, (c, point) in review.good.items()
    ]
    for number, (color, point), lost, chance, better, group in review.mistakes:
        vertices = " ".join(str(one or "pass") for one in (point, *better))
        stone = "-" if group is None else str(group)
        lines.append(f"mistake {number} {color.word} {lost:.1f} {chance:.2f} {stone} {vertices}")
    return "\n".join(lines)


def parse_review(text: str) -> GameReview:
    r"""The review that `format_review` wrote; raises `Unreadable`.

    >>> text = "leads 0.2 -7.9\nchances 0.5 0.1\nmistake 1 black 8.3 0.4 - A1 C3 pass"
    >>> parse_review(text).mistakes[0].better
    (Point(column=2, row=2), None)
    """
    rows: dict[str, list[list[str]]] = {"leads": [], "chances": [], "expected": []}
    rows |= {"good": [], "mistake": []}
    try:
        for line in text.splitlines():
            word, *values = line.split()
            rows[word].append(values)
        (leads,), (chances,) = rows["leads"], rows["chances"]
        return GameReview(
            [float(lead) for lead in leads],
            [float(chance) for chance in chances],
            [_parse_mistake(*words) for words in rows["mistake"]],
            {int(number): _parse_move(color, point) for number, color, point in rows["good"]},
            {Color.named(c): (int(hits), int(total)) for c, hits, total in rows["expected"]},
        )
    except (KeyError, TypeError, ValueError) as fault:
        raise Unreadable("its review made no sense", detail=f"{text[:200]!r}") from fault


def _parse_mistake(
    number: str, color: str, lost: str, chance: str, group: str, point: str, *better: str
) -> Mistake:
    stone = None if group == "-" else parse_point(group)
    line = tuple(map(_parse_point, better))
    return Mistake(int(number), _parse_move(color, point), float(lost), float(chance), line, stone)


def _parse_move(color: str, point: str) -> Move:
    return Move(Color.named(color), _parse_point(point))


def _parse_point(word: str) -> Point | None:
    return None if word == "pass" else parse_point(word)
