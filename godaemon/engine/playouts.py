"""Games played out, and what many of them come to, point by point. Pure.

They are played at random, but with sense in what is near the last move, in this order: take the
stones just played, or save those they put in atari; answer with a shape beside them; else play
anywhere. No own eye is filled, no large chain is put into atari, and a smaller one only in a shape
that kills from within and where nothing else is left to play. So the stones of a large seki stay,
and those of a small one are given up by whoever runs out of moves. Games are counted by area; no
suicide is played, and a single stone may not retake a ko at once.
"""

from __future__ import annotations

import random
from operator import add
from typing import NamedTuple

from godaemon.engine.arena import NOWHERE, Arena
from godaemon.engine.pattern import EYE, KINDS, ROOMY, SHAPELY
from godaemon.rules.board import Board
from godaemon.rules.points import Color

_ALWAYS = 3
"""A room of up to so many points makes one eye, once its middle is taken."""

_LARGEST = 6


def one_eye(stones: int, most: int, links: int) -> bool:
    """True where a room is of a shape in which the stone in the middle kills.

    `most` neighbours has the best connected of its points, and `links` it has in all: all shapes
    of up to three points; of four the square and the pyramid; of five the bulky and the crossed
    one; of six the rabbitty one.
    """
    if stones <= _ALWAYS:
        return True
    kinds = {4: most == 3 or links == 4, 5: most == 4 or links == 5, 6: most == 4 and links == 6}
    return kinds.get(stones, False)


def kills(arena: Arena, index: int, color: int) -> bool:
    """True where a self-atari may be of use: it takes stones, or leaves a room of one eye."""
    cells, head, bit = arena.cells, arena.head, arena.plan.bit[index]
    stones = [index]
    for beside in arena.plan.near[index]:
        if cells[beside] == color:
            if beside not in stones:
                stones += arena.chains[head[beside]]
                if len(stones) > _LARGEST:
                    return False
        elif cells[beside] and arena.libs[head[beside]] == bit:
            return True
    return len(stones) <= _ALWAYS or _shape(arena, stones) is not None


def vital(arena: Arena, room: list[int]) -> int:
    """The point of a room just taken from us that decides whether it is two eyes, or nowhere."""
    if not _ALWAYS <= len(room) <= _LARGEST:
        return NOWHERE
    found = _shape(arena, room)
    return NOWHERE if found is None or arena.cells[found] else found


def _shape(arena: Arena, room: list[int]) -> int | None:
    """The best connected point of a room of one eye; None where it is none."""
    near = arena.plan.near
    degrees = {at: sum(beside in room for beside in near[at]) for at in room}
    best = max(room, key=degrees.__getitem__)
    single = one_eye(len(room), degrees[best], sum(degrees.values()) // 2)
    return best if single else None


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
        """True where a stone there is legal, fills no eye, and has two liberties."""
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


class Survey(NamedTuple):
    """The sum of the playouts of one position, point by point."""

    owned: list[float]
    """How surely each point ends as black's (1.0) or white's (-1.0)."""
    gain: list[float]
    """How many points better than the average end the games in which `to_move` is first there."""


_DOUBT = 8
"""Games without news that the gain of a point starts from."""


def survey(board: Board, to_move: Color, playouts: int, rng: random.Random) -> Survey:
    """Play a position out that many times, each side beginning half of the games.

    The gain is the "all moves as first" heuristic (Bruegmann 1993), drawn towards 0 where only
    a few games back it.
    """
    arena = Arena(board)
    start, policy, mover = arena.save(), Policy(arena, rng), int(to_move)
    sums, total = [0] * arena.points, 0
    with_first, games_first = [0] * arena.points, [0] * arena.points
    for number in range(playouts):
        arena.restore(start)
        first = [0] * arena.points
        policy.run(mover if number % 2 == 0 else -mover, NOWHERE, first)
        owners = arena.owners()
        score = sum(owners)
        sums = list(map(add, sums, owners))
        total += score
        for index, color in enumerate(first):
            if color == mover:
                with_first[index] += score
                games_first[index] += 1
    mean = total / playouts
    gain = [
        mover * (scored - games * mean) / (games + _DOUBT)
        for scored, games in zip(with_first, games_first, strict=True)
    ]
    return Survey([each / playouts for each in sums], gain)
