"""An estimate of the score, as a value and as text for another process. Pure.

The player's process makes it (`godaemon.engine.evaluation`), and emails show it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from godaemon.errors import Unreadable


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
