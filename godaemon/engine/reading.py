"""A reading of a finished board: the stones taken for dead, and those nobody is sure of. Pure.

It is made from whose each point will be, chain by chain: `godaemon.engine.network_reading` asks the
network for that, `godaemon.engine.fallback` games played out at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from godaemon.rules.board import Board
from godaemon.rules.inseparable_chains import chains_of
from godaemon.rules.points import Color, Point


class Reading(NamedTuple):
    """The stones taken for dead, and those, dead or alive, of which the reader is not sure."""

    dead: frozenset[Point]
    doubtful: frozenset[Point] = frozenset()


def by_chain(board: Board, opinions: Sequence[Sequence[float]], unsure: float = 0.0) -> Reading:
    """The reading of some opinions on each point: 1 is Black's, -1 White's.

    A chain is dead where its points are the other's on the whole. It is doubtful where one opinion
    differs, or the first one is less sure than `unsure`.
    """
    dead, doubtful = set[Point](), set[Point]()
    for color in Color:
        for chain in chains_of(board.cells, board.neighbours, color):
            own = [color * sum(each[at] for at in chain) / len(chain) for each in opinions]
            stones = set(map(board.point, chain))
            if sum(own) < 0:
                dead |= stones
            if min(own) < 0 <= max(own) or abs(own[0]) < unsure:
                doubtful |= stones
    return Reading(frozenset(dead), frozenset(doubtful))
