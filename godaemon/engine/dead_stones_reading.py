"""A reading of a finished board: the dead stones, and those that are doubtful. Pure.

It is made from the owner of each point, chain by chain, which the network
(`godaemon.engine.network_dead_stones`) or games played at random (`godaemon.engine.fallback`) tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from godaemon.rules.board import Board
from godaemon.rules.inseparable_chains import chains_of
from godaemon.rules.points import Color, Point


class Reading(NamedTuple):
    """The dead stones, and the doubtful stones, dead or alive."""

    dead: frozenset[Point]
    doubtful: frozenset[Point] = frozenset()


def read_by_chain(
    board: Board, opinions: Sequence[Sequence[float]], unsure: float = 0.0
) -> Reading:
    """The reading of some opinions on the owner of each point, from 1 (Black) to -1 (White).

    A chain is dead if its points are mostly the opponent's. It is doubtful if opinions differ, or
    if the first one is less sure than `unsure`.
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
