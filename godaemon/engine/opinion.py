"""The network's opinion on a position: the one way from the rules to the network and back.

Loads numpy, and so is imported by the player's process alone. Boards have two sides of 7 to 19
points, as the network's games had; on others its opinion is worth nothing (`can_judge`).
"""

from __future__ import annotations

from godaemon.engine.inputs import inputs
from godaemon.engine.network import Evaluation, Network
from godaemon.engine.network_file import load
from godaemon.rules.points import Color, Size
from godaemon.rules.position import Position
from godaemon.rules.ruleset import Ko, Scoring

_SIDES = range(7, 20)


def can_judge(size: Size) -> bool:
    """True for boards of which the network knows something."""
    return size.width in _SIDES and size.height in _SIDES


def evaluate(network: Network, position: Position, color: Color, komi: float) -> Evaluation:
    """What the network makes of a position with `color` to move, points in the board's order.

    `komi` is White's, without compensation for handicap stones.
    """
    ruleset = position.ruleset
    unresolved = ruleset.ko is Ko.SIMPLE or ruleset.scoring is Scoring.TERRITORY
    return network.evaluate(*inputs(position, color, komi), unresolved=unresolved)


def ownership(
    position: Position, komi: float | None = None, network: Network | None = None
) -> tuple[float, ...]:
    """For each point, in the board's order, from 1 where it will be Black's to -1 for White's.

    The mean of what is expected with either to move; rules and prisoners are the position's.
    """
    if komi is None:
        komi = position.ruleset.komi_for(position.size, len(position.handicap))
    network = network or load()
    black, white = (evaluate(network, position, color, komi).owned for color in Color)
    means = (black - white) / 2
    return tuple(means.tolist())
