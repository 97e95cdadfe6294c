"""Unconditionally alive chains: safe even if their owner always passes.

D. B. Benson, "Life in the Game of Go" (Information Sciences 10, 1976): a chain needs two regions
in which every empty point is its liberty, each enclosed by chains that are alive in this sense.
If suicide is legal, the opponent can empty a region again from within, so their stones there must
touch the chain too. Cannot fail.
"""

from godaemon.rules.board import EMPTY, Board, components
from godaemon.rules.inseparable_chains import chains_of
from godaemon.rules.points import Color, Point

_EYES = 2


def alive_stones(board: Board, color: Color, *, suicide: bool) -> frozenset[Point]:
    """The stones of a colour that are safe; `suicide` is true if the rules allow it."""
    neighbours = board.neighbours
    chains = chains_of(board.cells, neighbours, color)
    liberties = [{number for index in chain for number in neighbours[index]} for chain in chains]
    region_points = [index for index, cell in enumerate(board.cells) if cell != color]
    fences: list[set[int]] = []
    """The chains around each region."""
    vital: list[set[int]] = []
    """For each region the chains for which it is an eye that cannot be filled."""
    for region in components(region_points, neighbours):
        tested = region if suicide else {index for index in region if board.cells[index] == EMPTY}
        border = {
            number for number, around in enumerate(liberties) if not region.isdisjoint(around)
        }
        fences.append(border)
        vital.append({number for number in border if tested and tested <= liberties[number]})
    alive = _alive_chains(set(range(len(chains))), fences, vital)
    return frozenset(board.point(index) for number in alive for index in chains[number])


def _alive_chains(chains: set[int], fences: list[set[int]], vital: list[set[int]]) -> set[int]:
    """Remove chains without two eyes, and their regions, until all chains have two."""
    while True:
        eyes = dict.fromkeys(chains, 0)
        for fence, needed in zip(fences, vital, strict=True):
            if fence <= chains:
                for number in needed:
                    eyes[number] += 1
        alive = {number for number, count in eyes.items() if count >= _EYES}
        if alive == chains:
            return chains
        chains = alive
