"""Our own player: it chooses a move, and says which stones it takes for dead. Pure.

Modest, always there, and sure to end its games; it imports the rules and errors alone. `choose`
answers at once, `House` searches; only a level that does not exist fails (`Unknown`). How a move is
chosen, in the order of reading:

    levels, house      how many games may be played out; search, then the end, then resigning
    endgame            before: the lead to aim at; after: to pass, or what is still worth playing
    search, tree       each game goes down the tree by what is known of its moves so far ...
    playouts, arena    ... and is played out from there, on a board made for it
    pattern, geometry  the tables of that board
    tactics, simple    ladders read out; `choose`, the lowest level, where time is short too
    analysis           what it thinks of every move, for who watches it think
    estimate           which stones are dead
"""

from __future__ import annotations

from godaemon.engine.estimate import dead_stones
from godaemon.engine.house import Choice, House
from godaemon.engine.levels import DEFAULT_LEVEL, LEVELS, Level
from godaemon.engine.simple import choose

__all__ = ["DEFAULT_LEVEL", "LEVELS", "Choice", "House", "Level", "choose", "dead_stones"]
