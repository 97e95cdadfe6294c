"""Our own engine: its moves, passes and resignations, all legal."""

import random
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.engine import LEVELS, Choice
from godaemon.engine.fallback import is_eye
from godaemon.engine.house import House
from godaemon.errors import Unknown
from godaemon.rules.handicap import fixed_points
from godaemon.rules.named_rulesets import RULESETS, Compensation, Ruleset
from godaemon.rules.points import Color, Point, Size, parse_point
from godaemon.rules.position import Position
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
    seed: int = 0,
) -> Point | None:
    """What a level plays in a position that is set up."""
    made = position(diagram, rules)
    made.give_turn(color)
    return House(level, rng=random.Random(seed)).genmove(made, color, komi=komi).point


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
def test_life_and_death(
    name: str, color: Color, komi: float, answers: str, what: str, level: int
) -> None:
    """Where one group decides the game its vital point is found."""
    for seed in range(3):
        point = answer(TO_PLAY[name], color, level=level, komi=komi, seed=seed)
        assert str(point) in answers.split(), what


def test_takes_what_can_be_taken() -> None:
    """Stones in atari are taken."""
    for seed in range(3):
        assert str(answer(TO_PLAY["two stones in atari"], seed=seed)) == "D4"


def test_does_not_run_in_a_ladder() -> None:
    """A stone that a ladder catches is left where it is."""
    for seed in range(3):
        assert answer(TO_PLAY["ladder"], seed=seed) != parse_point("D4")


@pytest.mark.parametrize("color", Color)
@pytest.mark.parametrize("rules", ["japanese", "chinese", "aga", "new-zealand"])
def test_leaves_a_seki_alone(color: Color, rules: str) -> None:
    """Who plays there is taken: both sides pass, whether ahead or behind."""
    for komi in (-9.5, 9.5):
        assert answer(TO_PLAY["seki"], color, rules=rules, komi=komi) is None


@pytest.mark.parametrize("color", Color)
@pytest.mark.parametrize("rules", [name for name in RULESETS if name != "stone-scoring"])
@pytest.mark.parametrize("level", [1, 7, 8])
def test_passes_when_nothing_is_left(color: Color, rules: str, level: int) -> None:
    """On a finished board it passes by all rules, ahead or behind, and fills nothing."""
    for komi in (-20.5, 20.5):
        assert answer(FINISHED, color, rules=rules, level=level, komi=komi) is None


@pytest.mark.parametrize("komi", [-20.5, 0.5, 20.5])
@pytest.mark.parametrize("color", Color)
def test_plays_dame_where_they_count(color: Color, komi: float) -> None:
    """Under area rules the last points between the two are taken before it passes."""
    made = position(TO_PLAY["dame"], UNTAXED)
    made.give_turn(color)
    house = House(3, rng=random.Random(1))
    played = []
    while made.count_passes() < 2:
        point = house.genmove(made, made.to_move, komi=komi).point
        if point is None:
            made.pass_(made.to_move)
        else:
            made.play(made.to_move, point)
            played.append(str(point))
    assert sorted(played) == ["E6", "E7", "E8", "E9"]


@pytest.mark.parametrize("color", Color)
@pytest.mark.parametrize("komi", [-9.5, 0.5, 9.5])
def test_does_not_fill_territory(color: Color, komi: float) -> None:
    """Under territory rules it plays neither in its own closed territory nor in the other's."""
    assert answer(TO_PLAY["rooms"], color, rules="japanese", level=4, komi=komi) is None


@pytest.mark.parametrize("rules", ["japanese", "chinese", "tromp-taylor", "aga"])
def test_passes_after_a_pass_if_it_leads(rules: str) -> None:
    """The opponent's pass is answered by one as soon as the count is won, dame or not."""
    made = position(TO_PLAY["dame"], rules)
    made.pass_(BLACK)
    assert House(3, rng=random.Random(1)).genmove(made, WHITE, komi=30.5).point is None


def test_takes_dead_stones_off_where_nobody_else_does() -> None:
    """By rules without removal a pass would leave dead stones alive, and lose: they are taken."""
    diagram = FINISHED.replace("O . O . .", "O . O . X", 1).replace(
        "O O .\n    X X X X X O O O O\n    X X . X", "O O .\n    X X X X X O O O O\n    X X . X"
    )
    made = position(diagram, "tromp-taylor")
    made.pass_(BLACK)
    assert str(House(3, rng=random.Random(1)).genmove(made, WHITE, komi=2.5).point) == "H9"


def test_resigns_what_is_lost() -> None:
    """A lost game is given up after the opening, but not by the weakest levels."""
    house, lost = (
        House(7, rng=random.Random(1)),
        _played_on(position(TO_PLAY["room of three"], UNTAXED)),
    )
    assert house.genmove(lost, BLACK, komi=60) == Choice(None, resigns=True)
    assert not House(3).genmove(lost, BLACK, komi=60).resigns
    assert not house.genmove(lost, BLACK, komi=-60).resigns
    begun = Position(Size(9, 9), UNTAXED)
    assert not house.genmove(begun, BLACK, komi=60).resigns


def _played_on(made: Position) -> Position:
    """Resigns after both sides passed twice, as three moves of each were hopeless."""
    for _ in range(4):
        made.pass_(made.to_move)
    return made


def test_a_hope_of_late_keeps_it_from_resigning() -> None:
    """A game is given up only after three moves of its own without hope."""
    lost = position(TO_PLAY["room of three"], UNTAXED)
    for passes in range(0, 6, 2):
        assert House(7).genmove(lost, BLACK, komi=60).resigns == (passes == 4)
        for _ in range(2):
            lost.pass_(lost.to_move)


def test_handicap_is_no_reason_to_resign() -> None:
    """White plays on against nine stones, whatever the chances are."""
    made = Position(Size(13, 13), RULESETS["japanese"], fixed_points(Size(13, 13), 9))
    house = House(7, rng=random.Random(1))
    for _ in range(10):
        choice = house.genmove(made, made.to_move, komi=0.5)
        assert choice.point is not None
        made.play(made.to_move, choice.point)


@pytest.mark.parametrize("level", [1, 3])
def test_weak_levels_lose_no_groups_at_once(level: int) -> None:
    """However weak, in a race of groups a move that gives one up is as good as never played."""
    made = position(TO_PLAY["bulky five"], UNTAXED)
    points = [
        House(level, rng=random.Random(seed)).genmove(made, BLACK, komi=-30).point
        for seed in range(10)
    ]
    assert sum(str(point) in ["B3", "A3", "B4", "C4", "C3", "A4", "C5"] for point in points) >= 8


def test_no_level_draws_lots_or_gives_up_in_a_cleanup() -> None:
    """Who takes dead stones off plays the best move at once, at the weakest level too."""
    made = position(TO_PLAY["bulky five"], UNTAXED)
    choices = (
        House(1, rng=random.Random(seed)).genmove(made, WHITE, komi=-30, cleanup=True)
        for seed in range(8)
    )
    assert {str(choice.point) for choice in choices} == {"B3"}
    lost = _played_on(position(TO_PLAY["room of three"], UNTAXED))
    assert not House(7).genmove(lost, BLACK, komi=60, cleanup=True).resigns


def test_stops_at_once() -> None:
    """When stopped it answers with its best move: at once, or after some evaluations."""
    made = Position(Size(9, 9), RULESETS["chinese"])
    house = House(10, rng=random.Random(1))
    assert house.genmove(made, BLACK, komi=7.5, stop=lambda: True).point is not None
    assert house.looks == 0
    checks = count()
    assert house.genmove(made, BLACK, komi=7.5, stop=lambda: next(checks) >= 20).point is not None
    assert house.looks == 20


def test_keeps_to_its_time() -> None:
    """With a clock it ends at its level's seconds, or at the fewer that it is given."""
    made = Position(Size(9, 9), RULESETS["chinese"])
    ticks = count()
    house = House(10, rng=random.Random(1), now=lambda: next(ticks) / 5)
    house.genmove(made, BLACK, komi=7.5, seconds=2)
    assert 0 < house.looks <= 10
    house.genmove(made, BLACK, komi=7.5)
    assert 0.9 <= house.looks / (LEVELS[9].seconds * 5) <= 1


@pytest.mark.parametrize("stopped", [True, False])
def test_bug_a_large_board_took_seconds(stopped: bool) -> None:
    """Without the network, too, it ends at its time or when stopped: playouts end early."""
    made, looks = Position(Size(52, 52), RULESETS["chinese"]), count()
    house = House(3, now=lambda: 0.0 if stopped else next(looks) / 100)
    stop = (lambda: next(looks) >= 100) if stopped else bool
    assert house.genmove(made, BLACK, komi=7.5, seconds=1, stop=stop).point is not None
    assert 100 < next(looks) < 110


@pytest.mark.parametrize("look", [0.05, 0.11, 0.2])
def test_begins_no_look_that_might_end_late(look: float) -> None:
    """On a busy machine the next look may last three times as long as the longest so far."""
    made, ticks = Position(Size(9, 9), RULESETS["chinese"]), count()
    house = House(10, rng=random.Random(1), now=lambda: next(ticks) * look)
    house.genmove(made, BLACK, komi=7.5, seconds=1)
    ended = (next(ticks) - 1) * look
    assert ended + 2 * look <= 1
    assert ended + 4 * look > 1


@pytest.mark.parametrize("level", [level.number for level in LEVELS[:9]])
def test_same_seed_same_moves(level: int) -> None:
    """The seed decides and nothing else does; the position is left as it was."""
    made = position(TO_PLAY["two stones in atari"])
    before = made.copy()
    choices = {House(level, rng=random.Random(7)).genmove(made, WHITE, komi=7.5) for _ in range(2)}
    assert len(choices) == 1
    assert (made, made.board, made.prisoners) == (before, before.board, before.prisoners)


def test_there_are_ten_levels() -> None:
    """Six draw by less and less chance, one plays the best, three look ahead; no others."""
    assert [level.number for level in LEVELS] == list(range(1, 11))
    chances = [(level.temperature, level.cost) for level in LEVELS[:7]]
    assert chances == sorted(set(chances), reverse=True)
    assert [level.visits for level in LEVELS] == [0] * 7 + [12, 30, 80]
    for number in (0, 11, -1):
        with pytest.raises(Unknown, match="1 to 10"):
            House(number)


@pytest.mark.parametrize("side", [1, 2, 25, 52])
def test_boards_of_every_size(side: int) -> None:
    """From one point to the largest board there is an answer, and it is legal."""
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
def test_always_legal(size: tuple[int, int], rules: str, seed: int, level: int) -> None:
    """In whole games against wild play each answer is legal, new, and fills no eye."""
    made, rng = Position(Size(*size), RULESETS[rules]), random.Random(seed)
    house, ours = House(level, rng=rng), rng.choice(list(Color))
    while made.count_passes() < made.ruleset.passes and made.move_number < 3 * made.size.points:
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
    """A legal move by lot, or now and then a pass."""
    legal = made.legal_moves(made.to_move)
    if legal and rng.random() < 0.95:
        made.play(made.to_move, rng.choice(legal))
    else:
        made.pass_(made.to_move)


@pytest.mark.parametrize("rules", ["japanese", "chinese", "chinese-superko", "new-zealand"])
def test_kos_are_not_retaken(rules: str) -> None:
    """In a position of three kos whole games against itself are legal and end."""
    made = position(TRIPLE_KO, rules)
    house = House(7, rng=random.Random(3))
    while made.count_passes() < 2:
        choice = house.genmove(made, made.to_move, komi=0)
        if choice.point is None:
            made.pass_(made.to_move)
        else:
            made.play(made.to_move, choice.point)
    assert made.move_number < 2 * made.size.points
