"""Ladders as inputs of the network."""

import pytest

from godaemon.engine.ladders import ladder_moves
from godaemon.rules.points import parse_point
from tests.support import places
from tests.support.blocks import read_blocks
from tests.support.boards import board

SHAPES = read_blocks(places.DATA / "shapes" / "ladders.txt")


@pytest.mark.parametrize("name", SHAPES)
def test_ladders_are_found(name: str) -> None:
    """A chain is in a ladder if atari after atari takes it; the first moves are named."""
    made, (_, told) = board(SHAPES[name]), name.split(": ")
    stone, outcome = told.split(", ")
    found = ladder_moves(made.size, tuple(made.cells), -1).get(made.index(parse_point(stone)))
    moves = None if found is None else " ".join(str(made.point(at)) for at in found) or "no move"
    assert outcome == ("no ladder" if moves is None else f"by {moves}")
