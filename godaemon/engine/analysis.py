"""Thoughts of our player on every move of a position, for programs that watch it think. Pure.

The same search as a move is chosen by; it goes on for as long as somebody asks, up to a bound.
Everything is as the player to move sees it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from godaemon.engine.arena import NOWHERE
from godaemon.engine.search import Search
from godaemon.engine.tree import Node
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position

LONGEST_LINE = 8
"""Moves of a line that is expected."""


class MoveView(NamedTuple):
    """One move: how often it was tried, the share won, its share of trust beforehand, the line."""

    games: int
    won: float
    prior: float
    line: tuple[Point | None, ...]


class Outlook(NamedTuple):
    """A position: the moves, the one most tried first; the lead in points, and who owns what."""

    moves: Sequence[MoveView]
    lead: float
    owned: Sequence[float]
    """For each point, row by row from the top left, 1 is the player's own and -1 the other's."""


def outlook(search: Search, position: Position, color: Color) -> Outlook:
    """What a search has found out about a position so far."""
    root = search.root
    trust = sum(root.thought)
    places = sorted(range(len(root.moves)), key=lambda at: (-root.tried(at), -root.worth(at)))
    moves = [
        MoveView(
            round(root.tried(at)),
            root.worth(at),
            root.thought[at] / trust,
            _line(root, at, position),
        )
        for at in places
        if root.tried(at) >= 1
    ]
    owned = {position.board.point(at): own for at, own in enumerate(search.owned())}
    width, height = position.size
    by_rows = [
        owned[Point(column, row)] * color
        for row in reversed(range(height))
        for column in range(width)
    ]
    return Outlook(moves, search.lead() * color, by_rows)


def _line(node: Node, at: int, position: Position) -> tuple[Point | None, ...]:
    return tuple(
        None if move == NOWHERE else position.board.point(move) for move in expected(node, at)
    )


def expected(node: Node, at: int) -> Iterator[int]:
    """The line that is expected from a move on; `NOWHERE` is a pass."""
    for _ in range(LONGEST_LINE):
        yield node.moves[at]
        kid = node.kids[at]
        if kid is None or not kid.begun:
            return
        node, at = kid, kid.most_tried()
