"""Monte-Carlo tree search on one position: games played out where the tree finds them best. Pure.

Positions inside the tree know no superko; the root's moves are given by who asks. A search ends
when it is told to; between two games it can always be asked what it has found.
"""

from __future__ import annotations

import random
from operator import add

from godaemon.engine.arena import NOWHERE, Arena
from godaemon.engine.playouts import Policy
from godaemon.engine.tree import Node, Priors

_EXPAND = 4
"""So many games after a move there is a node for the position it leads to."""

_READING = 40
"""Moves that reading may take for one question inside the tree; more at its root."""
_ROOT_READING = 150

_MARGIN = 0.06
"""The share of a result that is by how much; the rest is who wins."""


class Search:
    """The search of one position, on which `color` moves after a move at `last`.

    Black wins where his area is larger than White's by more than `target` points; a game counts as
    won where it is by more than `aim` points on top of that. `root` is what an earlier search knows
    of this position.
    """

    def __init__(
        self,
        arena: Arena,
        color: int,
        last: int,
        *,
        target: float,
        aim: float = 0.0,
        rng: random.Random,
        root: Node | None = None,
    ) -> None:
        self._arena, self._color, self._last = arena, color, last
        self._start = arena.save()
        self._target, self._aim = target, aim
        self._policy = Policy(arena, rng)
        priors = Priors(arena, color, last, budget=_ROOT_READING, wide=True)
        self.root = root or Node(color, priors)
        self.root.rethink(priors)
        self.games = 0
        """Games played out by this search."""
        self._won, self._margins = 0.0, 0.0
        self._owned = [0] * arena.points

    def owned(self) -> list[float]:
        """How surely each point ended as Black's (1.0) or White's (-1.0)."""
        return [owned / max(self.games, 1) for owned in self._owned]

    def lead(self) -> float:
        """By how much Black exceeded the target on average."""
        return self._margins / max(self.games, 1)

    def won(self) -> float:
        """The share of games that `color` won in truth, whatever was aimed at."""
        share = self._won / max(self.games, 1)
        return share if self._color > 0 else 1 - share

    def game(self, forced: int | None = None) -> float:
        """One more game, begun with the move at a place of the root where that is given.

        By how much Black's area exceeded the target at its end.
        """
        arena = self._arena
        arena.restore(self._start)
        path, color, last = self._descend(forced)
        first = [0] * (arena.points + 1)  # the last one is for the pass, `NOWHERE`
        self._policy.run(color, last, first)
        owners = arena.owners()
        self._owned = list(map(add, self._owned, owners))
        margin = sum(owners) - self._target
        self._margins += margin
        self._won += _won(margin)
        result = self._worth(margin - self._aim)
        for node, at in reversed(path):
            if node.moves[at] != NOWHERE:
                first[node.moves[at]] = node.color
            node.learn(at, result, first)
        self.games += 1
        return margin

    def _descend(self, forced: int | None) -> tuple[list[tuple[Node, int]], int, int]:
        """Play the moves the tree finds best; who is to move at its end, and the last move."""
        arena, path = self._arena, list[tuple[Node, int]]()
        node: Node | None = self.root
        color, last, passed = self._color, self._last, 0
        while node is not None and passed < 2:
            at = node.best() if forced is None or path else forced
            path.append((node, at))
            last = node.moves[at]
            if last == NOWHERE:
                arena.ko = NOWHERE
                passed += 1
            else:
                arena.play(last, color)
                passed = 0
            color = -color
            kid = node.kids[at]
            if kid is None and node.tried(at) >= _EXPAND:
                priors = Priors(arena, color, last, budget=_READING, wide=False)
                kid = node.kids[at] = Node(color, priors)
            node = kid
        return path, color, last

    def _worth(self, margin: float) -> float:
        """What a margin is worth to Black, from 0 to 1."""
        share = min(max(margin / self._arena.points, -1), 1)
        return (1 - _MARGIN) * _won(margin) + _MARGIN * (share + 1) / 2


def _won(margin: float) -> float:
    return (margin > 0) + (margin == 0) / 2
