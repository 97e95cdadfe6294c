"""A reading of a finished board: the dead stones and the doubtful ones. Pure.

It is computed chain by chain from the owner of each point, which the network
(`godaemon.engine.network_dead_stones`) or playouts (`godaemon.engine.fallback`) estimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from godaemon.rules.board import Board
from godaemon.rules.inseparable_chains import chains_of
from godaemon.rules.points import Color, Point


class Reading(NamedTuple):
    """The dead stones, and the doubtful ones among the dead and the living."""

    dead: frozenset[Point]
    doubtful: frozenset[Point] = frozenset()


def read_by_chain(
    board: Board, opinions: Sequence[Sequence[float]], unsure: float = 0.0
) -> Reading:
    """The reading of some opinions on the owner of each point, from 1 (Black) to -1 (White).

    A chain is dead if its points are mostly the opponent's. It is doubtful if the opinions differ,
    or if its ownership in the first one is below `unsure`.
    """
    dead, doubtful = set[Point](), set[Point]()
    for color in Color:
        for chain in chains_of(board.cells, board.neighbours, color):
            ownership = [
                color * sum(owners[index] for index in chain) / len(chain) for owners in opinions
            ]
            stones = set(map(board.point, chain))
            if sum(ownership) < 0:
                dead |= stones
            if min(ownership) < 0 <= max(ownership) or abs(ownership[0]) < unsure:
                doubtful |= stones
    return Reading(frozenset(dead), frozenset(doubtful))
