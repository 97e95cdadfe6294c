"""Groups of chains that cannot be cut apart, for `seki` and for strict dead groups.

Pure; cannot fail. All but `inseparable_stones` uses indices, like `godaemon.rules.board`. Two
common liberties connect two chains: a cut at one is answered at the other (bamboo joint, diagonal).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from godaemon.rules.board import EMPTY, Board, Near, components
from godaemon.rules.points import Point


class DisjointSets:
    """A partition of chains by number; groups are merged (union-find)."""

    def __init__(self, count: int) -> None:
        self._parent = list(range(count))

    def copy(self) -> DisjointSets:
        made = DisjointSets(0)
        made._parent = self._parent[:]
        return made

    def find(self, one: int) -> int:
        while self._parent[one] != one:
            self._parent[one] = self._parent[self._parent[one]]
            one = self._parent[one]
        return one

    def join(self, ones: Iterable[int]) -> None:
        found = sorted({self.find(one) for one in ones})
        for other in found[1:]:
            self._parent[other] = found[0]


def chains_of(cells: Sequence[int], near: Near, color: int) -> list[set[int]]:
    """The chains of a colour, in the order of their lowest points."""
    return components([index for index, cell in enumerate(cells) if cell == color], near)


def join_inseparable(groups: DisjointSets, touching: Mapping[int, Collection[int]]) -> None:
    """Join chains that have two liberties in common; `touching` has the chains at each liberty.

    A liberty can connect only one pair, as one stone there would break two links. The order of the
    pairs depends only on the board.
    """
    free = dict(touching)
    while (pair := _find_pair(groups, free)) is not None:
        one, other = pair
        common = [at for at, ones in free.items() if {one, other} <= _representatives(groups, ones)]
        for at in sorted(common)[:2]:
            del free[at]
        groups.join(pair)


def _find_pair(groups: DisjointSets, free: Mapping[int, Collection[int]]) -> tuple[int, int] | None:
    """Two groups with two free liberties in common, or None."""
    once: set[tuple[int, int]] = set()
    for at in sorted(free):
        ones = sorted(_representatives(groups, free[at]))
        for number, one in enumerate(ones):
            for other in ones[number + 1 :]:
                if (one, other) in once:
                    return one, other
                once.add((one, other))
    return None


def _representatives(groups: DisjointSets, ones: Iterable[int]) -> set[int]:
    return {groups.find(one) for one in ones}


@lru_cache(maxsize=16)
def _strict_groups(board: Board, color: int) -> list[frozenset[int]]:
    """The groups of inseparable stones of a colour, as indices.

    Cached for all stones of one board, so the board must not change afterwards.
    """
    near = board.neighbours
    chains = chains_of(board.cells, near, color)
    touching: dict[int, set[int]] = {}
    for number, chain in enumerate(chains):
        for at in chain:
            for beside in near[at]:
                if board.cells[beside] == EMPTY:
                    touching.setdefault(beside, set()).add(number)
    groups = DisjointSets(len(chains))
    join_inseparable(groups, touching)
    found: dict[int, set[int]] = {}
    for number, chain in enumerate(chains):
        found.setdefault(groups.find(number), set()).update(chain)
    return [frozenset(group) for group in found.values()]


def inseparable_stones(board: Board, stone: Point) -> frozenset[Point]:
    """The chain of a stone and all chains that cannot be cut off from it.

    This is the strict form of a dead group. `scoring.group` takes all stones of a colour that can
    be reached through empty points, which includes living stones if a border is open. This never
    does, but it may leave out dead stones, which have to be named too.
    """
    at = board.index(stone)
    groups = _strict_groups(board.copy(), board.cells[at])
    return frozenset(board.point(one) for group in groups if at in group for one in group)
