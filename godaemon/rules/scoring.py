"""Counting: groups that live or die together, the seven-state board, territory, area and stones.

Cannot fail. Groups and surrounded points are found by flooding (godaemon/README.md, "Counting");
`godaemon.rules.seki` finds the points that a ruleset does not count.

>>> from godaemon.rules.points import Size, parse_point
>>> from godaemon.rules.named_rulesets import RULESETS
>>> black, white = (
...     [parse_point(f"{column}{row}") for row in range(1, 6)] for column in "BD"
... )
>>> dead = [parse_point("A2")]
>>> position = Position(Size(5, 5), RULESETS["japanese"], black, set_up_white=[*white, *dead])
>>> for row in board_rows(position.board, dead):
...     print(row)
Bb.wW
Bb.wW
Bb.wW
xb.wW
Bb.wW
>>> score = count(position, dead, komi=6.5)
>>> score.black.territory, score.black.prisoners, score.result
(5, 1, 'W+5.5')
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from godaemon.rules.board import EMPTY, Board, components, flood
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position
from godaemon.rules.ruleset import Ruleset, Scoring, Tax
from godaemon.rules.seki import Family, families

_DEAD = {Color.BLACK: "c", Color.WHITE: "x"}
_PLAYED = bytes.maketrans(array("b", [EMPTY, 1, -1]).tobytes(), b".bw")
"""The state of a point by its cell, as a byte."""
_TERRITORY = {Color.BLACK: "B", Color.WHITE: "W"}


def group(board: Board, dead: Iterable[Point], stone: Point) -> frozenset[Point]:
    """The stones that live or die with `stone`.

    A flood from the stone stops at live stones of the other colour. The group is all stones of its
    own colour that it reaches, whether marked dead or alive.
    """
    start = board.index(stone)
    color = board.cells[start]
    removed = {board.index(point) for point in dead}
    fence = [cell == -color and index not in removed for index, cell in enumerate(board.cells)]
    region = flood(fence, board.neighbours, start)
    return frozenset(board.point(index) for index in region if board.cells[index] == color)


def chain(board: Board, stone: Point) -> frozenset[Point]:
    return frozenset(map(board.point, board.chain(board.index(stone))))


def chains(board: Board, stones: Iterable[Point]) -> tuple[frozenset[Point], ...]:
    """The chains of some stones, in the order of the board from its lower left."""
    remaining = {board.index(point) for point in stones}
    result = []
    while remaining:
        stones_of_chain = board.chain(min(remaining))
        result.append(frozenset(map(board.point, stones_of_chain)))
        remaining -= stones_of_chain
    return tuple(result)


def board_rows(
    board: Board, dead: Iterable[Point] | None, ruleset: Ruleset | None = None
) -> tuple[str, ...]:
    """The seven-state board, top row first: `.BWbwcx`.

    `.` empty; `B` `W` empty and black's or white's territory; `b` `w` live stones; `c` `x` dead
    black and white stones. If `dead` is None, the game is not being counted, and no territory is
    marked. Points that the ruleset does not count are `.`; without a ruleset, seki is ignored.
    """
    cells: Sequence[str] = array("b", board.cells).tobytes().translate(_PLAYED).decode("ascii")
    if dead is not None:
        cells = list(cells)
        removed = frozenset(map(board.index, dead))
        for index, owner in _owners(board, removed, ruleset).items():
            if board.cells[index] == EMPTY:
                cells[index] = _TERRITORY[owner]
        for index in removed:
            if board.cells[index] != EMPTY:
                cells[index] = _DEAD[Color(board.cells[index])]
    width = board.size.width
    rows = ["".join(cells[start : start + width]) for start in range(0, len(cells), width)]
    return tuple(reversed(rows))


def point_states(rows: Sequence[str]) -> Iterator[tuple[Point, str]]:
    """Each point of some rows with its state, from the top left."""
    for row_number, row in enumerate(rows, start=1):
        for column, state in enumerate(row):
            yield Point(column, len(rows) - row_number), state


def living_families(board: Board, dead: Iterable[Point]) -> tuple[Family, ...]:
    """The families of live stones (`seki.families`), in seki or not."""
    return _families(board.copy(), frozenset(map(board.index, dead)))


_families = lru_cache(maxsize=16)(families)
"""Cached, because a letter asks several times for the same board; the board must not change."""


class Status(Enum):
    """The final status of a stone (GTP 2 draft 2, 6.3.5)."""

    ALIVE = "alive"
    SEKI = "seki"
    DEAD = "dead"


def stones_of_status(board: Board, dead: Iterable[Point], status: Status) -> frozenset[Point]:
    """The stones of a status if the stones at `dead` are agreed to be dead."""
    removed = frozenset(dead)
    if status is Status.DEAD:
        return removed
    return frozenset(
        board.point(index)
        for family in living_families(board, removed)
        if family.seki is (status is Status.SEKI)
        for index in family.stones
    )


def _owners(board: Board, removed: frozenset[int], ruleset: Ruleset | None) -> dict[int, Color]:
    """The owner of each point without a live stone; points without an owner are left out.

    False eyes are no territory, but count as area. Without a tax the flood alone decides. Under
    stone scoring no point has an owner.
    """
    if ruleset is not None and ruleset.scoring is Scoring.STONES:
        return {}
    owners = {
        index: owner
        for region, owner in _regions(board, removed)
        if owner is not None
        for index in region
    }
    if ruleset is not None and ruleset.tax is not Tax.NONE:
        territory = ruleset.scoring is Scoring.TERRITORY
        for family in living_families(board, map(board.point, removed)):
            for index in family.filled if territory or family.seki else ():
                owners.pop(index, None)
            for index in family.points if family.seki else ():
                owners.pop(index, None)
    return owners


def open_regions(board: Board, dead: Iterable[Point]) -> tuple[frozenset[Point], ...]:
    """The regions that both colours border, with a point that no live stone touches.

    The largest comes first; other such regions are dame or seki.
    """
    removed = frozenset(map(board.index, dead))
    stones = {index for index, cell in enumerate(board.cells) if cell != EMPTY} - removed
    regions = [
        frozenset(map(board.point, region))
        for region, owner in _regions(board, removed)
        if owner is None and any(stones.isdisjoint(board.neighbours[index]) for index in region)
    ]
    return tuple(sorted(regions, key=len, reverse=True))


def dame(board: Board, dead: Iterable[Point]) -> frozenset[Point]:
    """The neutral points that can still be filled, except those in seki."""
    removed = frozenset(map(board.index, dead))
    open_points = {board.index(point) for area in open_regions(board, dead) for point in area}
    seki = {board.index(point) for point in stones_of_status(board, dead, Status.SEKI)}
    return frozenset(
        board.point(index)
        for region, owner in _regions(board, removed)
        if owner is None and open_points.isdisjoint(region)
        if not any(neighbour in seki for index in region for neighbour in board.neighbours[index])
        for index in region - removed
    )


def _group_tax(board: Board, removed: frozenset[int], ruleset: Ruleset) -> dict[Color, int]:
    """Two points for each group with eyes; one for a group that has only one point."""
    tax = {Color.BLACK: 0, Color.WHITE: 0}
    if ruleset.tax is Tax.ALL and ruleset.scoring is not Scoring.STONES:
        for family in living_families(board, map(board.point, removed)):
            tax[family.color] += 0 if family.seki else min(len(family.points), 2)
    return tax


def _regions(board: Board, dead: frozenset[int]) -> Iterator[tuple[set[int], Color | None]]:
    """The regions between live stones, each with the colour that alone borders it, or None."""
    stones = {index for index, cell in enumerate(board.cells) if cell != EMPTY} - dead
    for region in components(set(range(board.size.points)) - stones, board.neighbours):
        border = {near for index in region for near in board.neighbours[index]} & stones
        colors = {board.cells[index] for index in border}
        yield region, Color(colors.pop()) if len(colors) == 1 else None


class Side(NamedTuple):
    """One colour's count, item by item."""

    territory: int
    """Surrounded points, including those under dead stones."""
    stones: int
    """Live stones; 0 under territory scoring."""
    prisoners: int
    """Captured, dead and pass stones of the opponent; 0 unless territory is scored."""
    bonus: float
    """Komi, and the compensation for handicap stones."""
    tax: int = 0

    @property
    def total(self) -> float:
        return self.territory + self.stones + self.prisoners + self.bonus - self.tax


class Score(NamedTuple):
    """Both counts and the result."""

    black: Side
    white: Side

    @property
    def margin(self) -> float:
        """Black's lead in points; negative if White leads."""
        return self.black.total - self.white.total

    @property
    def result(self) -> str:
        """The result in SGF's form: `B+3.5`, `W+2`, or `0` for a tie (jigo)."""
        if self.margin == 0:
            return "0"
        return f"{'B' if self.margin > 0 else 'W'}+{abs(self.margin):.10g}"


def count(
    position: Position,
    dead: Iterable[Point],
    komi: float,
    handicap: int | None = None,
    ruleset: Ruleset | None = None,
) -> Score:
    """The score of a position if the stones at `dead` are agreed to be dead.

    `handicap` and `ruleset` replace those of the position, if given.
    """
    board, rules = position.board, ruleset or position.ruleset
    removed = frozenset(map(board.index, dead))
    territories = Counter(_owners(board, removed, rules).values())
    tax, pass_stones = _group_tax(board, removed, rules), position.pass_stones
    is_territory = rules.scoring is Scoring.TERRITORY
    stones = position.handicap_count if handicap is None else handicap

    def _side(color: Color) -> Side:
        live = sum(1 for index in board.stones(color) if index not in removed)
        taken = sum(1 for index in removed if board.cells[index] == color.opponent)
        bonus = komi + (0 if is_territory else rules.handicap_points(stones))
        prisoners = position.prisoners[color] + pass_stones[color] + taken
        return Side(
            territory=territories[color],
            stones=0 if is_territory else live,
            prisoners=prisoners if is_territory else 0,
            bonus=bonus if color is Color.WHITE else 0,
            tax=tax[color],
        )

    return Score(_side(Color.BLACK), _side(Color.WHITE))
