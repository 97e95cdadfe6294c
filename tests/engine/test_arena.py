"""The board that games are played out on: held to the plain board move by move."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.engine.arena import NOWHERE, Arena
from godaemon.engine.geometry import is_eye, shape
from godaemon.engine.pattern import EYE, KINDS, ROOMY, SHAPELY
from godaemon.rules.board import Board
from godaemon.rules.points import Color, Size, parse_point
from tests.support.boards import board
from tests.support.examples import examples

SIZES = st.builds(Size, st.integers(1, 7), st.integers(1, 7))


def agrees(arena: Arena, made: Board) -> None:
    """Every table of the arena says what the board says."""
    assert arena.cells == made.cells
    assert sorted(arena.vacant) == [at for at, cell in enumerate(made.cells) if not cell]
    assert all(arena.vacant[arena.where[at]] == at for at in arena.vacant)
    for at, cell in enumerate(made.cells):
        if cell:
            chain = made.chain(at)
            assert set(arena.chains[arena.head[at]]) == chain
            assert arena.libs[arena.head[at]] == sum(1 << one for one in made.liberties(chain))
    assert arena.codes == Arena(made).codes


@settings(max_examples=examples(60))
@given(SIZES, st.integers())
def test_plays_as_the_board_does(size: Size, seed: int) -> None:
    """Random games leave the same stones, chains, liberties and patterns, and room is right."""
    rng, made = random.Random(seed), Board(size)
    arena = Arena(made)
    for _ in range(3 * size.points):
        color = rng.choice((1, -1))
        empty = [at for at, cell in enumerate(made.cells) if not cell]
        if not empty:
            break
        at = rng.choice(empty)
        outcome = made.outcome(at, color)
        assert (arena.room(at, color) == 0) is outcome.suicide
        if outcome.suicide:
            continue
        made.apply(at, color, outcome)
        assert arena.play(at, color) == len(outcome.captured)
        agrees(arena, made)


@settings(max_examples=examples(60))
@given(SIZES, st.integers())
def test_sees_eyes_and_room(size: Size, seed: int) -> None:
    """An eye is what `is_eye` calls one, for both colours; room is two empty points beside."""
    rng, made = random.Random(seed), Board(size)
    for at in range(size.points):
        if cell := rng.choice((0, 1, 1, -1)):
            made.put(at, cell)
    codes, plan = list(Arena(Board(size)).codes), Arena(made).plan
    for at, cell in enumerate(made.cells):
        for other, step in plan.steps[cell][at] if cell else ():
            codes[other] += step
    for at, cell in enumerate(made.cells):
        for color in Color if not cell else ():
            kind = KINDS[color][codes[at]]
            assert bool(kind & EYE) is is_eye(made.cells, shape(size), at, color)
            empty = sum(not made.cells[beside] for beside in made.neighbours[at])
            assert bool(kind & ROOMY) is (empty > 1)


def test_restores() -> None:
    """What was saved comes back, as often as one likes, captures and ko included."""
    made = board(". X O .\nX O . O\n. X O .")
    arena = Arena(made)
    start = arena.save()
    for _ in range(2):
        assert arena.play(made.index(parse_point("C2")), 1) == 1
        assert arena.ko == made.index(parse_point("B2"))
        arena.restore(start)
        agrees(arena, made)
        assert arena.ko == NOWHERE


def test_knows_the_ko() -> None:
    """A single stone that took a single one may not be taken at once; two may."""
    made = board(". X O .\nX O . O\n. X O .")
    arena = Arena(made)
    arena.play(made.index(parse_point("C2")), 1)
    assert arena.ko == made.index(parse_point("B2"))
    arena.play(made.index(parse_point("A3")), -1)
    assert arena.ko == NOWHERE


def test_sees_shapes() -> None:
    """Two kinds of hane and a cut are shapes in all directions and for both colours."""
    for diagram in ("X O X\n. . .\n. . .", "X O .\nX . .\n. . .", "O X .\n. . O\n. . ."):
        for turned in (diagram, diagram.translate(str.maketrans("XO", "OX"))):
            arena = Arena(board(turned))
            assert KINDS[1][arena.codes[4]] & SHAPELY
    assert not KINDS[1][Arena(board(". . .\n. . .\n. . .")).codes[4]] & SHAPELY
