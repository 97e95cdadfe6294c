"""The dead stones at the end of a game, as the network sees them, and those it is not sure of.

The network is asked three times: about the board as it stands, and about the boards after the moves
that it expects next, with either side to begin. `godaemon.engine.fallback` reads boards of other
sizes. Loads numpy, so only the player's process imports this module.

Measured: of the 57 boards in GNU Go's tests of scoring, 54 are counted right (47 without the
expected moves); the other three are reported as doubtful, and so are nine more. Of 164 finished
games between programs, checked by hand, 163 are read right; the other one is doubtful, and so are
five more. A 19x19 board takes a fifth of a second, or half a second with many moves to play out.
"""

from __future__ import annotations

from godaemon.engine import fallback
from godaemon.engine.dead_stones_reading import Reading, read_by_chain
from godaemon.engine.evaluation import estimate, evaluate, likely_moves
from godaemon.engine.levels import can_judge
from godaemon.engine.network import Array, Network, np
from godaemon.rules.inseparable_chains import chains_of
from godaemon.rules.points import Color
from godaemon.rules.position import Position

_MOVES = 30
"""The most expected moves that are played out."""
_SETTLED = 0.97
"""The ownership of all chains, up to 1, from which no more moves are needed."""
_UNSURE = 0.3
"""The ownership below which the network can hardly tell a chain's owner."""


def read_dead_stones(network: Network, position: Position) -> Reading:
    """The stones to be taken off; always the same for a position and its last moves."""
    if not can_judge(position.size):
        return fallback.read_dead_stones(position)
    komi = position.ruleset.komi_for(position.size, position.handicap_count)
    opinions = [estimate(network, position, komi).owned]
    opinions += [_play_on(network, position, color) for color in Color]
    return read_by_chain(position.board, opinions, _UNSURE)


def _play_on(network: Network, position: Position, color: Color) -> list[float]:
    """The owner of each point after some more moves that `color` begins: 1 Black, -1 White.

    Komi makes up for the lead, so that either side needs each point. The mean of the last two
    positions is taken, since each favours the player to move.
    """
    twin, board, passes = position.copy(), position.board, 0
    chains = [list(each) for own in Color for each in chains_of(board.cells, board.neighbours, own)]
    komi = evaluate(network, twin, color, 0.0).lead * color
    seen: list[Array] = []
    while passes < 2 and len(seen) <= _MOVES:
        evaluation = evaluate(network, twin, color, komi)
        seen.append(evaluation.owned * color)
        if all(abs(evaluation.owned[chain].mean()) >= _SETTLED for chain in chains):
            break
        point = next(likely_moves(twin, color, evaluation))
        twin.play_all([(color, point)])
        passes = passes + 1 if point is None else 0
        color = color.opponent
    mean: list[float] = np.mean(seen[-2:], axis=0).tolist()
    return mean
