"""The dead stones at the end of a game, as the network sees them, and those it is not sure of.

It is asked three times: as the board stands, and where the game goes on from there for some moves
as the network expects them, either side beginning. Boards that it does not know are read by
`godaemon.engine.fallback`. Loads numpy, and so is imported by the player's process alone.

Measured: of the 57 boards on which GNU Go's scoring is tested 54 are counted right, as the board
stands alone 47; the other three are asked about, and nine more. Of 164 finished games between
programs, looked at by hand, 163 are read right, and the other is asked about; so are five more. A
board of 19x19 takes a fifth of a second, and half of one where there is much to play out.
"""

from __future__ import annotations

from godaemon.engine import fallback
from godaemon.engine.network import Array, Network, np
from godaemon.engine.opinion import can_judge, estimate, evaluate, expected
from godaemon.engine.reading import Reading, by_chain
from godaemon.rules.inseparable_chains import chains_of
from godaemon.rules.points import Color
from godaemon.rules.position import Position

_MOVES = 30
"""The most moves that are played on."""
_SETTLED = 0.97
"""The ownership of all chains, up to 1, from which no more moves are needed."""
_UNSURE = 0.3
"""The ownership below which the network can hardly tell a chain's owner."""


def read(network: Network, position: Position) -> Reading:
    """The stones to be taken off; always the same for a position and its last moves."""
    if not can_judge(position.size):
        return fallback.read(position)
    komi = position.ruleset.komi_for(position.size, position.handicap_count)
    opinions = [estimate(network, position, komi).owned]
    opinions += [_played_on(network, position, color) for color in Color]
    return by_chain(position.board, opinions, _UNSURE)


def _played_on(network: Network, position: Position, color: Color) -> list[float]:
    """The owner of each point after some more moves that `color` begins: 1 Black, -1 White.

    Komi makes up for the lead, so that either side needs each point. The mean of the last two
    positions is taken, since each favours the player to move.
    """
    twin, board, passes = position.copy(), position.board, 0
    chains = [list(each) for own in Color for each in chains_of(board.cells, board.neighbours, own)]
    komi = evaluate(network, twin, color, 0.0).lead * color
    seen: list[Array] = []
    while passes < 2 and len(seen) <= _MOVES:
        said = evaluate(network, twin, color, komi)
        seen.append(said.owned * color)
        if all(abs(said.owned[chain].mean()) >= _SETTLED for chain in chains):
            break
        point = next(expected(twin, color, said))
        twin.play_all([(color, point)])
        passes = passes + 1 if point is None else 0
        color = color.opponent
    mean: list[float] = np.mean(seen[-2:], axis=0).tolist()
    return mean
