"""Our own player: chooses moves, finds dead stones, estimates scores, reviews games.

Imports only the rules and errors. `House` uses a neural network, which needs numpy: only the
player's process imports `godaemon.engine.house`; the other modules are pure. Raises only `Unknown`
for a level that does not exist, and `Unreadable` for a file that is not a network. Read in this
order:

    levels, house            how a level chooses its move; resigning
    search, ending           tree search; which moves are still useful, and when to pass
    evaluation, ladders      the network's input and output for a position
    network                  the network, and the format of its file in `data`
    cleanup                  the capture of dead stones after a dispute
    review                   the review of a whole game
    results                  estimates and reviews, and their text forms
    dead_stones_reading      dead and doubtful stones at the end of a game,
    network_dead_stones      found by the network
    fallback                 moves and dead stones without the network, by random playouts
"""

from godaemon.engine.dead_stones_reading import Reading
from godaemon.engine.levels import DEFAULT_LEVEL, LEVELS, Choice, Level, LiveAnalysis

__all__ = ["DEFAULT_LEVEL", "LEVELS", "Choice", "Level", "LiveAnalysis", "Reading"]
