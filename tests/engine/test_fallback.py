"""Moves of our engine without the network, and its random playouts."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.engine import fallback
from godaemon.engine.fallback import (
    MAX_MOVES_PER_POINT,
    choose_move,
    is_eye,
    mean_owners,
    read_dead_stones,
)
from godaemon.rules.board import Board
from godaemon.rules.named_rulesets import RULESETS
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Position
from tests.engine.test_house import TO_PLAY, play_anything
from tests.engine.test_network_dead_stones import shapes, unmarked
from tests.support.boards import FINISHED, board, dead, position
from tests.support.examples import examples

BLACK, WHITE = Color.BLACK, Color.WHITE


@pytest.mark.parametrize(
    ("name", "move"), [("two stones in atari", "D4"), ("two captures", "F2"), ("ladder", "D4")]
)
def test_stones_in_atari_are_taken_or_saved(name: str, move: str) -> None:
    """The larger capture first; a stone in a ladder does not run."""
    for seed in range(2):
        found = choose_move(position(TO_PLAY[name]), BLACK, komi=0.5, rng=random.Random(seed))
        assert (str(found) == move) == (name != "ladder")


@pytest.mark.parametrize("color", Color)
@pytest.mark.parametrize("rules", RULESETS)
def test_passes_when_nothing_is_left(color: Color, rules: str) -> None:
    """On a finished board it passes and fills no eye, by all rules and for both colours."""
    board = position(FINISHED, rules)
    for seed in range(2):
        assert choose_move(board, color, komi=0.5, rng=random.Random(seed)) is None


def test_the_seed_decides_the_move() -> None:
    """The position stays unchanged."""
    board = position(". . . X .\n. O . . .\n. . X . .\n. . . O .\n. . . . .")
    before = board.copy()
    first = choose_move(board, WHITE, komi=0.5, rng=random.Random(7))
    assert first == choose_move(board, WHITE, komi=0.5, rng=random.Random(7))
    assert board.board == before.board
    assert board.moves == before.moves
    assert board.to_move == before.to_move


_SIZES = [(1, 1), (1, 2), (2, 2), (1, 9), (2, 3), (3, 5), (4, 4)]


@settings(max_examples=examples(20), deadline=None)
@given(st.sampled_from(_SIZES), st.sampled_from(sorted(RULESETS)), st.integers(), st.booleans())
def test_games_end_without_filled_eyes(
    size: tuple[int, int], rules: str, seed: int, wild: bool
) -> None:
    """Games against itself end, and after endless wild play it only passes."""
    game = Position(Size(*size), RULESETS[rules])
    rng = random.Random(seed)
    bound = MAX_MOVES_PER_POINT * game.size.points + 2
    while game.count_passes() < 2 and game.move_number < bound:
        color = game.to_move
        if wild and color is WHITE:
            play_anything(game, rng)
            continue
        move = choose_move(game, color, komi=0.5, rng=rng)
        if move is None:
            game.pass_(color)
            continue
        eye = is_eye(game.board, game.board.index(move), color)
        assert not eye
        game.play(color, move)
    if not wild:
        assert game.count_passes() == 2
    while game.move_number < MAX_MOVES_PER_POINT * game.size.points:
        game.pass_(game.to_move)
    assert choose_move(game, game.to_move, komi=0.5, rng=rng) is None


def test_only_the_player_behind_plays_into_corners() -> None:
    """Behind, it tries a corner in which White needs an answer; ahead, it passes."""
    held, roomy = (
        position(TO_PLAY[name]) for name in ("corner with a stone in it", "roomy corner")
    )
    for seed in range(2):
        assert choose_move(held, BLACK, komi=-60, rng=random.Random(seed)) is None
        assert choose_move(roomy, BLACK, komi=60, rng=random.Random(seed)) is not None


@pytest.mark.parametrize("diagram", [FINISHED, *shapes("fallback", "plain", "small seki")])
def test_dead_stones_of_finished_games_are_found(diagram: str) -> None:
    """Exactly the dead stones; none in a seki."""
    found = read_dead_stones(unmarked(diagram))
    assert found.dead == dead(diagram)
    assert not found.doubtful or "#" not in diagram
    assert found == read_dead_stones(unmarked(diagram))


def test_large_boards_get_fewer_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The larger a board, the longer each playout takes."""
    counts: list[int] = []

    def _count(board: Board, _begin: object, games: int, _rng: object) -> list[float]:
        counts.append(games)
        return [0.0] * board.size.points

    monkeypatch.setattr(fallback, "mean_owners", _count)
    for side in (5, 19, 26, 52):
        read_dead_stones(Position(Size(side, side), RULESETS["chinese"]))
    assert counts == [100, 100, 28, 12]


def test_eyes_may_have_one_gap() -> None:
    """A missing corner is allowed in the middle, none at the edge."""
    made = position(
        """
        . X . X O
        X X X X X
        X . X . X
        O X X X O
        . O X O .
        """
    ).board
    eyes = [
        str(made.point(index))
        for index, cell in enumerate(made.cells)
        if not cell and is_eye(made, index, BLACK)
    ]
    assert sorted(eyes) == ["A5", "B3", "C5", "D3"]
    assert not is_eye(made, made.index(Point(0, 0)), WHITE)


def test_playouts_find_owners() -> None:
    """Live stones and their eyes keep their owner in every game; a dead stone falls."""
    made = board(". X O .\nX X O O\n. X O .\nX X O #")
    found = mean_owners(made, tuple(Color), 20, random.Random(1))
    width = made.size.width
    assert [found[at : at + 2] for at in range(0, len(found), width)] == [[1, 1]] * 4
    assert [found[at + 2 : at + 4] for at in range(0, len(found), width)] == [[-1, -1]] * 4


@settings(max_examples=examples(20))
@given(st.builds(Size, st.integers(1, 6), st.integers(1, 6)), st.integers())
def test_any_board_is_played_out(size: Size, seed: int) -> None:
    """Each share is from -1 to 1 and reproducible by seed; the board is unchanged."""
    rng, made = random.Random(seed), Board(size)
    for at in range(size.points):
        if rng.random() < 0.3:
            made.put(at, rng.choice((1, -1)))
            if not made.liberties(made.chain(at)):
                made.lift(at)
    before = made.copy()
    shares = mean_owners(made, (WHITE,), 4, random.Random(seed))
    assert len(shares) == size.points
    assert all(-1 <= share <= 1 for share in shares)
    assert shares == mean_owners(made, (WHITE,), 4, random.Random(seed))
    assert made == before
