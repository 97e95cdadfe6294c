"""The network's opinion on a position: the one way from the rules to the network and back.

Loads numpy, and so is imported by the player's process alone. Boards have two sides of 7 to 19
points, as the network's games had; on others its opinion is worth nothing (`can_judge`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle

from godaemon.engine.estimate import ScoreEstimate
from godaemon.engine.inputs import inputs
from godaemon.engine.matrices import AnyArray, np
from godaemon.engine.network import Evaluation, Network
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Position
from godaemon.rules.ruleset import Ko, Scoring

_SIDES = range(7, 20)


def can_judge(size: Size) -> bool:
    """True for boards of which the network knows something."""
    return size.width in _SIDES and size.height in _SIDES


def evaluate(
    network: Network, position: Position, color: Color, komi: float, turn: int = 0
) -> Evaluation:
    """What the network makes of a position with `color` to move, points in the board's order.

    `komi` is White's, without compensation for handicap stones. `turn` is one of the eight ways to
    lay the board before it: over by rows (1), by columns (2), rows for columns (4), or a sum of
    these; each has slightly other answers.
    """
    ruleset = position.ruleset
    unresolved = ruleset.ko is Ko.SIMPLE or ruleset.scoring is Scoring.TERRITORY
    planes, numbers = inputs(position, color, komi)
    said = network.evaluate(_turned(planes, turn), numbers, unresolved=unresolved)
    size = position.size
    points = np.arange(size.points).reshape(size.height, size.width)
    order = np.argsort(_turned(points, turn).ravel())
    policy = np.append(said.policy[:-1][order], said.policy[-1])
    return said._replace(policy=policy, owned=said.owned[order])


def _turned(table: AnyArray, turn: int) -> AnyArray:
    table = table[:: -1 if turn & 1 else 1, :: -1 if turn & 2 else 1]
    return table.swapaxes(0, 1) if turn & 4 else table


TURNS = range(8)


def expected(position: Position, color: Color, said: Evaluation) -> Iterator[Point | None]:
    """The legal moves as the network expects them, the likeliest first; None is a pass."""
    for at in said.policy.argsort()[::-1].tolist():
        if at == position.size.points:
            yield None
        elif position.is_legal(color, point := position.board.point(at)):
            yield point


def ownership(network: Network, position: Position, komi: float | None = None) -> list[float]:
    """For each point, in the board's order, from 1 where it will be Black's to -1 for White's.

    The mean of what is expected with the board laid in all ways, and either to move by turns;
    rules and prisoners are the position's.
    """
    if komi is None:
        komi = position.ruleset.komi_for(position.size, position.handicap_count)
    said = [
        evaluate(network, position, color, komi, turn).owned * color
        for turn, color in zip(TURNS, cycle(Color), strict=False)
    ]
    mean: list[float] = np.mean(said, axis=0).tolist()
    return mean


def estimate(network: Network, position: Position, color: Color, komi: float) -> ScoreEstimate:
    """How a position stands with `color` to move: the mean with the board laid in all ways."""
    said = [evaluate(network, position, color, komi, turn) for turn in TURNS]
    owned: list[float] = np.mean([one.owned for one in said], axis=0).tolist()
    return ScoreEstimate(
        color * float(np.mean([one.lead for one in said])),
        float(np.mean([one.spread for one in said])),
        [color * own for own in owned],
    )
