"""The board: chains, liberties, captures."""

import pytest

from godaemon.rules.board import neighbours, unplace
from godaemon.rules.points import Color, Size, parse_point
from tests.support import places
from tests.support.blocks import read_blocks
from tests.support.boards import beside, board, drawn, lines

CAPTURES = read_blocks(places.DATA / "shapes" / "captures.txt")


@pytest.mark.parametrize("name", CAPTURES)
def test_moves_capture_chains_without_liberties(name: str) -> None:
    """Undoing restores them."""
    move, _, boards = CAPTURES[name].partition("\n")
    before, after = beside(boards)
    made = board(before)
    word, vertex = move.split()
    color = Color[word.upper()]
    index = made.index(parse_point(vertex))
    taken = made.play(index, color)
    assert drawn(made) == lines(after)
    assert hash(made) == hash(board(after))
    unplace(made.cells, index, color, taken)
    assert made == board(before)


def test_chains_and_liberties() -> None:
    """Stones connect along lines and not across corners; a shared liberty counts once."""
    made = board(". X .\nX . X\n. X X")
    chain = made.chain(made.index(parse_point("C2")))
    assert {str(made.point(index)) for index in chain} == {"C2", "C1", "B1"}
    assert {str(made.point(index)) for index in made.liberties(chain)} == {"C3", "B2", "A1"}


@pytest.mark.parametrize(
    ("size", "counts"),
    [
        (Size(1, 1), {0: 1}),
        (Size(1, 2), {1: 2}),
        (Size(9, 1), {1: 2, 2: 7}),
        (Size(2, 2), {2: 4}),
        (Size(3, 4), {2: 4, 3: 6, 4: 2}),
        (Size(52, 52), {2: 4, 3: 200, 4: 2500}),
    ],
)
def test_points_have_two_to_four_neighbours(size: Size, counts: dict[int, int]) -> None:
    """Corners two, edges three; thin boards fewer."""
    found: dict[int, int] = {}
    for near in neighbours(size):
        found[len(near)] = found.get(len(near), 0) + 1
    assert found == counts
