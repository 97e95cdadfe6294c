"""Groups of chains that cannot be parted: what `seki` and the strict form of dead groups stand on.

Pure; cannot fail. All but `joined` speaks of indices, as `godaemon.rules.board` does. Two chains
hold together by two liberties of both: who plays on one of them is answered on the other (the
bamboo joint, and the diagonal).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from godaemon.rules.board import EMPTY, Board, Near, components
from godaemon.rules.points import Point


class DisjointSets:
    """A partition of chains, by their numbers, that grows coarser (union-find)."""

    def __init__(self, count: int) -> None:
        self._parent = list(range(count))

    def copy(self) -> DisjointSets:
        """The same partition, to grow on by itself."""
        made = DisjointSets(0)
        made._parent = self._parent[:]
        return made

    def find(self, one: int) -> int:
        """The number that stands for the group of `one`."""
        while self._parent[one] != one:
            self._parent[one] = self._parent[self._parent[one]]
            one = self._parent[one]
        return one

    def join(self, ones: Iterable[int]) -> None:
        """Make one group of the groups of all these."""
        found = sorted({self.find(one) for one in ones})
        for other in found[1:]:
            self._parent[other] = found[0]


def chains_of(cells: Sequence[int], near: Near, color: int) -> list[set[int]]:
    """The chains of a colour, in the order of their lowest points."""
    return components([index for index, cell in enumerate(cells) if cell == color], near)


def tie(groups: DisjointSets, touching: Mapping[int, Collection[int]]) -> None:
    """Join chains that have two liberties in common; `touching` has the chains at each liberty.

    A liberty holds one pair together only, or one stone there would break two links. Which pairs
    come first does not depend on anything but the board.
    """
    free = dict(touching)
    while (pair := _pair(groups, free)) is not None:
        one, other = pair
        common = [at for at, ones in free.items() if {one, other} <= _stand_for(groups, ones)]
        for at in sorted(common)[:2]:
            del free[at]
        groups.join(pair)


def _pair(groups: DisjointSets, free: Mapping[int, Collection[int]]) -> tuple[int, int] | None:
    """Two groups with two free liberties in common, or None."""
    once: set[tuple[int, int]] = set()
    for at in sorted(free):
        ones = sorted(_stand_for(groups, free[at]))
        for number, one in enumerate(ones):
            for other in ones[number + 1 :]:
                if (one, other) in once:
                    return one, other
                once.add((one, other))
    return None


def _stand_for(groups: DisjointSets, ones: Iterable[int]) -> set[int]:
    return {groups.find(one) for one in ones}


@lru_cache(maxsize=16)
def _strict_groups(board: Board, color: int) -> list[frozenset[int]]:
    """The stones of a colour, parted into those that hold together, as indices.

    Asked for every stone of one board, which nobody may change afterwards.
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
    tie(groups, touching)
    found: dict[int, set[int]] = {}
    for number, chain in enumerate(chains):
        found.setdefault(groups.find(number), set()).update(chain)
    return [frozenset(group) for group in found.values()]


def joined(board: Board, stone: Point) -> frozenset[Point]:
    """The chain of a stone and those that cannot be parted from it: what surely shares its fate.

    The strict form of a dead group. `scoring.group` takes all stones of a colour that can be
    reached through empty points, and so, where a border is open, stones of a group that lives;
    this never does, but leaves out stones that would have to be named as well.
    """
    at = board.index(stone)
    groups = _strict_groups(board.copy(), board.cells[at])
    return frozenset(board.point(one) for group in groups if at in group for one in group)
