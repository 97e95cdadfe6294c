"""Unconditional life: classic shapes, and every attack on tiny boards.

The larger boards are in the manner of KataGo's `testboardarea.cpp` and `testpassalivesuicide.cpp`
(shapes that are safe, or not, with and without suicide), drawn anew here.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.rules import benson
from godaemon.rules.board import EMPTY, Board
from godaemon.rules.points import Color, Size
from tests.support import places
from tests.support.blocks import read_blocks
from tests.support.boards import beside, board, drawn, lines
from tests.support.examples import examples
from tests.support.rows import each_row

SHAPES = read_blocks(places.DATA / "shapes" / "alive.txt")


def alive(made: Board, color: Color, *, suicide: bool) -> frozenset[int]:
    """The stones that Benson's algorithm calls alive, as indices."""
    return frozenset(map(made.index, benson.alive_stones(made, color, suicide=suicide)))


@pytest.mark.parametrize("suicide", [False, True])
@each_row("name", SHAPES)
def test_alive_shapes(name: str, *, suicide: bool) -> None:
    """The black stones of each shape that nobody can ever capture."""
    made, *want = beside(SHAPES[name])
    found = Board(board(made).size)
    for index in alive(board(made), Color.BLACK, suicide=suicide):
        found.put(index, Color.BLACK)
    assert drawn(found) == lines(want[suicide])


def attacked(made: Board, color: Color, *, suicide: bool) -> frozenset[int]:
    """The stones of a colour that are still there however the other one plays, alone."""
    sure = frozenset(made.stones(color))
    seen, edge = {tuple(made.cells)}, [made.copy()]
    while edge:
        here = edge.pop()
        for index, cell in enumerate(here.cells):
            if cell != EMPTY:
                continue
            after = here.copy()
            taken = after.play(index, -color)
            if index in taken and (not suicide or len(taken) == 1):
                continue
            if tuple(after.cells) not in seen:
                seen.add(tuple(after.cells))
                edge.append(after)
                sure &= frozenset(after.stones(color))
    return sure


@st.composite
def positions(draw: st.DrawFn) -> Board:
    """A tiny board on which every chain has a liberty, with more black stones than white ones."""
    width, height = draw(st.sampled_from([(1, 5), (2, 3), (7, 1), (2, 4), (3, 3), (5, 2), (4, 3)]))
    made = Board(Size(width, height))
    for index in range(made.size.points):
        cell = draw(st.sampled_from((0, 0, 1, 1, 1, -1)))
        if cell:
            made.put(index, cell)
    for index in range(made.size.points):
        if made.cells[index] and not made.liberties(made.chain(index)):
            for stone in made.chain(index):
                made.lift(stone)
    return made


@pytest.mark.parametrize("suicide", [False, True])
@settings(max_examples=examples(300))
@given(made=positions())
def test_alive_stones_survive_every_attack(made: Board, *, suicide: bool) -> None:
    """No number of moves in a row captures them, on tiny boards."""
    for color in Color:
        assert alive(made, color, suicide=suicide) == attacked(made, color, suicide=suicide)


def test_the_largest_board_is_judged() -> None:
    """52x52 full of two-eyed columns, and an empty 1x1 board."""
    size = Size(52, 52)
    made = Board(size)
    for index in range(size.points):
        row, column = divmod(index, 52)
        if column % 2 or row % 2:
            made.put(index, Color.BLACK)
    assert len(benson.alive_stones(made, Color.BLACK, suicide=True)) == 3 * 26 * 26
    assert benson.alive_stones(Board(Size(1, 1)), Color.BLACK, suicide=False) == frozenset()
