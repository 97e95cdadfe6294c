"""A search by the network: each look goes down the tree to a new position, and back with its worth.

Down it goes by PUCT (C. D. Rosin, "Multi-armed Bandits with Episode Context", 2011): where it went
well so far, and where the network expects a good move and few looks have been. A worth is the
chance of winning, with a little of the lead, so that a game is not played out anyhow once decided.
"""

from __future__ import annotations

from collections.abc import Collection
from math import exp, sqrt, tanh

from godaemon.engine.matrices import Array, np
from godaemon.engine.network import Evaluation, Network
from godaemon.engine.opinion import evaluate
from godaemon.errors import IllegalMove
from godaemon.rules.points import Color
from godaemon.rules.position import Position

_EXPLORE = 0.6
_UNSEEN = 0.1
"""So much worse than its parent an unseen move is taken for once all good ones are seen."""
_LEAD_SHARE, _LEAD_SCALE = 0.1, 15.0


class Node:
    """One position, with `color` to move; moves are numbered as the points, the pass comes last."""

    def __init__(self, said: Evaluation, color: Color, allowed: Array) -> None:
        self.said, self.color = said, color
        self.worth = worth(said.won, said.lead)
        shares = np.exp(said.policy - said.policy.max()) * allowed
        self.prior = shares / max(float(shares.sum()), 1e-30)
        self.visits = np.zeros(len(shares), np.float32)
        self.total = np.zeros(len(shares), np.float32)
        self.kids: dict[int, Node] = {}

    def best(self) -> int:
        """The move most often looked at, and of these the likeliest."""
        return int((self.visits + self.prior * 0.5).argmax())

    def worth_of(self, at: int) -> float:
        """The worth of a move so far; its position's own before it was looked at."""
        seen = float(self.visits[at])
        return float(self.total[at]) / seen if seen else self.worth

    def next(self) -> int:
        """The move to look at now."""
        seen = self.visits > 0
        first = self.worth - _UNSEEN * sqrt(float(self.prior[seen].sum()))
        mean = np.where(seen, self.total / np.maximum(self.visits, 1), first)
        wish = _EXPLORE * sqrt(float(self.visits.sum()) + 1) * self.prior / (1 + self.visits)
        return int(np.where(self.prior > 0, mean + wish, -1.0).argmax())


def worth(won: float, lead: float) -> float:
    """The worth of a position, from 0 to 1."""
    return (1 - _LEAD_SHARE) * won + _LEAD_SHARE * (1 + tanh(lead / _LEAD_SCALE)) / 2


class Search:
    """The tree of one position, which is left as it is."""

    def __init__(
        self, network: Network, position: Position, color: Color, komi: float, turn: int = 0
    ) -> None:
        """`turn` says which way round the network looks at boards."""
        self._network, self.komi, self._turn = network, komi, turn
        self._position = position.copy()
        self._pass = position.size.points
        self.looks = 0
        self.root = self._node(color)

    def allow(self, moves: Collection[int]) -> None:
        """Let these moves alone be looked at first; at least one."""
        allowed = np.zeros(self._pass + 1, np.float32)
        allowed[list(moves)] = 1
        self.root = Node(self.root.said, self.root.color, allowed)

    def after(self, at: int) -> Node:
        """The position after a move of the root."""
        if at not in self.root.kids:
            self._play(self.root.color, at)
            self.root.kids[at] = self._node(self.root.color.opponent)
            self._position.undo()
        return self.root.kids[at]

    def _over(self) -> bool:
        return self._position.passes() >= self._position.ruleset.passes

    def look(self) -> None:
        """Look at one more position."""
        self.looks += 1
        self._visit(self.root)

    def evaluate(self, position: Position, color: Color, komi: float) -> Evaluation:
        """What the network makes of any position."""
        return evaluate(self._network, position, color, komi, self._turn)

    def _visit(self, node: Node) -> float:
        """Look below a node; what it came to, as the node's player sees it."""
        while True:
            at = node.next()
            try:
                self._play(node.color, at)
                break
            except IllegalMove:
                node.prior[at] = 0
        kid = node.kids.get(at)
        if at == self._pass and self._over():
            found = 1 / (1 + exp(max(-30.0, min(30.0, -2 * node.said.lead))))
        elif kid is None:
            kid = node.kids[at] = self._node(node.color.opponent)
            found = 1 - kid.worth
        else:
            found = 1 - (self._visit(kid) if kid.visits.any() or node.visits[at] else kid.worth)
        self._position.undo()
        node.visits[at] += 1
        node.total[at] += found
        return found

    def _play(self, color: Color, at: int) -> None:
        point = None if at == self._pass else self._position.board.point(at)
        self._position.play_all([(color, point)])

    def _node(self, color: Color) -> Node:
        free = [not cell for cell in self._position.board.cells]
        said = self.evaluate(self._position, color, self.komi)
        return Node(said, color, np.array([*free, True], np.float32))

    def line(self, at: int, longest: int) -> list[int]:
        """The moves that are expected from a move of the root on."""
        found, node = [at], self.root.kids.get(at)
        while node is not None and node.visits.any() and len(found) < longest:
            found.append(node.best())
            node = node.kids.get(found[-1])
        return found
