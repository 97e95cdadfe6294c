"""Thoughts of our player on every move of a position, for programs that watch it think. Pure.

The same search as a move is chosen by; it goes on for as long as somebody asks, up to a bound.
Everything is as the player to move sees it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from godaemon.engine.search import Search
from godaemon.rules.points import Point
from godaemon.rules.position import Position

LONGEST_LINE = 8
"""Moves of a line that is expected."""


class MoveView(NamedTuple):
    """One move: how often it was looked at, its chance of winning, what was expected of it before.

    `lead` is in points; `line` is what is expected from it on, None for a pass.
    """

    games: int
    won: float
    prior: float
    lead: float
    line: tuple[Point | None, ...]


class Outlook(NamedTuple):
    """A position: the moves, the one most looked at first; the lead, and who owns what."""

    moves: Sequence[MoveView]
    lead: float
    owned: Sequence[float]
    """For each point, row by row from the top left, 1 is the player's own and -1 the other's."""


def outlook(search: Search, position: Position) -> Outlook:
    """What a search has found out about a position so far."""
    root, board = search.root, position.board
    places = sorted(
        (at for at in range(len(root.prior)) if root.visits[at]),
        key=lambda at: (-root.visits[at], -root.worth_of(at)),
    )
    moves = [
        MoveView(
            round(float(root.visits[at])),
            root.worth_of(at),
            float(root.prior[at]),
            -root.kids[at].said.lead if at in root.kids else root.said.lead,
            tuple(
                None if each == position.size.points else board.point(each)
                for each in search.line(at, LONGEST_LINE)
            ),
        )
        for at in places
    ]
    width = position.size.width
    rows = root.said.owned.reshape(-1, width)[::-1]
    return Outlook(moves, root.said.lead, [float(own) for own in rows.ravel()])
