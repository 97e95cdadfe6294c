"""What many games played out from one position come to, point by point. Pure.

They are counted by area; no suicide is played, and a single stone may not retake a ko at once.
"""

from __future__ import annotations

import random
from operator import add
from typing import NamedTuple

from godaemon.engine.arena import NOWHERE, Arena
from godaemon.engine.playout_policy import Policy
from godaemon.rules.board import Board
from godaemon.rules.points import Color


class Survey(NamedTuple):
    """What the playouts of one position came to, point by point."""

    owned: list[float]
    """How surely each point ends as black's (1.0) or white's (-1.0)."""
    gain: list[float]
    """How many points better than the average end the games in which `to_move` is first there."""


_DOUBT = 8
"""Games without news that the gain of a point starts from."""


def survey(board: Board, to_move: Color, playouts: int, rng: random.Random) -> Survey:
    """Play a position out that many times, each side beginning half of the games.

    The gain is the "all moves as first" heuristic (Bruegmann 1993), drawn towards 0 where only
    a few games back it.
    """
    arena = Arena(board)
    start, policy, mover = arena.save(), Policy(arena, rng), int(to_move)
    sums, total = [0] * arena.points, 0
    with_first, games_first = [0] * arena.points, [0] * arena.points
    for number in range(playouts):
        arena.restore(start)
        first = [0] * arena.points
        policy.run(mover if number % 2 == 0 else -mover, NOWHERE, first)
        owners = arena.owners()
        score = sum(owners)
        sums = list(map(add, sums, owners))
        total += score
        for index, color in enumerate(first):
            if color == mover:
                with_first[index] += score
                games_first[index] += 1
    mean = total / playouts
    gain = [
        mover * (scored - games * mean) / (games + _DOUBT)
        for scored, games in zip(with_first, games_first, strict=True)
    ]
    return Survey([each / playouts for each in sums], gain)
