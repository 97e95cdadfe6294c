"""Our own player, pure: it chooses a move, and gives its opinion on which stones are dead.

A modest one, meant to be always there: it needs no other program, answers at once and ends its
games. It imports the rules and nothing above them.
"""

from __future__ import annotations

from godaemon.engine.estimate import dead_stones
from godaemon.engine.simple import choose

__all__ = ["choose", "dead_stones"]
