"""Games played out: sense near the last move, eyes left alone, and what a position comes to."""

from __future__ import annotations

import random

import pytest

from godaemon.engine.arena import NOWHERE, Arena
from godaemon.engine.playouts import Policy, kills, survey, vital
from godaemon.rules.board import Board
from godaemon.rules.points import Color, Size, parse_point
from tests.support.boards import board


def test_finished_boards_stay_as_they_are() -> None:
    """Where both sides have eyes only every game ends alike, and no gain is found anywhere."""
    made = board(". X . X O .\nX X X X O O\n. X X X O .\nX X . X O O\n. X X X O .")
    seen = survey(made, Color.BLACK, 30, random.Random(1))
    assert all(abs(share) == 1 for share in seen.owned)
    assert not any(seen.gain)


@pytest.mark.parametrize("side", [1, 2, 5, 9])
def test_games_end(side: int) -> None:
    """From the empty board each game ends, with the board divided and every move noted."""
    arena = Arena(Board(Size(side, side)))
    start, policy = arena.save(), Policy(arena, random.Random(1))
    for _ in range(20):
        arena.restore(start)
        first = [0] * (side * side)
        policy.run(1, NOWHERE, first)
        assert sum(cell != 0 for cell in arena.cells) <= sum(map(abs, first))
        assert all(arena.libs[arena.head[at]] for at, cell in enumerate(arena.cells) if cell)


@pytest.mark.parametrize(
    ("room", "point"),
    [
        ("A1 B1 C1", "B1"),
        ("A1 B1 A2", "A1"),
        ("A1 B1 C1 B2", "B1"),
        ("A1 B1 A2 B2 A3", "A2"),
        ("A1 B1 C1 D1", None),
        ("A1 B1", None),
    ],
)
def test_the_vital_point_of_a_room(room: str, point: str | None) -> None:
    """Of a room just emptied the point in the middle decides, where the shape is of one eye."""
    made = Board(Size(5, 5))
    found = vital(Arena(made), [made.index(parse_point(one)) for one in room.split()])
    assert found == (NOWHERE if point is None else made.index(parse_point(point)))


def test_what_may_be_thrown_in() -> None:
    """Three stones that fill a room of four but its last point kill; four in a row do not."""
    made = board("X X X X X X\nO O O O O X\n. . X X O X\nO O O O O X\nX X X X X X")
    arena = Arena(made)
    assert kills(arena, made.index(parse_point("B3")), 1)
    wide = board("X X X X X X X\nO O O O O O X\n. . X X X O X\nO O O O O O X\nX X X X X X X")
    assert not kills(Arena(wide), wide.index(parse_point("B3")), 1)
