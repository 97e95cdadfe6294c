"""Groups of chains that cannot be cut apart, for `seki` and for strict dead groups.

Cannot fail. All but `inseparable_stones` uses indices, like `godaemon.rules.board`. Two common
liberties connect two chains: a cut at one is answered at the other (bamboo joint, diagonal).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from godaemon.rules.board import EMPTY, Board, Near, components
from godaemon.rules.points import Point

Groups = list[int]
"""The group of each chain, by the chain's number: the lowest number of a chain in the group."""


def merge_groups(groups: Groups, chains: Iterable[int]) -> None:
    """Merge the groups of some chains."""
    merged = {groups[chain] for chain in chains}
    if len(merged) > 1:
        lowest = min(merged)
        groups[:] = [lowest if group in merged else group for group in groups]


def chains_of(cells: Sequence[int], near: Near, color: int) -> list[set[int]]:
    """The chains of a colour, in the order of their lowest points."""
    return components([index for index, cell in enumerate(cells) if cell == color], near)


def join_inseparable(groups: Groups, touching: Mapping[int, Collection[int]]) -> None:
    """Join chains that have two liberties in common; `touching` has the chains at each liberty.

    A liberty connects only one pair, because one stone there would cut two. The order of the pairs
    depends only on the board.
    """
    liberties = dict(touching)
    while (pair := _find_pair(groups, liberties)) is not None:
        first, second = pair
        common = [
            index
            for index, chains in liberties.items()
            if {first, second} <= {groups[chain] for chain in chains}
        ]
        for index in sorted(common)[:2]:
            del liberties[index]
        merge_groups(groups, pair)


def _find_pair(groups: Groups, liberties: Mapping[int, Collection[int]]) -> tuple[int, int] | None:
    """Two groups with two unused liberties in common, or None."""
    pairs: set[tuple[int, int]] = set()
    for index in sorted(liberties):
        for pair in combinations(sorted({groups[chain] for chain in liberties[index]}), 2):
            if pair in pairs:
                return pair
            pairs.add(pair)
    return None


@lru_cache(maxsize=16)
def _strict_groups(board: Board, color: int) -> list[frozenset[int]]:
    """The groups of inseparable stones of a colour; cached, so the board must not change."""
    near = board.neighbours
    chains = chains_of(board.cells, near, color)
    touching: dict[int, set[int]] = {}
    for number, chain in enumerate(chains):
        for index in chain:
            for neighbour in near[index]:
                if board.cells[neighbour] == EMPTY:
                    touching.setdefault(neighbour, set()).add(number)
    groups = list(range(len(chains)))
    join_inseparable(groups, touching)
    members: dict[int, set[int]] = {}
    for number, chain in enumerate(chains):
        members.setdefault(groups[number], set()).update(chain)
    return [frozenset(group) for group in members.values()]


def inseparable_stones(board: Board, stone: Point) -> frozenset[Point]:
    """The chain of a stone and all chains that cannot be cut off from it.

    The strict form of a dead group. Unlike `scoring.group`, it never includes living stones if a
    border is open, but may leave out dead ones.
    """
    index = board.index(stone)
    groups = _strict_groups(board.copy(), board.cells[index])
    return frozenset(board.point(member) for group in groups if index in group for member in group)
