"""Tree search with the network: each visit adds a position, and updates the worth of its ancestors.

Moves are selected by PUCT (C. D. Rosin, "Multi-armed Bandits with Episode Context", 2011): moves
with a high worth so far, and likely moves with few visits. The worth is the chance of winning, with
a small share of the lead, so that a decided game is still played well. Analysis shows the
`SearchReport`, from the view of the player to move.
"""

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
_UNVISITED_PENALTY = 0.1
"""The difference in worth between a node and a move without visits, once all others have some."""
_LEAD_SHARE, _LEAD_SCALE = 0.1, 15.0
_MAX_LINE = 8


class MoveView(NamedTuple):
    """A move: its visits, its worth, and its likelihood by the network.

    `lead` and `spread` (the usual error of the lead) are in points; `line` is the move and its
    expected continuation, with None for a pass.
    """

    visits: int
    winrate: float
    prior: float
    lead: float
    spread: float
    line: tuple[Point | None, ...]
    line_visits: tuple[int, ...]
    """The visits of each move of `line`."""
    owners: Sequence[float]
    """The owner of each point after the move, in the order of `SearchReport.owners`."""


class SearchReport(NamedTuple):
    """The state of a search: the moves, the most visited first, and the owner of each point."""

    moves: Sequence[MoveView]
    owners: Sequence[float]
    """The owner of each point, row by row from the top left, from 1 (the player) to -1."""


class Node:
    """A position with `color` to move; moves have the index of their point, the pass comes last."""

    def __init__(self, evaluation: Evaluation, color: Color, allowed: Array) -> None:
        self.evaluation, self.color = evaluation, color
        scaled = (1 + tanh(evaluation.lead / _LEAD_SCALE)) / 2
        self.worth = (1 - _LEAD_SHARE) * evaluation.winrate + _LEAD_SHARE * scaled
        """The worth for the player to move, from 0 to 1."""
        if not allowed.any():
            allowed[-1] = 1  # a pass is always possible
        policy = np.where(allowed > 0, evaluation.policy, -np.inf)
        shares = np.exp(policy - policy.max())
        self.prior = shares / shares.sum()
        self.visits = np.zeros(len(shares), np.float32)
        self.total = np.zeros(len(shares), np.float32)
        self.children: dict[int, Node] = {}

    def forbid(self, move: int) -> None:
        """Exclude a move; if none is left, allow a pass."""
        self.prior[move] = 0
        if not self.prior.any():
            self.prior[-1] = 1

    def best_move(self) -> int:
        """The move with the most visits, and of these the likeliest."""
        return int((self.visits + self.prior * 0.5).argmax())

    def worth_of(self, move: int) -> float:
        """The worth of a move so far, or of this node if the move has no visits."""
        visits = float(self.visits[move])
        return float(self.total[move]) / visits if visits else self.worth

    def next_move(self) -> int:
        visited = self.visits > 0
        unvisited = self.worth - _UNVISITED_PENALTY * sqrt(float(self.prior[visited].sum()))
        mean = np.where(visited, self.total / np.maximum(self.visits, 1), unvisited)
        bonus = _EXPLORE * sqrt(float(self.visits.sum()) + 1) * self.prior / (1 + self.visits)
        return int(np.where(self.prior > 0, mean + bonus, -1.0).argmax())


class Search:
    """A search from a position, which is not changed."""

    def __init__(
        self,
        network: Network,
        position: Position,
        color: Color,
        komi: float,
        turn: int = 0,
        limits: Sequence[Limit] = (),
    ) -> None:
        """`turn` is the orientation of the board for the network (`evaluate`)."""
        self._network, self.komi, self._turn = network, komi, turn
        self._position, self._begun = position.copy(), position.move_number
        self._limits = limits
        self._pass = position.size.points
        self.visits = 0
        self.root = self._node(color)

    def allow(self, moves: Collection[int]) -> None:
        """Allow only some moves at the root, within the limits; if none is left, allow a pass."""
        allowed = self._allowed_mask(self.root.color) * self._mask_of(moves)
        self.root = Node(self.root.evaluation, self.root.color, allowed)

    def within_limits(self, moves: Collection[int]) -> set[int]:
        allowed = self._allowed_mask(self.root.color)
        return {move for move in moves if allowed[move]}

    def after(self, move: int) -> Node:
        if move not in self.root.children:
            self._play(self.root.color, move)
            self.root.children[move] = self._node(self.root.color.opponent)
            self._position.undo()
        return self.root.children[move]

    def visit(self, times: int = 1) -> None:
        self.visits += times
        for _ in range(times):
            self._visit(self.root)

    def evaluate(self, position: Position, color: Color, komi: float) -> Evaluation:
        return evaluate(self._network, position, color, komi, self._turn)

    def _visit(self, node: Node) -> float:
        """Add one visit below a node; returns its worth for the player to move at the node."""
        while True:
            move = node.next_move()
            try:
                self._play(node.color, move)
                break
            except IllegalMove:
                node.forbid(move)
        child = node.children.get(move)
        if move == self._pass and self._position.count_passes() >= self._position.ruleset.passes:
            worth = 1 / (1 + exp(max(-30.0, min(30.0, -2 * node.evaluation.lead))))
        elif child is None:
            child = node.children[move] = self._node(node.color.opponent)
            worth = 1 - child.worth
        else:
            is_explored = child.visits.any() or node.visits[move]
            worth = 1 - (self._visit(child) if is_explored else child.worth)
        self._position.undo()
        node.visits[move] += 1
        node.total[move] += worth
        return worth

    def _play(self, color: Color, move: int) -> None:
        self._position.play_all([(color, point_of(self._position, move))])

    def _node(self, color: Color) -> Node:
        evaluation = self.evaluate(self._position, color, self.komi)
        return Node(evaluation, color, self._allowed_mask(color))

    def _allowed_mask(self, color: Color) -> Array:
        """1 for each empty point, and the pass, that the limits allow to a colour; else 0."""
        position, empty = self._position, [not cell for cell in self._position.board.cells]
        allowed = np.array([*empty, True], np.float32)
        for limit in self._limits:
            if limit.color is color and position.move_number - self._begun < limit.depth:
                listed = self._mask_of([number_of(position, point) for point in limit.points])
                allowed *= listed if limit.alone else 1 - listed
        return allowed

    def _mask_of(self, moves: Collection[int]) -> Array:
        mask = np.zeros(self._pass + 1, np.float32)
        mask[list(moves)] = 1
        return mask

    def expected_line(self, move: int) -> list[tuple[Point | None, int]]:
        """A move of the root, and the moves expected after it, each with its visits."""
        line, node = list[tuple[Point | None, int]](), self.root
        while len(line) < _MAX_LINE:
            line.append((point_of(self._position, move), int(node.visits[move])))
            if move not in node.children or not node.children[move].visits.any():
                break
            node = node.children[move]
            move = node.best_move()
        return line

    def report(self, fewest: int = 0) -> SearchReport:
        """The present state of the search, with at least `fewest` moves if the limits allow."""
        root = self.root
        visited = root.visits.nonzero()[0].tolist()
        visited.sort(key=lambda move: (-root.visits[move], -root.worth_of(move)))
        unvisited = ((root.prior > 0) & (root.visits == 0)).nonzero()[0].tolist()
        unvisited.sort(key=lambda move: -root.prior[move])
        moves = [
            self._view(move) for move in (*visited, *unvisited[: max(0, fewest - len(visited))])
        ]
        return SearchReport(moves, self._from_top(root.evaluation.owners))

    def _view(self, move: int) -> MoveView:
        root, child = self.root, self.root.children.get(move)
        evaluation, sign = (child.evaluation, -1) if child else (root.evaluation, 1)
        line, visits = zip(*self.expected_line(move), strict=True)
        return MoveView(
            visits[0],
            root.worth_of(move),
            float(root.prior[move]),
            sign * evaluation.lead,
            evaluation.spread,
            line,
            visits,
            self._from_top(sign * evaluation.owners),
        )

    def owner_spread(self) -> Sequence[float]:
        """The standard deviation of each point's owner over the positions of the tree."""
        nodes = [self.root]
        for node in nodes:
            nodes += node.children.values()
        signs = [1.0 if node.color is self.root.color else -1.0 for node in nodes]
        owners = [node.evaluation.owners * sign for node, sign in zip(nodes, signs, strict=True)]
        return self._from_top(np.std(owners, axis=0))

    def _from_top(self, owners: Array) -> Sequence[float]:
        rows: Array = owners.reshape(-1, self._position.size.width)[::-1]
        return rows.ravel().tolist()
