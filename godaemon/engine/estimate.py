"""An estimate of how a game stands, as a value and as text that is sent between processes. Pure.

The player's process makes one (`godaemon.engine.opinion`), and letters are written from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from godaemon.errors import Unreadable


@dataclass(frozen=True, slots=True)
class ScoreEstimate:
    """Who is ahead by how much, and whose each point will be, as far as can be told."""

    lead: float
    """Black's, in points; negative where White is ahead."""
    spread: float
    """How far from that games usually end."""
    owned: Sequence[float]
    """For each point, in the board's order, from 1 where it will be Black's to -1 for White's."""


def written(estimate: ScoreEstimate) -> str:
    """A line for the lead and its spread, and one for the points."""
    owned = " ".join(f"{own:.2f}" for own in estimate.owned)
    return f"lead {estimate.lead:.1f} {estimate.spread:.1f}\nowned {owned}"


def read(text: str) -> ScoreEstimate:
    r"""What `written` wrote; raises `Unreadable`.

    >>> read("lead 3.5 6.0\nowned 0.90 -0.25")
    ScoreEstimate(lead=3.5, spread=6.0, owned=(0.9, -0.25))
    """
    try:
        (_, lead, spread), (_, *owned) = map(str.split, text.splitlines())
        return ScoreEstimate(float(lead), float(spread), tuple(map(float, owned)))
    except ValueError as fault:
        raise Unreadable("its estimate made no sense", detail=f"{text[:200]!r}") from fault
