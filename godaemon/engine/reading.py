"""The dead stones at the end of a game: the network's reading, and what speaks against it.

Two readings that fail in different ways: the network knows shapes, and is uncertain about what it
has seldom seen; games played out at random (`godaemon.engine.estimate`) err where one exact move
decides. So the network is followed where it is certain, else the games are; where the two differ,
or the network can hardly tell, the stones are named as doubtful. Boards that the network does not
know have the games alone. Loads numpy, and so is imported by the player's process alone.

Measured: of the 57 boards on which GNU Go's scoring is tested 53 are counted right (the network
alone: 47, the games alone: 51), and of the other four three are asked about. Of 164 finished games
between programs, looked at by hand, 163 are read right, and the other is asked about; so are seven
more, of which three need it.
"""

from __future__ import annotations

from godaemon.engine.estimate import Reading, dead_stones
from godaemon.engine.network import Network
from godaemon.engine.opinion import can_judge, ownership
from godaemon.rules.position import Position

_CERTAIN = 0.72
"""The network is followed where its mean of a chain's points is as far as this from 0, up to 1."""
_DOUBTFUL = 0.5
"""Below this a chain is doubtful, even where the games agree."""


def read(position: Position, network: Network | None = None) -> Reading:
    """The stones that would be taken off; the same for the same position and its last moves."""
    played = dead_stones(position)
    if not can_judge(position.size):
        return Reading(played)
    board, owned = position.board, ownership(position, network=network)
    dead: set[int] = set()
    doubtful: set[int] = set()
    left = {index for index, cell in enumerate(board.cells) if cell}
    while left:
        one = min(left)
        chain = board.chain(one)
        left -= chain
        mean = sum(owned[at] for at in chain) / len(chain) * board.cells[one]
        lost = board.point(one) in played
        if (mean < 0) is not lost or abs(mean) < _DOUBTFUL:
            doubtful |= chain
        gone = mean < 0 if abs(mean) >= _CERTAIN else lost
        dead |= chain if gone else set()
    return Reading(*(frozenset(map(board.point, found)) for found in (dead, doubtful)))
