"""The board: chains, liberties, captures."""

import pytest

from godaemon.rules.board import neighbours, unplace
from godaemon.rules.points import Color, Size, parse_point
from tests.support import places
from tests.support.blocks import read_blocks
from tests.support.boards import beside, board, drawn, lines

CAPTURES = read_blocks(places.DATA / "shapes" / "captures.txt")


@pytest.mark.parametrize("name", CAPTURES)
def test_captures(name: str) -> None:
    """A move takes the chains that lose their last liberty, and undoing brings them back."""
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


def test_suicide_takes_the_whole_chain() -> None:
    """A move without liberty that takes nothing takes its own chain."""
    made = board("X . O\nX O .\nO O .\n")
    taken = made.play(made.index(parse_point("B3")), Color.BLACK)
    assert {str(made.point(index)) for index in taken} == {"A2", "A3", "B3"}
    assert drawn(made) == lines(". . O\n. O .\nO O .\n")


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
def test_neighbours(size: Size, counts: dict[int, int]) -> None:
    """Corners have two neighbours, edges three; thin boards fewer."""
    found: dict[int, int] = {}
    for near in neighbours(size):
        found[len(near)] = found.get(len(near), 0) + 1
    assert found == counts


def test_copies_are_apart() -> None:
    """A stone put on a copy is not on the board it was copied from."""
    made = board(". X\nO .")
    twin = made.copy()
    assert twin == made
    twin.lift(twin.index(parse_point("A1")))
    assert twin != made
    assert drawn(made) == [".X", "O."]
    assert hash(twin) == hash(board(". X\n. ."))
