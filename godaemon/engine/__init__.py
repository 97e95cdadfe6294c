"""Our own player, pure: it chooses a move, and gives its opinion on which stones are dead.

A modest one, meant to be always there: it needs no other program and ends its games. `choose`
answers at once; `House` searches, at ten levels. It imports the rules and nothing above them.
"""

from __future__ import annotations

from godaemon.engine.estimate import dead_stones
from godaemon.engine.house import Choice, House
from godaemon.engine.levels import DEFAULT_LEVEL, LEVELS, Level
from godaemon.engine.simple import choose

__all__ = ["DEFAULT_LEVEL", "LEVELS", "Choice", "House", "Level", "choose", "dead_stones"]
