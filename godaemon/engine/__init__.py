"""Our own player: it chooses a move, and says which stones it takes for dead.

It imports the rules and errors alone. `House` thinks by a neural network, which needs numpy: only
the process that plays imports `godaemon.engine.house`; all else is pure, and is here. Only a level
that does not exist fails (`Unknown`), and a file that is no network (`Unreadable`). In the order of
reading:

    levels, house            how a move is drawn or sought by level; resigning
    search, ending           looks ahead; which moves are still of use, and when to pass
    opinion, inputs, ladders a position as the network sees it, and its answer
    network, network_file    the network itself, and its file in `data`
    analysis                 what it thinks of every move, for who watches it think
    review                   a look back on a whole game
    fallback                 the move without a network, on boards that this never saw
    reading                  which stones are dead, by the network and by games played out
    estimate, playouts, arena, pattern, geometry    the same by games played out, on any board
"""

from __future__ import annotations

from godaemon.engine.estimate import dead_stones
from godaemon.engine.fallback import choose
from godaemon.engine.levels import DEFAULT_LEVEL, LEVELS, Choice, Level

__all__ = ["DEFAULT_LEVEL", "LEVELS", "Choice", "Level", "choose", "dead_stones"]
