"""An opinion on which stones are dead, from light playouts, and from what stands in seki. Pure.

A chain is taken for dead if its points end as the opponent's in most random games. Of seki it sees
what cannot be approached (`stands`); it misjudges groups that live or die by one exact move. It is
the second of the two that `godaemon.engine.reading` weighs, and the one for all boards.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable
from typing import NamedTuple

from godaemon.engine.playouts import one_eye, survey
from godaemon.rules.board import EMPTY, Board
from godaemon.rules.inseparable_chains import strict_groups
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position

PLAYOUTS = 100
"""Games on boards up to 19x19, which take a fifth of a second there; fewer on larger ones."""

_DEAD = -0.05
"""A chain is dead if its own colour's mean share of its points, from -1 to 1, is below this."""


class Reading(NamedTuple):
    """The stones taken for dead, and those, dead or alive, of which the reader is not sure."""

    dead: frozenset[Point]
    doubtful: frozenset[Point] = frozenset()


def dead_stones(position: Position) -> frozenset[Point]:
    """The stones that would most likely be taken; the same for the same position."""
    board = position.board
    count = min(PLAYOUTS, max(30, PLAYOUTS * 361 // board.size.points))
    rng = random.Random(board.key)  # noqa: S311 - no secret, and the same answer every time
    owned = survey(board, position.to_move, count, rng).owned
    dead: set[int] = set()
    seen: set[int] = set()
    for index, cell in enumerate(board.cells):
        if cell and index not in seen:
            chain = board.chain(index)
            seen |= chain
            if sum(owned[stone] for stone in chain) * cell < _DEAD * len(chain):
                dead |= chain
    for color in Color:
        for group in strict_groups(board, color):
            if group & dead and stands(board, group & dead, dead):
                dead -= group
    return frozenset(map(board.point, dead))


def stands(board: Board, stones: Iterable[int], dead: Collection[int]) -> bool:
    """True where stones that hold together survive all that their attacker can do; no ko is fought.

    Seki by its simplest sign: stones that cannot be taken without giving up the stones around.
    Random playouts end every such standoff by somebody's blunder. Here the attacker may approach
    as often as he likes while the defender passes; where at last he can come no nearer without
    putting his own stones in atari for good, the stones stand.

    `dead` are all stones taken for dead: the attacker has taken the others first.
    """
    trial, group = board.copy(), frozenset(stones)
    attacker = -trial.cells[next(iter(group))]
    for at in dead:
        if trial.cells[at] == -attacker and at not in group:
            trial.lift(at)
    while len(trial.liberties(group)) > 1:
        nearer = _approach(trial, group, attacker)
        if nearer is None:
            return True
        if nearer < 0:
            return False
        trial.put(nearer, attacker)
    return False  # the attacker takes them with the next stone


def _approach(board: Board, group: frozenset[int], attacker: int) -> int | None:
    """The attacker's roomiest safe move on a liberty; None without one.

    Below 0 where he has something better: stones to take, or some worth losing.
    """
    best, found = 1, None
    for at in sorted(board.liberties(group)):
        outcome = board.outcome(at, attacker)
        if outcome.suicide:
            continue
        after = board.copy()
        after.apply(at, attacker, outcome)
        chain = after.chain(at)
        left = after.liberties(chain)
        room = len(left)
        if outcome.captured or (room == 1 and _worth_losing(after, chain, group)):
            return -1
        move = at
        if room == 1 and (tie := min(left)) not in board.liberties(group):
            after.put(tie, attacker)  # he connects first, as the defender passes
            room, move = len(after.liberties(after.chain(at))), tie
        if room > best:
            best, found = room, move
    return found


def _worth_losing(board: Board, chain: frozenset[int], group: frozenset[int]) -> bool:
    """True where a chain in atari may be taken, because the room it leaves makes one eye only.

    Not where it stands beside other stones of the taker's: these would be connected by it.
    """
    theirs = {
        beside
        for at in chain
        for beside in board.neighbours[at]
        if board.cells[beside] not in (EMPTY, board.cells[at])
    }
    if theirs - group:
        return False
    degrees = [sum(beside in chain for beside in board.neighbours[at]) for at in chain]
    return one_eye(len(chain), max(degrees), sum(degrees) // 2)
