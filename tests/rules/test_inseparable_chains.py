"""The strict form of a dead group: chains that cannot be parted, and the floods that go too far."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.rules import scoring
from godaemon.rules.board import Board
from godaemon.rules.inseparable_chains import joined
from godaemon.rules.points import Point, parse_point
from tests.support.boards import board, marked_boards, points

OPEN_BORDER = """
    . X . . O .
    . X O . . O
    X X X . O O
    . X . . O .
    X . X . O O
    """
"""White's stone at C4 is dead, but nothing stands between it and White's living group."""

# name, diagram, stone named, its strict group, what the flood takes besides
GROUPS = [
    ("a chain by itself", ". O O .", "B1", "B1 C1", ""),
    ("an open border is not crossed", OPEN_BORDER, "C4", "C4", "E5 F4 E3 F3 E2 E1 F1"),
    ("a bamboo joint holds", "O . O\nO . O\nX X X", "A3", "A3 A2 C3 C2", ""),
    ("a diagonal holds", ". O\nO .", "A1", "A1 B2", ""),
    ("a diagonal that is cut does not", "X O .\nO . .\n. . .", "A2", "A2", "B3"),
    ("one point apart is too far", "O . O\nX X X", "A2", "A2", "C2"),
    (
        "two links on one point are one link: a stone there threatens both",
        "O . O . .\nX . . X X\nX O X X X",
        "A3",
        "A3",
        "C3 B1",
    ),
    (
        "two diagonals on one point: a stone there parts one of them",
        ". O .\nO . .\n. O .",
        "B1",
        "B1 A2",
        "B3",
    ),
    ("two joints in a row", "O . O . O\nO . O . O\nX X X X X", "A3", "A3 A2 C3 C2 E3 E2", ""),
]


@pytest.mark.parametrize(
    ("diagram", "named", "stones", "besides"),
    [row[1:] for row in GROUPS],
    ids=[row[0] for row in GROUPS],
)
def test_groups(diagram: str, named: str, stones: str, besides: str) -> None:
    """What surely shares the fate of a stone, and what the flood would take with it."""
    made, stone = board(diagram), parse_point(named)
    assert joined(made, stone) == points(stones)
    assert scoring.group(made, (), stone) == points(stones) | points(besides)


@given(marked_boards(), st.data())
def test_strict_is_never_more_than_the_flood(
    marked: tuple[Board, frozenset[Point]], data: st.DataObject
) -> None:
    """It holds the chain named, is the same from each of its stones, and lies within the flood."""
    made, gone = marked
    stones = [made.point(index) for index, cell in enumerate(made.cells) if cell]
    if not stones:
        return
    named = data.draw(st.sampled_from(stones))
    strict = joined(made, named)
    assert scoring.chain(made, named) <= strict <= scoring.group(made, gone, named)
    assert {joined(made, other) for other in strict} == {strict}
