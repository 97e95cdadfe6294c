"""Counting boards with seki, false eyes and open dame: tables, and a property.

A board of `tests/data/open_dame` is a line with the reason, and its rows beside those that
Japanese rules make of them. Each was judged by playing its dame out by turns, the owner of a point
moving first, and by eye. Where the reason begins with `~` one dame is worth a point to who takes
it first; the others are settled, and there no dame is worth anything. In the third set borders are
open as well, and play is not over. The boards of seki and false eyes in `tests/data/shapes` are
judged by what goscorer (basic_sekis, false_eyes, side_bamboo, narrow_board, three_point_false_eye)
and KataGo's `testboardarea.cpp` publish for such shapes; all of them are our own.
"""

from collections.abc import Iterator
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from godaemon.rules import scoring
from godaemon.rules.board import EMPTY, Board
from godaemon.rules.named_rulesets import RULESETS
from godaemon.rules.points import Color
from tests.support import places
from tests.support.blocks import read_blocks
from tests.support.boards import beside, board, dead, lines

JAPANESE = RULESETS["japanese"]
SWAP = str.maketrans("XO#@BWbwcx", "OX@#WBwbxc")


class Row(NamedTuple):
    """One board of the tables."""

    reason: str
    diagram: list[str]
    rows: list[str]

    @property
    def settled(self) -> bool:
        """True if no dame is worth a point."""
        return not self.reason.startswith("~")


def read(name: str) -> list[Row]:
    """The boards of a file, separated by empty lines."""
    text = (places.DATA / "open_dame" / name).read_text()
    found = []
    for block in text.strip().split("\n\n"):
        reason, *rest = block.splitlines()
        pairs = [line.split() for line in rest]
        found.append(Row(reason, [one for one, _ in pairs], [one for _, one in pairs]))
    return found


FIRST, SECOND, THIRD = read("first.txt"), read("second.txt"), read("third.txt")
SEKI = [
    Row(name, *map(lines, beside(text)))
    for name, text in read_blocks(places.DATA / "shapes" / "territory.txt").items()
]


def counted(diagram: list[str]) -> list[str]:
    text = "\n".join(diagram)
    return list(scoring.board_rows(board(text), dead(text), JAPANESE))


def test_points_have_their_owners() -> None:
    """Also on the transposed board with exchanged colours."""
    for row in FIRST + SECOND + THIRD + SEKI:
        assert counted(row.diagram) == row.rows, row.reason
        turned = ["".join(column).translate(SWAP) for column in zip(*row.diagram, strict=True)]
        want = ["".join(column).translate(SWAP) for column in zip(*row.rows, strict=True)]
        assert counted(turned) == want, row.reason


def test_there_are_200_different_boards() -> None:
    """Two hundred boards, none of them twice."""
    assert len({tuple(row.diagram) for row in FIRST + SECOND}) == len(FIRST + SECOND) >= 200


class Filled(NamedTuple):
    """A dame that was filled, and whose points are another's for it, far from the dame."""

    at: int
    color: Color
    before: Board
    changed: dict[int, tuple[str, str]]


def owners(made: Board) -> str:
    return "".join(reversed(["".join(row) for row in scoring.board_rows(made, (), JAPANESE)]))


def fills(made: Board) -> Iterator[Filled]:
    """Each dame filled by each colour that can do so without being in atari for it."""
    before, near = owners(made), made.neighbours
    for at, cell in enumerate(made.cells):
        if cell != EMPTY or not {1, -1} <= {made.cells[one] for one in near[at]}:
            continue
        for color in Color:
            after = made.copy()
            if after.play(at, color):
                continue
            if len(after.liberties(after.chain(at))) > 1:
                states = enumerate(zip(before, owners(after), strict=True))
                far = {one: both for one, both in states if one not in (at, *near[at])}
                yield Filled(at, color, after, {k: v for k, v in far.items() if v[0] != v[1]})


def alive(diagram: list[str]) -> Board:
    """The board of a diagram without its dead stones."""
    return board("\n".join(diagram).translate(str.maketrans("#@", "..")))


def test_filled_dame_change_nothing_far_away() -> None:
    """On a settled board; on another some dame does."""
    for row in FIRST + SECOND:
        changes = [one for one in fills(alive(row.diagram)) if one.changed]
        assert bool(changes) is not row.settled, row.reason


@st.composite
def fronts(draw: st.DrawFn) -> list[str]:
    """Two territories whose walls face each other, with stones before them and holes in them."""
    width = draw(st.integers(4, 9))

    def line(color: str, share: int) -> str:
        gaps = draw(st.lists(st.integers(0, share), min_size=width, max_size=width))
        return "".join("." if gap == 0 else color for gap in gaps)

    room = ["." * width] * 2
    return [*room, line("O", 4), line("O", 2), line("X", 2), line("X", 4), *room]


@given(fronts())
def test_distant_changes_by_dame_are_links(diagram: list[str]) -> None:
    """Who fills a dame loses nothing by it.

    Who gains something has threatened to connect or has
    cut, at a dame beside several chains of the owner, or one that bridges two of his own.
    """
    made = board("\n".join(diagram))
    if any(len(made.liberties(made.chain(at))) < 2 for at, cell in enumerate(made.cells) if cell):
        return
    for one in fills(made):
        mine, theirs = ("BW", "WB")[one.color is Color.WHITE]
        for was, is_ in one.changed.values():
            assert was != mine
            assert theirs in (was, is_) or is_ == mine
