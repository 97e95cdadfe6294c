"""How games are played out: at random, but with sense in what is near the last move. Pure.

In this order: take the stones just played, or save those they put in atari; answer with a shape
beside them; else play anywhere. No own eye is filled, no large chain is put into atari, and a
smaller one only in a shape that kills from within and where nothing else is left to play. So the
stones of a large seki stay, and those of a small one are given up by whoever runs out of moves.
"""

from __future__ import annotations

import random

from godaemon.engine.arena import NOWHERE, Arena
from godaemon.engine.nakade import kills, vital
from godaemon.engine.pattern import EYE, KINDS, ROOMY, SHAPELY

_LARGE = 3
"""Of so many stones just taken the room may have a point that decides on life."""


class Policy:
    """Plays the games of one arena out."""

    def __init__(self, arena: Arena, rng: random.Random) -> None:
        self.arena = arena
        self._draw = rng.random
        self._bound = 3 * arena.points

    def run(self, color: int, last: int, first: list[int]) -> None:
        """Play until neither side has a move left, or for three times the board.

        `last` is the point of the last move, or `NOWHERE`. In `first` the colour is noted that
        first plays on each point.
        """
        arena, draw = self.arena, self._draw
        play, codes, around, vacant = arena.play, arena.codes, arena.plan.around, arena.vacant
        passed = lost = 0
        for _ in range(self._bound):
            kind = KINDS[color]
            index = NOWHERE
            if last >= 0:
                index = vital(arena, arena.taken) if lost >= _LARGE else self._urgent(last, color)
                if index < 0:
                    found = [at for at in around[last] if kind[codes[at]] & SHAPELY]
                    while found:
                        at = found.pop(int(draw() * len(found)))
                        if not arena.cells[at] and self._sound(at, color, kind[codes[at]]):
                            index = at
                            break
            if index < 0 and vacant:
                at = vacant[int(draw() * len(vacant))]
                index = at if kind[codes[at]] & ROOMY else self._anywhere(color)
            if index < 0:
                passed += 1
                if passed == 2:
                    return
                arena.ko = NOWHERE
                lost = 0
            else:
                passed = 0
                lost = play(index, color)
                if not first[index]:
                    first[index] = color
            last = index
            color = -color

    def _urgent(self, last: int, color: int) -> int:
        """What the last move asks for at once: stones to take or to save."""
        arena = self.arena
        libs, head, cells = arena.libs, arena.head, arena.cells
        left = libs[head[last]]
        if not left & (left - 1):
            index = left.bit_length() - 1
            if index != arena.ko:
                return index
        for beside in arena.plan.near[last]:
            if cells[beside] == color:
                left = libs[head[beside]]
                if not left & (left - 1):
                    index = self._rescue(head[beside], color)
                    if index >= 0:
                        return index
        return NOWHERE

    def _rescue(self, chain: int, color: int) -> int:
        """The move that gets a chain out of atari: taking a neighbour of it, or room outside."""
        arena = self.arena
        cells, head, libs, near = arena.cells, arena.head, arena.libs, arena.plan.near
        for stone in arena.chains[chain]:
            for beside in near[stone]:
                if cells[beside] == -color:
                    left = libs[head[beside]]
                    if not left & (left - 1):
                        index = left.bit_length() - 1
                        if index != arena.ko:
                            return index
        index = libs[chain].bit_length() - 1
        room = arena.room(index, color)
        return index if room & (room - 1) else NOWHERE

    def _sound(self, index: int, color: int, kind: int) -> bool:
        """Whether a stone there is legal, fills no eye, and has two liberties."""
        if kind & ROOMY:
            return True
        if kind & EYE or index == self.arena.ko:
            return False
        room = self.arena.room(index, color)
        return room & (room - 1) != 0

    def _anywhere(self, color: int) -> int:
        """Any sound move; else a self-atari of use; else nowhere."""
        arena, vacant, codes, kinds = self.arena, self.arena.vacant, self.arena.codes, KINDS[color]
        start = int(self._draw() * len(vacant))
        thrown = NOWHERE
        for index in vacant[start:] + vacant[:start]:
            kind = kinds[codes[index]]
            if kind & ROOMY:
                return index
            if kind & EYE or index == arena.ko:
                continue
            room = arena.room(index, color)
            if room & (room - 1):
                return index
            if room and thrown < 0 and kills(arena, index, color):
                thrown = index
        return thrown
