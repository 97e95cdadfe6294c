"""Tree search with the network: each look adds a new position, and backs its worth up the tree.

Moves are selected by PUCT (C. D. Rosin, "Multi-armed Bandits with Episode Context", 2011): those
that did well so far, and those that the network expects but that were rarely looked at. The worth
is the chance of winning, with a little of the lead, so that a decided game is still played well.
Analysis shows the `Outlook`, from the view of the player to move.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import exp, sqrt, tanh
from typing import NamedTuple

from godaemon.engine.evaluation import evaluate, number_of, point_of
from godaemon.engine.levels import Limit
from godaemon.engine.network import Array, Evaluation, Network, np
from godaemon.errors import IllegalMove
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position

_EXPLORE = 0.6
_UNSEEN = 0.1
"""How much worse than its parent an unseen move is taken to be, once all good ones are seen."""
_LEAD_SHARE, _LEAD_SCALE = 0.1, 15.0
_LONGEST_LINE = 8


class MoveView(NamedTuple):
    """A move: its looks, its chance of winning, and the network's expectation.

    `lead` is in points, and so is `spread`, how far the final score usually is from it; `line` is
    the expected continuation, None for a pass.
    """

    looks: int
    won: float
    prior: float
    lead: float
    spread: float
    line: tuple[Point | None, ...]
    visits: tuple[int, ...]
    """The number of looks at each move of `line`."""
    owned: Sequence[float]
    """The owner of each point after the move, in the order of `Outlook.owned`."""


class Outlook(NamedTuple):
    """A position: its moves, the most looked at first, and the owners of points."""

    moves: Sequence[MoveView]
    owned: Sequence[float]
    """The owner of each point, row by row from the top left, from 1 (the player) to -1."""


class Node:
    """A position with `color` to move; moves are numbered as the points, the pass comes last."""

    def __init__(self, evaluation: Evaluation, color: Color, allowed: Array) -> None:
        self.evaluation, self.color = evaluation, color
        scaled = (1 + tanh(evaluation.lead / _LEAD_SCALE)) / 2
        self.worth = (1 - _LEAD_SHARE) * evaluation.won + _LEAD_SHARE * scaled
        """From 0 to 1."""
        if not allowed.any():
            allowed[-1] = 1  # a pass is always possible
        policy = np.where(allowed > 0, evaluation.policy, -np.inf)
        shares = np.exp(policy - policy.max())
        self.prior = shares / shares.sum()
        self.visits = np.zeros(len(shares), np.float32)
        self.total = np.zeros(len(shares), np.float32)
        self.kids: dict[int, Node] = {}

    def forbid(self, at: int) -> None:
        """Never look at a move again; a pass is left."""
        self.prior[at] = 0
        if not self.prior.any():
            self.prior[-1] = 1

    def best(self) -> int:
        """The move most often looked at, and of these the likeliest."""
        return int((self.visits + self.prior * 0.5).argmax())

    def worth_of(self, at: int) -> float:
        """The worth of a move so far, or its position's own if it was not looked at."""
        seen = float(self.visits[at])
        return float(self.total[at]) / seen if seen else self.worth

    def next(self) -> int:
        seen = self.visits > 0
        first = self.worth - _UNSEEN * sqrt(float(self.prior[seen].sum()))
        mean = np.where(seen, self.total / np.maximum(self.visits, 1), first)
        wish = _EXPLORE * sqrt(float(self.visits.sum()) + 1) * self.prior / (1 + self.visits)
        return int(np.where(self.prior > 0, mean + wish, -1.0).argmax())


class Search:
    """The tree of a position, which is not changed."""

    def __init__(
        self,
        network: Network,
        position: Position,
        color: Color,
        komi: float,
        turn: int = 0,
        limits: Sequence[Limit] = (),
    ) -> None:
        """`turn` is the orientation of the board for the network."""
        self._network, self.komi, self._turn = network, komi, turn
        self._position, self._begun = position.copy(), position.move_number
        self._limits = limits
        self._pass = position.size.points
        self.looks = 0
        self.root = self._node(color)

    def allow(self, moves: Collection[int]) -> None:
        """Allow these moves alone at the root, as far as the limits do; a pass if none is left."""
        allowed = self._allowed_mask(self.root.color) * self._mask_of(moves)
        self.root = Node(self.root.evaluation, self.root.color, allowed)

    def within_limits(self, moves: Collection[int]) -> set[int]:
        allowed = self._allowed_mask(self.root.color)
        return {at for at in moves if allowed[at]}

    def after(self, at: int) -> Node:
        if at not in self.root.kids:
            self._play(self.root.color, at)
            self.root.kids[at] = self._node(self.root.color.opponent)
            self._position.undo()
        return self.root.kids[at]

    def look(self, times: int = 1) -> None:
        self.looks += times
        for _ in range(times):
            self._visit(self.root)

    def evaluate(self, position: Position, color: Color, komi: float) -> Evaluation:
        return evaluate(self._network, position, color, komi, self._turn)

    def _visit(self, node: Node) -> float:
        """Look below a node; returns the worth for the node's player."""
        while True:
            at = node.next()
            try:
                self._play(node.color, at)
                break
            except IllegalMove:
                node.forbid(at)
        kid = node.kids.get(at)
        if at == self._pass and self._position.count_passes() >= self._position.ruleset.passes:
            found = 1 / (1 + exp(max(-30.0, min(30.0, -2 * node.evaluation.lead))))
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
        evaluation = self.evaluate(self._position, color, self.komi)
        return Node(evaluation, color, self._allowed_mask(color))

    def _allowed_mask(self, color: Color) -> Array:
        """1 for each empty point, and the pass, that the limits allow to a colour; 0 for others."""
        position, free = self._position, [not cell for cell in self._position.board.cells]
        allowed = np.array([*free, True], np.float32)
        for limit in self._limits:
            if limit.color is color and position.move_number - self._begun < limit.depth:
                there = filter(lambda one: one is None or position.size.has(one), limit.points)
                listed = self._mask_of([number_of(position, one) for one in there])
                allowed *= listed if limit.alone else 1 - listed
        return allowed

    def _mask_of(self, moves: Collection[int]) -> Array:
        found = np.zeros(self._pass + 1, np.float32)
        found[list(moves)] = 1
        return found

    def expected_line(self, at: int, longest: int = _LONGEST_LINE) -> tuple[Point | None, ...]:
        """A move of the root and the moves expected after it; None is a pass."""
        return tuple(point_of(self._position, each) for each, _ in self._visited_line(at, longest))

    def _visited_line(self, at: int, longest: int = _LONGEST_LINE) -> list[tuple[int, int]]:
        """The numbers of the moves of `expected_line`, and how often each was looked at."""
        found, node = [(at, int(self.root.visits[at]))], self.root.kids.get(at)
        while node is not None and node.visits.any() and len(found) < longest:
            at = node.best()
            found.append((at, int(node.visits[at])))
            node = node.kids.get(at)
        return found

    def outlook(self, fewest: int = 0) -> Outlook:
        """The present state of the search, with at least `fewest` moves if as many are allowed."""
        root = self.root
        found = root.visits.nonzero()[0].tolist()
        found.sort(key=lambda at: (-root.visits[at], -root.worth_of(at)))
        others = ((root.prior > 0) & (root.visits == 0)).nonzero()[0].tolist()
        others.sort(key=lambda at: -root.prior[at])
        moves = [self._view(at) for at in (*found, *others[: max(0, fewest - len(found))])]
        return Outlook(moves, self._from_top(root.evaluation.owned))

    def _view(self, at: int) -> MoveView:
        root, kid = self.root, self.root.kids.get(at)
        evaluation, sign = (kid.evaluation, -1) if kid else (root.evaluation, 1)
        looks = tuple(visits for _, visits in self._visited_line(at))
        return MoveView(
            looks[0],
            root.worth_of(at),
            float(root.prior[at]),
            sign * evaluation.lead,
            evaluation.spread,
            self.expected_line(at),
            looks,
            self._from_top(sign * evaluation.owned),
        )

    def owner_spread(self) -> Sequence[float]:
        """How much the owners differ between the positions of the tree: standard deviations."""
        nodes = [self.root]
        for node in nodes:
            nodes += node.kids.values()
        signs = [1.0 if node.color is self.root.color else -1.0 for node in nodes]
        owned = [node.evaluation.owned * sign for node, sign in zip(nodes, signs, strict=True)]
        return self._from_top(np.std(owned, axis=0))

    def _from_top(self, owned: Array) -> Sequence[float]:
        rows: Array = owned.reshape(-1, self._position.size.width)[::-1]
        return rows.ravel().tolist()
