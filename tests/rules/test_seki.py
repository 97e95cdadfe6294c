"""Seki and false eyes in shapes; `test_open_dame` counts such boards."""

import pytest
from hypothesis import given

from godaemon.rules import scoring
from godaemon.rules.board import Board
from godaemon.rules.named_rulesets import RULESETS
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.ruleset import Tax
from godaemon.rules.scoring import Status
from godaemon.rules.seki import ALIVE, families
from tests.support import places
from tests.support.blocks import read_blocks
from tests.support.boards import beside, board, count, dead, marked_boards

JAPANESE, CHINESE = RULESETS["japanese"], RULESETS["chinese"]

AN_EYE_EACH, FALSE_EYE = (
    beside(read_blocks(places.DATA / "shapes" / "territory.txt")[name])[0]
    for name in ("an eye each and one shared liberty", "a false eye has to be filled")
)


@pytest.mark.parametrize(
    ("diagram", "territory", "area"),
    [(AN_EYE_EACH, (9, 2), (24, 15)), (FALSE_EYE, (3, 6), (14, 22))],
)
def test_only_area_counts_eyes_in_seki(
    diagram: str, territory: tuple[int, int], area: tuple[int, int]
) -> None:
    """False eyes, too, are area and no territory."""
    made = board(diagram)
    for ruleset, want in ((JAPANESE, territory), (CHINESE, area)):
        score = count(made, (), ruleset)
        assert (score.black.total, score.white.total) == want


def test_area_rules_can_have_a_tax() -> None:
    """On seki: its eyes do not count, false eyes do; on groups: two points each."""
    seki = CHINESE.replace(tax=Tax.SEKI)
    score = count(board(AN_EYE_EACH), (), seki)
    assert (score.black.total, score.white.total) == (23, 14)
    score = count(board(FALSE_EYE), (), seki)
    assert (score.black.total, score.white.total) == (14, 22)
    both = CHINESE.replace(tax=Tax.ALL)
    score = count(board(AN_EYE_EACH), (), both)
    assert (score.black.tax, score.white.tax) == (2, 2)
    assert (score.black.total, score.white.total) == (21, 12)


def test_stone_scoring_counts_live_stones() -> None:
    """No empty point, and the rows show none."""
    made = board(AN_EYE_EACH)
    score = count(made, (), RULESETS["stone-scoring"])
    assert (score.black.total, score.white.total) == (14, 12)
    assert set("".join(scoring.board_rows(made, (), RULESETS["stone-scoring"]))) <= set(".bw")


def test_stones_are_alive_in_seki_or_dead() -> None:
    made, gone = board(AN_EYE_EACH), frozenset[Point]()
    names = " ".join(sorted(map(str, scoring.stones_of_status(made, gone, Status.SEKI))))
    assert names == "A4 B4 B5 C4 D4 D5 E4 F4 F5"
    assert scoring.stones_of_status(made, gone, Status.DEAD) == gone
    stones = {made.point(index) for index, cell in enumerate(made.cells) if cell}
    alive = scoring.stones_of_status(made, gone, Status.ALIVE)
    assert alive == stones - scoring.stones_of_status(made, gone, Status.SEKI)


# a room within walls of black stones, and how many eyes it can become
ROOMS = [
    (".", 1),
    ("..", 1),
    ("...", 2),
    (".@.", 1),
    ("....", 2),
    ("@@..", 2),
    ("..\n..", 1),
    ("..\n.X", 2),
    ("...\nX.X", 2),
    (".@.\nX.X", 1),
    ("..\n..\n.X", 2),
    ("@@\n@.\n.X", 1),
    ("...\n...", 2),
    (".@.\n.@.", 1),
    ("@@@@", 2),
    (".......", 2),
]


@pytest.mark.parametrize(("room", "eyes"), ROOMS)
def test_rooms_become_one_or_two_eyes(room: str, eyes: int) -> None:
    """A dead stone in the middle makes some shapes one eye, their owner to move."""
    rows = room.splitlines()
    wall = "X" * (len(rows[0]) + 2)
    diagram = "\n".join([wall, *(f"X{row}X" for row in rows), wall])
    made = board(diagram)
    (family,) = families(made, map(made.index, dead(diagram)))
    assert family.eyes == eyes


@given(marked_boards())
def test_each_live_stone_is_in_one_family(marked: tuple[Board, frozenset[Point]]) -> None:
    """No point is in two, and none is gained."""
    made, gone = marked
    dead_at = set(map(made.index, gone))
    found = scoring.living_families(made, gone)
    stones = [index for family in found for index in family.stones]
    owned = [index for family in found for index in family.points | family.filled]
    assert sorted(stones) == [
        index for index, cell in enumerate(made.cells) if cell and index not in dead_at
    ]
    assert len(set(owned)) == len(owned)
    assert not set(owned) & set(stones)
    assert all(family.eyes < ALIVE for family in found if family.seki)
    plain = scoring.board_rows(made, gone)
    for ours, theirs in zip(scoring.board_rows(made, gone, JAPANESE), plain, strict=True):
        for one, other in zip(ours, theirs, strict=True):
            assert one == other or (one == "." and other in "BW")


@pytest.mark.parametrize("size", [Size(1, 1), Size(1, 9), Size(9, 1), Size(52, 52)])
def test_boards_of_all_sizes_are_counted(size: Size) -> None:
    """Territory on both sides of a wall through the middle."""
    made = Board(size)
    middle = size.width // 2
    for row in range(size.height if size.width > 3 else 0):
        made.put(made.index(Point(middle - 1, row)), Color.BLACK)
        made.put(made.index(Point(middle, row)), Color.WHITE)
    score = count(made, (), JAPANESE)
    sides = (size.width // 2 - 1, size.width - size.width // 2 - 1)
    want = tuple(side * size.height for side in sides) if size.width > 3 else (0, 0)
    assert (score.black.territory, score.white.territory) == want
