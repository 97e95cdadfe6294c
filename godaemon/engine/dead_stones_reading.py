"""A reading of a finished board: the dead stones and the doubtful ones.

It is computed chain by chain from the owner of each point, which the network
(`godaemon.engine.network_dead_stones`) or playouts (`godaemon.engine.fallback`) estimate.
"""

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
    or if its ownership in the first one is below `unsure`. Without a living stone of the opponent
    no stone of a colour is dead or doubtful.
    """
    dead = set[Point]()
    doubtful = set[Point]()
    living = set[Color]()
    for color in Color:
        for chain in chains_of(board.cells, board.neighbours, color):
            ownership = [
                color * sum(owners[index] for index in chain) / len(chain) for owners in opinions
            ]
            stones = set(map(board.point, chain))
            if sum(ownership) < 0:
                dead |= stones
            else:
                living.add(color)
            if min(ownership) < 0 <= max(ownership) or abs(ownership[0]) < unsure:
                doubtful |= stones
    opposed = {board.point(index) for color in living for index in board.stones(color.opponent)}
    return Reading(frozenset(dead & opposed), frozenset(doubtful & opposed))
