"""Our own engine: its moves, passes and resignations, all legal."""

import random
from itertools import count, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.engine import LEVELS, Choice
from godaemon.engine.fallback import is_eye
from godaemon.engine.house import House
from godaemon.errors import Unknown
from godaemon.rules.handicap import fixed_points
from godaemon.rules.named_rulesets import RULESETS
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Position
from godaemon.rules.ruleset import Compensation, Ruleset
from tests.support import places
from tests.support.blocks import read_blocks
from tests.support.boards import FINISHED, TRIPLE_KO, position
from tests.support.examples import examples

BLACK, WHITE = Color.BLACK, Color.WHITE

TO_PLAY = read_blocks(places.DATA / "shapes" / "to_play.txt")
UNTAXED = RULESETS["chinese"].replace(compensation=Compensation.NONE)
"""Chinese rules that do not take the stones of a diagram for a handicap."""


def answer(
    diagram: str,
    color: Color = BLACK,
    *,
    rules: str | Ruleset = UNTAXED,
    level: int = 8,
    komi: float = 0,
) -> Point | None:
    """The move of a level in a set-up position."""
    made = position(diagram, rules)
    made.give_turn(color)
    return House(level, rng=random.Random(1)).genmove(made, color, komi=komi).point


@pytest.mark.parametrize(
    ("name", "color", "komi", "answers", "what"),
    [
        ("room of three", BLACK, -36, "B4", "three points in a row are made two eyes"),
        ("room of three", WHITE, -36, "B4", "and killed in the middle"),
        ("bulky five", BLACK, -30, "B3 A3 B4", "five points are made two eyes"),
        ("bulky five", WHITE, -30, "B3", "and killed where most lines meet"),
    ],
)
@pytest.mark.parametrize("level", [7, 9])
def test_the_vital_point_is_found(
    name: str, color: Color, komi: float, answers: str, what: str, level: int
) -> None:
    """It decides the game."""
    point = answer(TO_PLAY[name], color, level=level, komi=komi)
    assert str(point) in answers.split(), what


def test_stones_in_atari_are_taken() -> None:
    """Where nothing is larger; a stone in a ladder does not run."""
    assert str(answer(TO_PLAY["two stones in atari"])) == "D4"
    assert str(answer(TO_PLAY["ladder"])) != "D4"


@pytest.mark.parametrize("color", Color)
@pytest.mark.parametrize("rules", ["japanese", "chinese", "aga", "new-zealand"])
def test_a_seki_is_left_alone(color: Color, rules: str) -> None:
    """A move there loses; both sides pass, ahead or behind."""
    for komi in (-9.5, 9.5):
        assert answer(TO_PLAY["seki"], color, rules=rules, komi=komi) is None


@pytest.mark.parametrize("color", Color)
@pytest.mark.parametrize(
    ("rules", "level"),
    [
        *((name, 7) for name in RULESETS if name != "stone-scoring"),
        *product(("japanese", "chinese"), (1, 8)),
    ],
)
def test_passes_when_nothing_is_left(color: Color, rules: str, level: int) -> None:
    """By all rules, ahead or behind; no eye is filled."""
    for komi in (-20.5, 20.5):
        assert answer(FINISHED, color, rules=rules, level=level, komi=komi) is None


@pytest.mark.parametrize("komi", [-20.5, 20.5])
@pytest.mark.parametrize("color", Color)
def test_dame_are_played_under_area_rules(color: Color, komi: float) -> None:
    """All of them, before it passes."""
    made = position(TO_PLAY["dame"], UNTAXED)
    made.give_turn(color)
    house = House(3, rng=random.Random(1))
    played = []
    while made.count_passes() < 2:
        point = house.genmove(made, made.to_move, komi=komi).point
        made.play_all([(made.to_move, point)])
        played += [str(point)] * (point is not None)
    assert sorted(played) == ["E6", "E7", "E8", "E9"]


@pytest.mark.parametrize("color", Color)
@pytest.mark.parametrize("komi", [-9.5, 0.5, 9.5])
def test_territory_is_not_filled_under_territory_rules(color: Color, komi: float) -> None:
    """Neither its own nor the opponent's."""
    assert answer(TO_PLAY["rooms"], color, rules="japanese", level=4, komi=komi) is None


@pytest.mark.parametrize("rules", ["japanese", "chinese", "tromp-taylor", "aga"])
def test_a_leader_answers_a_pass_by_a_pass(rules: str) -> None:
    """As soon as the count is won, with or without dame."""
    made = position(TO_PLAY["dame"], rules)
    made.pass_(BLACK)
    assert House(3, rng=random.Random(1)).genmove(made, WHITE, komi=30.5).point is None


def test_dead_stones_are_captured_under_tromp_taylor() -> None:
    """Without an agreement on dead stones a pass would leave them alive."""
    diagram = FINISHED.replace("O . O . .", "O . O . X", 1).replace(
        "O O .\n    X X X X X O O O O\n    X X . X", "O O .\n    X X X X X O O O O\n    X X . X"
    )
    made = position(diagram, "tromp-taylor")
    made.pass_(BLACK)
    assert str(House(3, rng=random.Random(1)).genmove(made, WHITE, komi=2.5).point) == "H9"


def test_lost_games_are_resigned() -> None:
    """After the opening, and not by the weakest levels."""
    house, lost = House(7), hopeless()
    assert house.genmove(lost, BLACK, komi=60) == Choice(None, resigns=True)
    assert not House(3).genmove(lost, BLACK, komi=60).resigns
    assert not house.genmove(lost, BLACK, komi=-60).resigns
    begun = Position(Size(9, 9), UNTAXED)
    assert not house.genmove(begun, BLACK, komi=60).resigns


def hopeless() -> Position:
    """A position that is resigned: both sides passed twice, so three moves were hopeless."""
    made = position(TO_PLAY["room of three"], UNTAXED)
    for _ in range(4):
        made.pass_(made.to_move)
    return made


def test_it_resigns_after_three_hopeless_moves() -> None:
    lost = position(TO_PLAY["room of three"], UNTAXED)
    for passes in range(0, 6, 2):
        assert House(7).genmove(lost, BLACK, komi=60).resigns == (passes == 4)
        for _ in range(2):
            lost.pass_(lost.to_move)


def test_white_does_not_resign_a_handicap_game_early() -> None:
    """It plays on, whatever its chances against nine stones."""
    made = Position(Size(13, 13), RULESETS["japanese"], fixed_points(Size(13, 13), 9))
    house = House(7, rng=random.Random(1))
    for _ in range(10):
        choice = house.genmove(made, made.to_move, komi=0.5)
        assert choice.point is not None
        made.play(made.to_move, choice.point)


def test_the_weakest_level_gives_up_no_group() -> None:
    """In a race of groups it rarely plays elsewhere."""
    made = position(TO_PLAY["bulky five"], UNTAXED)
    points = [
        House(1, rng=random.Random(seed)).genmove(made, BLACK, komi=-30).point for seed in range(10)
    ]
    assert sum(str(point) in ["B3", "A3", "B4", "C4", "C3", "A4", "C5"] for point in points) >= 8


def test_a_cleanup_plays_the_best_move() -> None:
    """Also at the weakest level; nobody resigns in it."""
    made = position(TO_PLAY["bulky five"], UNTAXED)
    choices = (
        House(1, rng=random.Random(seed)).genmove(made, WHITE, komi=-30, cleanup=True)
        for seed in range(8)
    )
    assert {str(choice.point) for choice in choices} == {"B3"}
    assert not House(7).genmove(hopeless(), BLACK, komi=60, cleanup=True).resigns


def test_a_stopped_player_answers_with_its_best_move() -> None:
    """At once, or after some evaluations."""
    made = Position(Size(9, 9), RULESETS["chinese"])
    house = House(10, rng=random.Random(1))
    assert house.genmove(made, BLACK, komi=7.5, stop=lambda: True).point is not None
    assert house.visits == 0
    checks = count()
    assert house.genmove(made, BLACK, komi=7.5, stop=lambda: next(checks) >= 20).point is not None
    assert house.visits == 20


def test_a_player_keeps_to_its_time() -> None:
    """The seconds of its level, or the fewer that it is given."""
    made = Position(Size(9, 9), RULESETS["chinese"])
    ticks = count()
    house = House(10, rng=random.Random(1), now=lambda: next(ticks) / 5)
    house.genmove(made, BLACK, komi=7.5, seconds=2)
    assert 0 < house.visits <= 10
    house.genmove(made, BLACK, komi=7.5)
    assert 0.9 <= house.visits / (LEVELS[9].seconds * 5) <= 1


@pytest.mark.parametrize("stopped", [True, False])
def test_a_large_board_keeps_to_its_time(stopped: bool) -> None:
    """Bug: without the network it took seconds, even when stopped."""
    made, looks = Position(Size(52, 52), RULESETS["chinese"]), count()
    house = House(3, now=lambda: 0.0 if stopped else next(looks) / 100)
    stop = (lambda: next(looks) >= 100) if stopped else bool
    assert house.genmove(made, BLACK, komi=7.5, seconds=1, stop=stop).point is not None
    assert 100 < next(looks) < 110


@pytest.mark.parametrize("look", [0.05, 0.11, 0.2])
def test_no_look_begins_that_might_end_late(look: float) -> None:
    """On a busy machine the next look may take three times the longest so far."""
    made, ticks = Position(Size(9, 9), RULESETS["chinese"]), count()
    house = House(10, rng=random.Random(1), now=lambda: next(ticks) * look)
    house.genmove(made, BLACK, komi=7.5, seconds=1)
    ended = (next(ticks) - 1) * look
    assert ended + 2 * look <= 1
    assert ended + 4 * look > 1


@pytest.mark.parametrize("level", [1, 7, 8])
def test_the_seed_decides_the_move(level: int) -> None:
    """The position stays unchanged."""
    made = position(TO_PLAY["two stones in atari"])
    before = made.copy()
    choices = {House(level, rng=random.Random(7)).genmove(made, WHITE, komi=7.5) for _ in range(2)}
    assert len(choices) == 1
    assert (made, made.board, made.prisoners) == (before, before.board, before.prisoners)


def test_levels_are_1_to_10() -> None:
    """Each draws by less chance than the one before, or looks further ahead."""
    assert [level.number for level in LEVELS] == list(range(1, 11))
    chances = [(level.temperature, level.cost) for level in LEVELS[:7]]
    assert chances == sorted(set(chances), reverse=True)
    assert [level.visits for level in LEVELS] == [0] * 7 + [12, 30, 80]
    for number in (0, 11, -1):
        with pytest.raises(Unknown, match="1 to 10"):
            House(number)


@pytest.mark.parametrize("side", [1, 2, 25, 52])
def test_boards_of_every_size_get_a_legal_move(side: int) -> None:
    """From one point to the largest board."""
    made = Position(Size(side, side), RULESETS["chinese"])
    house = House(2, rng=random.Random(1))
    checks = count()
    choice = house.genmove(made, BLACK, komi=7.5, stop=lambda: next(checks) >= 5)
    assert choice.point is None if side == 1 else made.is_legal(BLACK, choice.point or Point(99, 0))


_SIZES = [(1, 1), (1, 2), (2, 2), (1, 9), (3, 7), (5, 5), (7, 7), (7, 9)]


@settings(max_examples=examples(20), deadline=None)
@given(
    st.sampled_from(_SIZES),
    st.sampled_from(sorted(RULESETS)),
    st.integers(),
    st.sampled_from([1, 3, 7]),
)
def test_every_move_is_legal(size: tuple[int, int], rules: str, seed: int, level: int) -> None:
    """In whole games against wild play; no position repeats, and no eye is filled."""
    made, rng = Position(Size(*size), RULESETS[rules]), random.Random(seed)
    house, ours = House(level, rng=rng), rng.choice(list(Color))
    while made.count_passes() < made.ruleset.passes and made.move_number < 2 * made.size.points:
        color = made.to_move
        if color is not ours:
            play_anything(made, rng)
            continue
        point, resigns = house.genmove(made, color, komi=rng.choice((0, 7.5)))
        if resigns:
            break
        if point is None:
            made.pass_(color)
            continue
        assert made.repeats(color, point) is None
        eye = is_eye(made.board, made.board.index(point), color)
        assert not eye
        made.play(color, point)


def play_anything(made: Position, rng: random.Random) -> None:
    """A random legal move, or sometimes a pass."""
    legal = made.legal_moves(made.to_move)
    point = rng.choice(legal) if legal and rng.random() < 0.95 else None
    made.play_all([(made.to_move, point)])


@pytest.mark.parametrize("rules", ["japanese", "new-zealand"])
def test_a_game_with_three_kos_ends(rules: str) -> None:
    made = position(TRIPLE_KO, rules)
    house = House(7, rng=random.Random(3))
    while made.count_passes() < 2:
        choice = house.genmove(made, made.to_move, komi=0)
        made.play_all([(made.to_move, choice.point)])
    assert made.move_number < 2 * made.size.points
