"""A search by the network: each look goes down the tree to a new position, and back with its worth.

Down it goes by PUCT (C. D. Rosin, "Multi-armed Bandits with Episode Context", 2011): where it went
well so far, and where the network expects a good move and few looks have been. A worth is the
chance of winning, with a little of the lead, so that a game is not played out anyhow once decided.
Who watches it think is shown its `Outlook`, as the player to move sees it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import exp, sqrt, tanh
from typing import NamedTuple

from godaemon.engine.network import Array, Evaluation, Network, np
from godaemon.engine.opinion import evaluate, point_of
from godaemon.errors import IllegalMove
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position

_EXPLORE = 0.6
_UNSEEN = 0.1
"""So much worse than its parent an unseen move is taken for once all good ones are seen."""
_LEAD_SHARE, _LEAD_SCALE = 0.1, 15.0
_LONGEST_LINE = 8


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
    """A position: the moves, the one most looked at first, and who owns what."""

    moves: Sequence[MoveView]
    owned: Sequence[float]
    """For each point, row by row from the top left, 1 is the player's own and -1 the other's."""


class Node:
    """One position, with `color` to move; moves are numbered as the points, the pass comes last."""

    def __init__(self, said: Evaluation, color: Color, allowed: Array) -> None:
        self.said, self.color = said, color
        scaled = (1 + tanh(said.lead / _LEAD_SCALE)) / 2
        self.worth = (1 - _LEAD_SHARE) * said.won + _LEAD_SHARE * scaled
        """From 0 to 1."""
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

    def look(self, times: int = 1) -> None:
        """Look at so many more positions."""
        self.looks += times
        for _ in range(times):
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
        if at == self._pass and self._position.passes() >= self._position.ruleset.passes:
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
        self._position.play_all([(color, point_of(self._position, at))])

    def _node(self, color: Color) -> Node:
        free = [not cell for cell in self._position.board.cells]
        said = self.evaluate(self._position, color, self.komi)
        return Node(said, color, np.array([*free, True], np.float32))

    def line(self, at: int, longest: int = _LONGEST_LINE) -> tuple[Point | None, ...]:
        """The moves that are expected from a move of the root on; None is a pass."""
        found, node = [at], self.root.kids.get(at)
        while node is not None and node.visits.any() and len(found) < longest:
            found.append(node.best())
            node = node.kids.get(found[-1])
        return tuple(point_of(self._position, each) for each in found)

    def outlook(self) -> Outlook:
        """What has been found out so far."""
        root = self.root
        seen = sorted(
            root.visits.nonzero()[0].tolist(),
            key=lambda at: (-root.visits[at], -root.worth_of(at)),
        )
        moves = [
            MoveView(
                round(float(root.visits[at])),
                root.worth_of(at),
                float(root.prior[at]),
                -root.kids[at].said.lead if at in root.kids else root.said.lead,
                self.line(at),
            )
            for at in seen
        ]
        rows = root.said.owned.reshape(-1, self._position.size.width)[::-1]
        return Outlook(moves, rows.ravel().tolist())
