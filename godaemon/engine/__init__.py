"""Our own player: it chooses a move, and says which stones it takes for dead.

Imports only the rules and errors. `House` uses a neural network, which needs numpy: only the
process that plays imports `godaemon.engine.house`; the rest is pure. Raises only `Unknown` for a
level that does not exist, and `Unreadable` for a file that is not a network. Read in this order:

    levels, house            how a level picks its move; resigning
    search, ending           looks ahead; which moves are still useful, and when to pass
    evaluation, ladders      a position as the network sees it, and its answer
    network                  the network itself, and how it is read from its file in `data`
    review, look_back        the review of a whole game, and its text form
    estimate                 an estimate of the score during a game
    dead_stones_reading      which stones are dead at the end, and which are doubtful:
    network_dead_stones      by the network, or without it by `fallback`
    fallback                 moves and dead stones without the network, by games played at random
"""

from __future__ import annotations

from godaemon.engine.dead_stones_reading import Reading
from godaemon.engine.levels import DEFAULT_LEVEL, LEVELS, Aloud, Choice, Level

__all__ = ["DEFAULT_LEVEL", "LEVELS", "Aloud", "Choice", "Level", "Reading"]
