"""Shapes that kill from within: which stones are worth giving up inside an eye. Pure."""

from __future__ import annotations

from godaemon.engine.arena import NOWHERE, Arena

_ALWAYS = 3
"""A room of up to so many points makes one eye, once its middle is taken."""

_LARGEST = 6


def one_eye(stones: int, most: int, links: int) -> bool:
    """Whether a room is of a shape in which the stone in the middle kills.

    `most` neighbours has the best connected of its points, and `links` it has in all: all shapes
    of up to three points; of four the square and the pyramid; of five the bulky and the crossed
    one; of six the rabbitty one.
    """
    if stones <= _ALWAYS:
        return True
    kinds = {4: most == 3 or links == 4, 5: most == 4 or links == 5, 6: most == 4 and links == 6}
    return kinds.get(stones, False)


def kills(arena: Arena, index: int, color: int) -> bool:
    """Whether a self-atari may be of use: it takes stones, or leaves a room of one eye."""
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
