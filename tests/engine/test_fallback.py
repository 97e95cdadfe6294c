"""The moves of our own player."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.engine import choose
from godaemon.engine.geometry import is_eye, shape
from godaemon.rules.points import Color, Point, Size, parse_point
from godaemon.rules.position import Position
from godaemon.rules.rulesets import RULESETS
from tests.support.boards import FINISHED, position
from tests.support.examples import examples

BLACK, WHITE = Color.BLACK, Color.WHITE


@pytest.mark.parametrize(
    ("diagram", "answers", "what"),
    [
        (
            """
            . . . . . . .
            . . . . . . .
            . X X . . . .
            X O O . . . .
            . X X . . . .
            . . . . . . .
            . . . . . . .
            """,
            "D4",
            "two stones in atari are taken",
        ),
        (
            """
            . . . X . . .
            . . X O X . .
            . . . . . . .
            . . . . . . .
            . X X X X . .
            X O O O O . .
            . X X X X . .
            """,
            "F2",
            "of two captures the larger one is made",
        ),
    ],
)
def test_takes_and_saves(diagram: str, answers: str, what: str) -> None:
    """What hangs by one move is seen, whatever the chance numbers are."""
    for seed in range(5):
        move = choose(position(diagram), BLACK, rng=random.Random(seed))
        assert str(move) in answers.split(), what


def test_does_not_run_in_a_ladder() -> None:
    """A single stone in atari that a ladder catches is left alone."""
    board = position(
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . O . . . . . .
        . . O X O . . . .
        . . . O . . . . .
        . . . . . . . . .
        """
    )
    for seed in range(5):
        assert choose(board, BLACK, rng=random.Random(seed)) != parse_point("D4")


@pytest.mark.parametrize("color", Color)
@pytest.mark.parametrize("rules", RULESETS)
def test_passes_when_nothing_is_left(color: Color, rules: str) -> None:
    """On a finished board it passes and fills no eye, by all rules and for both colours."""
    board = position(FINISHED, rules)
    for seed in range(5):
        assert choose(board, color, rng=random.Random(seed)) is None


def test_same_seed_same_move() -> None:
    """The seed decides, and nothing else does; the position is left as it was."""
    board = position(". . . X .\n. O . . .\n. . X . .\n. . . O .\n. . . . .")
    before = board.copy()
    first = choose(board, WHITE, rng=random.Random(7))
    assert first == choose(board, WHITE, rng=random.Random(7))
    assert board.board == before.board
    assert board.moves == before.moves
    assert board.to_move == before.to_move


_SIZES = [(1, 1), (1, 2), (2, 2), (1, 9), (2, 3), (3, 7), (5, 5), (9, 4), (7, 7)]


@settings(max_examples=examples(30))
@given(st.sampled_from(_SIZES), st.sampled_from(sorted(RULESETS)), st.integers(), st.booleans())
def test_games_end(size: tuple[int, int], rules: str, seed: int, wild: bool) -> None:
    """Against itself every game ends, and against wild play it passes for good in the end.

    No eye is ever filled.
    """
    game = Position(Size(*size), RULESETS[rules])
    rng = random.Random(seed)
    bound = 3 * game.size.points
    while game.passes() < 2 and game.move_number < bound:
        color = game.to_move
        if wild and color is WHITE:
            _play_anything(game, rng)
            continue
        move = choose(game, color, rng=rng)
        if move is None:
            game.pass_(color)
            continue
        eye = is_eye(game.board.cells, shape(game.size), game.board.index(move), color)
        assert not eye
        game.play(color, move)
    if not wild:
        assert game.passes() == 2
    while game.move_number < bound:
        game.pass_(game.to_move)
    assert choose(game, game.to_move, rng=rng) is None


def _play_anything(game: Position, rng: random.Random) -> None:
    color = game.to_move
    points = [game.board.point(index) for index in range(game.size.points)]
    legal = [point for point in points if game.is_legal(color, point)]
    if legal and rng.random() < 0.95:
        game.play(color, rng.choice(legal))
    else:
        game.pass_(color)


def test_whole_games_on_the_usual_boards() -> None:
    """A 9x9 game and one on a board that is not square end well before the bound."""
    for size in (Size(9, 9), Size(13, 7)):
        game = Position(size, RULESETS["chinese"])
        rng = random.Random(3)
        while game.passes() < 2:
            move = choose(game, game.to_move, rng=rng)
            if move is None:
                game.pass_(game.to_move)
            else:
                game.play(game.to_move, move)
        assert size.points // 2 < game.move_number < 2 * size.points


def test_eyes() -> None:
    """One gap at the corners of an eye is allowed in the middle, none at the edge."""
    board = position(
        """
        . X . X O
        X X X X X
        X . X . X
        O X X X O
        . O X O .
        """
    ).board
    plan = shape(board.size)
    eyes = [
        str(board.point(index))
        for index, cell in enumerate(board.cells)
        if not cell and is_eye(board.cells, plan, index, BLACK)
    ]
    assert sorted(eyes) == ["A5", "B3", "C5", "D3"]
    assert not is_eye(board.cells, plan, board.index(Point(0, 0)), WHITE)
