"""Positions: legality, ko, superko, prisoners, undo."""

import random
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.errors import IllegalMove, Reason
from godaemon.rules.board import points_of
from godaemon.rules.named_rulesets import RULESETS
from godaemon.rules.points import Color, Point, Size, parse_point
from godaemon.rules.position import Move, Position
from godaemon.rules.ruleset import Ko
from tests.support.boards import board, drawn, points, position
from tests.support.cost import calls
from tests.support.examples import examples

BLACK, WHITE = Color.BLACK, Color.WHITE
ALL = sorted(RULESETS)


def play(game: Position, moves: str) -> None:
    """Play moves such as `B D4 W pass`."""
    words = moves.split()
    for name, vertex in zip(words[::2], words[1::2], strict=True):
        color = BLACK if name == "B" else WHITE
        if vertex == "pass":
            game.pass_(color)
        else:
            game.play(color, parse_point(vertex))


def refused(game: Position, color: Color, vertex: str) -> Reason:
    """Why a move is illegal; fails where it is not, or where the attempt changes anything."""
    before = game.copy()
    for attempt in (game.dry_run, game.play):
        with pytest.raises(IllegalMove) as refusal:
            attempt(color, parse_point(vertex))
        assert vertex in refusal.value.public
    assert not game.is_legal(color, parse_point(vertex))
    same(game, before)
    return refusal.value.reason


def same(one: Position, other: Position) -> None:
    """Two positions agree in everything that can be seen, and in what may be played next."""
    assert drawn(one.board) == drawn(other.board)
    assert hash(one.board) == hash(other.board)
    assert one.prisoners == other.prisoners
    assert one.moves == other.moves
    assert one.to_move is other.to_move
    assert legal(one) == legal(other)


def legal(game: Position) -> set[tuple[Color, Point]]:
    points = [game.board.point(index) for index in range(game.size.points)]
    return {(color, point) for color in Color for point in points if game.is_legal(color, point)}


KO = """
    . X O . .
    X O . O .
    . X O . .
    . . . . .
    """
LINE = "B A1 W pass B C1 W B1 B pass W A1 B C1"
"""On a board of three points: White's stones are taken, and Black's alone is as at the start."""

# name: board, moves before, the move; why no ruleset allows it, or what its kind of ko rule says
REFUSALS = {
    "on a stone": ("X . .\n. . O", "", "W A2", "occupied"),
    "beside the board": ("X . .\n. . O", "", "B D1", "off board"),
    "above the board": ("X . .\n. . O", "", "B A3", "off board"),
    "far from the board": ("X . .\n. . O", "", "B AA1", "off board"),
    "a ko at once": (KO, "B C3", "W B3", "ko"),
    "a ko again": (KO, "B C3 W E1 B A1 W B3", "B C3", "ko"),
    "one stone's suicide": (". O\nO .", "", "B A2", "suicide"),
    "on one point": (".", "", "B A1", "suicide"),
    "back on two points": (".\n.", "B A1 W A2", "B A1", "ko"),
    "a ko in one row": (". " * 9, "B A1 W B1 B C1 W E1 B A1", "W B1", "ko"),
    "a ko after two passes": (KO, "B C3 W pass B pass", "W B3", {Ko.SIMPLE: ""}),
    "a ko after many": (KO, "B C3" + " W pass B pass" * 500, "W B3", {Ko.SIMPLE: ""}),
    "two points after passes": (".\n.", "B A1 W A2 B pass W pass", "B A1", {Ko.SIMPLE: ""}),
    "a stone that takes nothing": (". . .", LINE, "B A1", {Ko.SIMPLE: ""}),
    "a ko after an exchange": (KO, "B C3 W E1 B A1", "W B3", ""),
    "a snapback": (". X O O .\nX O X O .\nX O . X .\nX X X X .", "W C2", "B C3", ""),
}


@pytest.mark.parametrize(("diagram", "before", "move", "why"), REFUSALS.values(), ids=REFUSALS)
def test_illegal_moves_are_refused(
    diagram: str, before: str, move: str, why: str | dict[Ko, str]
) -> None:
    """By every ruleset, or by those of a kind of ko rule; a refusal changes nothing."""
    name, vertex = move.split()
    for rules in ALL:
        game = position(diagram, rules)
        play(game, before)
        reason = why if isinstance(why, str) else why.get(RULESETS[rules].ko, "superko")
        if reason:
            assert refused(game, BLACK if name == "B" else WHITE, vertex).value == reason, rules
        else:
            play(game, move)


def test_the_largest_board_is_playable() -> None:
    """52x52 has columns up to BB and captures in its far corner."""
    game = Position(Size(52, 52), RULESETS["chinese-superko"])
    play(game, "B BB52 W BA52 B A1 W BB51")
    assert game.captured == (Point(51, 51),)
    assert game.prisoners == {BLACK: 0, WHITE: 1}


def test_handicap_stones_are_no_moves() -> None:
    """White begins, and undo does not remove them."""
    stones = [Point(2, 2), Point(6, 6)]
    game = Position(Size(9, 9), RULESETS["chinese-superko"], stones)
    assert game.to_move is WHITE
    assert game.handicap == tuple(stones)
    assert game.undo() is None
    play(game, "W E5")
    assert game.undo() == Move(WHITE, Point(4, 4))
    assert game.board.color(stones[0]) is BLACK


def test_invalid_setups_are_refused() -> None:
    """A set-up is checked like a move."""
    rules = RULESETS["japanese"]
    with pytest.raises(IllegalMove, match="already a stone"):
        Position(Size(3, 3), rules, [Point(0, 0)], set_up_white=[Point(0, 0)])
    with pytest.raises(IllegalMove, match="off the 3x3 board"):
        Position(Size(3, 3), rules, [Point(3, 0)])


def test_a_dry_run_shows_captures() -> None:
    """It changes nothing."""
    game = position(KO)
    before = game.copy()
    assert game.dry_run(BLACK, parse_point("C3")) == (parse_point("B3"),)
    assert game.dry_run(WHITE, parse_point("E1")) == ()
    same(game, before)


def test_repeats_finds_the_earlier_position() -> None:
    """Whatever the ruleset forbids."""
    game = position(KO, "japanese")
    play(game, "B C3 W E1 B A1")
    assert game.repeats(WHITE, parse_point("B3")) is None
    game = position(KO, "japanese")
    play(game, "B C3")
    assert game.repeats(WHITE, parse_point("B3")) == 0
    assert game.repeats(WHITE, parse_point("E1")) is None
    assert game.repeats(WHITE, parse_point("C3")) is None
    assert game.repeats(WHITE, parse_point("F1")) is None


def test_stones_of_a_chain_share_liberties() -> None:
    """An empty point has none."""
    game = position("X X .\n. O .\n. . .")
    assert game.liberties(parse_point("A3")) == points("A2 C3")
    assert game.liberties(parse_point("C1")) == frozenset()
    assert game.liberties(parse_point("D4")) == frozenset()
    every = game.all_liberties()
    assert every.keys() == points("A3 B3 B2")
    assert every[parse_point("B3")] is every[parse_point("A3")]
    assert every[parse_point("B2")] == points("A2 B1 C2")


def test_positions_are_equal_by_their_moves() -> None:
    """In any other order they are not; boards compare stones."""
    one, other = (Position(Size(3, 3), RULESETS["japanese"]) for _ in range(2))
    play(one, "B A1 W B1 B C1")
    play(other, "B C1 W B1 B A1")
    assert one != other
    assert one.board == other.board
    second = Position(Size(3, 3), RULESETS["japanese"])
    play(second, "B A1 W B1 B C1")
    assert second == one
    assert len({one, other, second, one.copy()}) == 2
    second.give_turn(BLACK)
    assert second != one
    assert one != Position(Size(3, 3), RULESETS["chinese"])
    assert one != "a position"


def test_undo_restores_the_turn() -> None:
    """Also after a move out of turn."""
    game = Position(Size(3, 3), RULESETS["japanese"])
    play(game, "B A1 B B1")
    assert game.to_move is WHITE
    game.undo()
    assert game.to_move is WHITE
    game.give_turn(BLACK)
    play(game, "B C1 W B2")
    game.undo()
    game.undo()
    assert game.to_move is BLACK


@settings(max_examples=examples(300))
@given(
    st.builds(Size, st.integers(1, 6), st.integers(1, 6)),
    st.sampled_from(ALL),
    st.lists(st.integers(0, 36), max_size=80),
)
def test_legal_moves_equal_single_checks(size: Size, rules: str, choices: list[int]) -> None:
    """In any game with captures, kos, suicides and undone moves."""
    game = Position(size, RULESETS[rules])
    for choice in choices:
        for color in Color:
            single = [point for point in points_of(game.size) if game.is_legal(color, point)]
            assert game.legal_moves(color) == tuple(single)
        moves = game.legal_moves(game.to_move)
        if choice == 0:
            game.undo()
        elif choice <= len(moves):
            game.play(game.to_move, moves[choice - 1])
        else:
            game.pass_(game.to_move)


def stop(
    play_on: Callable[[Position, list[Move]], None], game: Position, moves: list[Move]
) -> tuple[Reason, int | None, str] | None:
    """Why moves could not all be played, and in which words."""
    try:
        play_on(game, moves)
    except IllegalMove as refusal:
        return refusal.reason, refusal.repeats, refusal.public
    return None


def test_play_all_stops_at_an_illegal_move() -> None:
    """The moves before it stay played."""
    position = Position(Size(3, 3), RULESETS["japanese"])
    a1 = Move(Color.BLACK, Point(0, 0))
    moves = [a1, Move(Color.WHITE, None), a1, Move(Color.WHITE, Point(1, 1))]
    assert stop(Position.play_all, position, moves) is not None
    assert position.moves == tuple(moves[:2])


@pytest.mark.parametrize("ko", Ko)
def test_play_all_takes_linear_time(ko: Ko) -> None:
    """Even with endless captures."""
    rng = random.Random(5)
    game = Position(Size(9, 9), RULESETS["tromp-taylor"].replace(ko=ko))
    points = [Point(column, row) for column in range(9) for row in range(9)]
    while game.move_number < 1200:
        one = Move(game.to_move, rng.choice(points) if rng.random() < 0.99 else None)
        stop(Position.play_all, game, [one])
    half, whole = (
        calls(partial(Position(game.size, game.ruleset).play_all, game.moves[:count]))
        for count in (600, 1200)
    )
    assert whole < 2.3 * half


def test_chains_and_liberties() -> None:
    """Stones connect along lines and not across corners; a shared liberty counts once."""
    made = board(". X .\nX . X\n. X X")
    chain = made.chain(made.index(parse_point("C2")))
    assert {str(made.point(index)) for index in chain} == {"C2", "C1", "B1"}
    assert {str(made.point(index)) for index in made.liberties(chain)} == {"C3", "B2", "A1"}
