"""Our own player: it chooses a move, and says which stones it takes for dead.

It imports the rules and errors alone. `House` thinks by a neural network, which needs numpy: only
the process that plays imports `godaemon.engine.house`; all else is pure, and is here. Only a level
that does not exist fails (`Unknown`), and a file that is no network (`Unreadable`). In the order of
reading:

    levels, house            how a move is drawn or sought by level; resigning
    search, ending           looks ahead; which moves are still of use, and when to pass
    opinion, ladders         a position as the network sees it, and its answer
    network                  the network itself, and how it is read from its file in `data`
    review, look_back        a look back on a whole game, and how it is told
    estimate                 how a game stands, while it goes on
    network_reading, reading which stones are dead at the end, and of which nobody is sure
    fallback                 moves and dead stones without the network, by games played at random
"""

from __future__ import annotations

from godaemon.engine.levels import DEFAULT_LEVEL, LEVELS, Choice, Level
from godaemon.engine.reading import Reading

__all__ = ["DEFAULT_LEVEL", "LEVELS", "Choice", "Level", "Reading"]
