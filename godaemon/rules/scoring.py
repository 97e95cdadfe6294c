"""Counting: groups that live or die together, the seven-state board, territory and area.

Pure. Follows the algorithms of the scoring notes this project grew from (design, section 3): both
are floods. Seki is not looked for: a point that one colour alone surrounds is that colour's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from godaemon.rules.board import EMPTY, Board
from godaemon.rules.points import Color, Point
from godaemon.rules.rulesets import Ruleset, Scoring

_LIVE = {Color.BLACK: "b", Color.WHITE: "w"}
_DEAD = {Color.BLACK: "c", Color.WHITE: "x"}
_TERRITORY = {Color.BLACK: "B", Color.WHITE: "W"}


def group(board: Board, dead: Iterable[Point], stone: Point) -> frozenset[Point]:
    """The stones that live or die with `stone`: the flood of the scoring notes.

    From the stone in all directions, through everything but live stones of the other colour; all
    stones of its own colour that are met belong to the group, dead or alive as they are now.
    """
    start = board.index(stone)
    color = board.cells[start]
    gone = {board.index(point) for point in dead}
    fence = {index for index, cell in enumerate(board.cells) if cell == -color} - gone
    met = _flood(board, start, fence)
    return frozenset(board.point(index) for index in met if board.cells[index] == color)


def chain(board: Board, stone: Point) -> frozenset[Point]:
    """The connected stones of the one chain that `stone` belongs to."""
    return frozenset(map(board.point, board.chain(board.index(stone))))


def chains(board: Board, stones: Iterable[Point]) -> tuple[frozenset[Point], ...]:
    """Those stones, chain by chain, in the order of the board from its lower left."""
    left = {board.index(point) for point in stones}
    found = []
    while left:
        one = board.chain(min(left))
        found.append(frozenset(map(board.point, one)))
        left -= one
    return tuple(found)


def _flood(board: Board, start: int, fence: set[int]) -> set[int]:
    """All points reached from `start` without stepping on the fence."""
    met, edge = {start}, [start]
    while edge:
        for beside in board.near(edge.pop()):
            if beside not in met and beside not in fence:
                met.add(beside)
                edge.append(beside)
    return met


def board_rows(board: Board, dead: Iterable[Point] | None) -> tuple[str, ...]:
    """The seven-state board, top row first: `.BWbwcx` (design, section 3).

    `.` empty; `B` `W` empty and black's or white's territory; `b` `w` live stones; `c` `x` dead
    black and white stones. With `dead` None the game is not being counted and no territory shows.
    """
    gone = frozenset(map(board.index, dead or ()))
    cells = ["."] * board.size.points
    for index, cell in enumerate(board.cells):
        if cell != EMPTY:
            cells[index] = (_DEAD if index in gone else _LIVE)[Color(cell)]
    if dead is not None:
        for region, owner in _regions(board, gone):
            for index in region:
                if board.cells[index] == EMPTY and owner is not None:
                    cells[index] = _TERRITORY[owner]
    width = board.size.width
    rows = ["".join(cells[at : at + width]) for at in range(0, len(cells), width)]
    return tuple(reversed(rows))


def _regions(board: Board, dead: frozenset[int]) -> Iterator[tuple[set[int], Color | None]]:
    """The regions between the live stones, each with the colour that alone surrounds it."""
    live = {index for index, cell in enumerate(board.cells) if cell != EMPTY} - dead
    left = set(range(board.size.points)) - live
    while left:
        region = _flood(board, min(left), live)
        left -= region
        beside = {near for index in region for near in board.near(index)} & live
        met = {board.cells[index] for index in beside}
        yield region, Color(met.pop()) if len(met) == 1 else None


@dataclass(frozen=True, slots=True)
class Side:
    """One colour's count, item by item; `total` is their sum."""

    territory: int
    """Points it alone surrounds, those under dead stones too."""
    stones: int
    """Its live stones, where area is counted; else 0."""
    prisoners: int
    """Stones it took during the game and dead ones on the board, where territory is counted."""
    bonus: float
    """Komi, and the compensation for handicap stones."""

    @property
    def total(self) -> float:
        """All of it."""
        return self.territory + self.stones + self.prisoners + self.bonus


@dataclass(frozen=True, slots=True)
class Score:
    """Both counts, and what they come to."""

    black: Side
    white: Side

    @property
    def margin(self) -> float:
        """Black's lead in points; negative where White leads."""
        return self.black.total - self.white.total

    @property
    def result(self) -> str:
        """The result in SGF's form: `B+3.5`, `W+2`, or `0` for a tie (jigo)."""
        if self.margin == 0:
            return "0"
        return f"{'B' if self.margin > 0 else 'W'}+{abs(self.margin):g}"


def count(
    board: Board,
    dead: Iterable[Point],
    ruleset: Ruleset,
    *,
    prisoners: dict[Color, int],
    komi: float,
    handicap: int = 0,
) -> Score:
    """The score of a board on which `dead` are agreed to be dead.

    `prisoners` are the stones taken *by* each colour during the game.
    """
    gone = frozenset(map(board.index, dead))
    owned = {Color.BLACK: 0, Color.WHITE: 0}
    for region, owner in _regions(board, gone):
        if owner is not None:
            owned[owner] += len(region)
    area = ruleset.scoring is Scoring.AREA

    def side(color: Color) -> Side:
        live = sum(1 for index in board.stones(color) if index not in gone)
        taken = sum(1 for index in gone if board.cells[index] == color.opponent)
        bonus = komi + (ruleset.handicap_points(handicap) if area else 0)
        return Side(
            territory=owned[color],
            stones=live if area else 0,
            prisoners=0 if area else prisoners[color] + taken,
            bonus=bonus if color is Color.WHITE else 0,
        )

    return Score(side(Color.BLACK), side(Color.WHITE))
