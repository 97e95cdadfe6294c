"""Seki by its simplest sign: stones that cannot be taken without giving up the stones around. Pure.

Random playouts end every standoff by somebody's blunder, and so call one side dead. Here the
attacker may approach as often as he likes while the defender passes; where at last he can come no
nearer without putting his own stones in atari for good, the stones stand.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from godaemon.engine.nakade import one_eye
from godaemon.rules.board import EMPTY, Board


def stands(board: Board, stones: Iterable[int], dead: Collection[int]) -> bool:
    """Whether stones that hold together survive all that their attacker can do; no ko is fought.

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
        room = len(after.liberties(chain))
        if outcome.captured or (room == 1 and _worth_losing(after, chain, group)):
            return -1
        if room > best:
            best, found = room, at
    return found


def _worth_losing(board: Board, chain: frozenset[int], group: frozenset[int]) -> bool:
    """Whether a chain in atari may be taken, because the room it leaves makes one eye only.

    Not where it stands beside other stones of the taker's: these would be connected by it.
    """
    theirs = {
        beside
        for at in chain
        for beside in board.near(at)
        if board.cells[beside] not in (EMPTY, board.cells[at])
    }
    if theirs - group:
        return False
    degrees = [sum(beside in chain for beside in board.near(at)) for at in chain]
    return one_eye(len(chain), max(degrees), sum(degrees) // 2)
