"""Unconditionally alive chains: safe even if their owner always passes. Pure.

D. B. Benson, "Life in the Game of Go" (Information Sciences 10, 1976): a chain needs two regions
in which every empty point is its liberty, each enclosed by chains that are alive in this sense.
If suicide is legal, the opponent can empty a region again from within, so their stones there must
touch the chain too. Cannot fail.
"""

from __future__ import annotations

from godaemon.rules.board import EMPTY, Board, components
from godaemon.rules.inseparable_chains import chains_of
from godaemon.rules.points import Color, Point

_EYES = 2


def alive_stones(board: Board, color: Color, *, suicide: bool) -> frozenset[Point]:
    """The stones of a colour that can never be taken; `suicide` allows the suicide of several.

    Other stones may be alive as well, but need an answer at times.
    """
    near = board.neighbours
    chains = chains_of(board.cells, near, color)
    beside = [{one for at in chain for one in near[at]} for chain in chains]
    rest = [at for at, cell in enumerate(board.cells) if cell != color]
    fences: list[set[int]] = []
    """For each region the chains around it."""
    vital: list[set[int]] = []
    """For each region, the chains for which it is an eye that cannot be filled."""
    for region in components(rest, near):
        tested = region if suicide else {at for at in region if board.cells[at] == EMPTY}
        fence = {one for one, around in enumerate(beside) if not region.isdisjoint(around)}
        fences.append(fence)
        vital.append({one for one in fence if tested and tested <= beside[one]})
    sure = _alive_chains(set(range(len(chains))), fences, vital)
    return frozenset(board.point(at) for one in sure for at in chains[one])


def _alive_chains(chains: set[int], fences: list[set[int]], vital: list[set[int]]) -> set[int]:
    """The chains that remain after removing those without two eyes, and their regions, in turn."""
    while True:
        eyes = dict.fromkeys(chains, 0)
        for fence, needed in zip(fences, vital, strict=True):
            if fence <= chains:
                for one in needed:
                    eyes[one] += 1
        left = {one for one, count in eyes.items() if count >= _EYES}
        if left == chains:
            return chains
        chains = left
