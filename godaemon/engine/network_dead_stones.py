"""The dead and doubtful stones at the end of a game, found by the network.

The network gives three opinions: on the current board, and on the boards after the moves that it
expects, with either side to begin. `godaemon.engine.fallback` reads boards of other sizes. Loads
numpy, so only the player's process imports this module.

Measured: of the 57 boards in GNU Go's scoring tests, 54 are counted correctly (47 without the
expected moves); the other three are reported as doubtful, and so are nine more. Of 164 finished
games between programs, checked by hand, 163 are read correctly; the other one is reported as
doubtful, and so are five more. A 19x19 board takes 0.2 seconds, or 0.5 with many moves to play.
"""

from godaemon.engine import fallback
from godaemon.engine.dead_stones_reading import Reading, read_by_chain
from godaemon.engine.evaluation import estimate, evaluate, likely_moves
from godaemon.engine.levels import is_network_size
from godaemon.engine.network import Array, Network, np
from godaemon.rules.inseparable_chains import chains_of
from godaemon.rules.points import Color
from godaemon.rules.position import Position

_MAX_MOVES = 30
"""The limit on expected moves that are played."""
_SETTLED = 0.97
"""The ownership, up to 1, of settled chains; no more moves are played if all are settled."""
_UNSURE = 0.3
"""The ownership below which a chain is doubtful."""


def read_dead_stones(network: Network, position: Position) -> Reading:
    """The dead and doubtful stones; always the same for a position and its last moves."""
    if not is_network_size(position.size):
        return fallback.read_dead_stones(position)
    komi = position.ruleset.komi_for(position.size, position.handicap_count)
    opinions = [estimate(network, position, komi).owners]
    opinions += [_play_on(network, position, color) for color in Color]
    return read_by_chain(position.board, opinions, _UNSURE)


def _play_on(network: Network, position: Position, color: Color) -> list[float]:
    """The owner of each point after the expected moves, `color` first: 1 Black, -1 White.

    Komi makes up for the lead, so that both sides need every point. The result is the mean of the
    last two positions, because the opinion on each favours the player to move.
    """
    twin = position.copy()
    board = position.board
    passes = 0
    near = board.neighbours
    chains = [list(chain) for side in Color for chain in chains_of(board.cells, near, side)]
    komi = evaluate(network, twin, color, 0.0).lead * color
    owners: list[Array] = []
    while passes < 2 and len(owners) <= _MAX_MOVES:
        evaluation = evaluate(network, twin, color, komi)
        owners.append(evaluation.owners * color)
        if all(abs(evaluation.owners[chain].mean()) >= _SETTLED for chain in chains):
            break
        point = next(likely_moves(twin, color, evaluation))
        twin.play_all([(color, point)])
        passes = passes + 1 if point is None else 0
        color = color.opponent
    mean: list[float] = np.mean(owners[-2:], axis=0).tolist()
    return mean
