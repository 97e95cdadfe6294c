"""The lessons of `learn`: three small boards, and the answers to points tried on them.

Pure. The rules find out whether a point is right.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from godaemon.rules import benson, scoring
from godaemon.rules.named_rulesets import DEFAULT, RULESETS
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Position
from godaemon.rules.scoring import Score, board_rows

LAST: Final = 3
"""The number of lessons."""
RULES: Final = RULESETS[DEFAULT]
CAPTURE: Final = (".....", ".bb..", "bww..", ".bb..", ".....")
"""Black takes two stones."""
LIFE: Final = (".....", ".....", "wwwww", "bbbbw", "...bw")
"""Black makes two eyes."""
KO: Final = (".bw.", "bw.w", ".bw.", "....")
"""Black takes a stone that White may not retake at once."""
COUNTED: Final = ("..bw.", "x.bw.", ".bbww", "bbww.", ".bw..")
"""A finished game; the white stone at A4 is dead."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A point that was tried, and the outcome."""

    point: Point
    right: bool = False
    on_board: bool = True
    rows: tuple[str, ...] = ()
    """The board after White's answer to a wrong move; empty if the point was taken."""
    answer: Point | None = None
    """White's answer."""
    liberties: int = 0
    """The liberties, after the answer, of the chain with the tried stone."""


def rows_of(lesson: int) -> tuple[str, ...]:
    return (CAPTURE, LIFE, COUNTED)[lesson - 1]


def lesson_position(rows: tuple[str, ...]) -> Position:
    """A board as a position, Black to move."""
    size = Size(len(rows[0]), len(rows))
    return Position(size, RULES, _points_in(rows, "b"), white=_points_in(rows, "wx"))


def _points_in(rows: tuple[str, ...], states: str) -> list[Point]:
    return [point for point, state in scoring.point_states(rows) if state in states]


@cache
def solution(lesson: int) -> Point:
    start = lesson_position(rows_of(lesson))
    return next(one for one in start.legal_moves(Color.BLACK) if _solves(lesson, one))


def try_point(lesson: int, point: Point) -> Tried:
    """The effect of a point on the board of the first or the second lesson."""
    now = lesson_position(rows_of(lesson))
    if not now.size.has(point):
        return Tried(point, on_board=False)
    if not now.is_legal(Color.BLACK, point):
        return Tried(point)
    if _solves(lesson, point):
        return Tried(point, right=True)
    answer = solution(lesson)
    now.play(Color.BLACK, point)
    now.play(Color.WHITE, answer)
    liberties = len(now.liberties(answer))
    return Tried(point, rows=board_rows(now.board, None), answer=answer, liberties=liberties)


def _solves(lesson: int, point: Point) -> bool:
    """True if the move takes stones (lesson 1), or makes Black's stones alive (lesson 2)."""
    now = lesson_position(rows_of(lesson))
    taken = now.play(Color.BLACK, point)
    if lesson == 1:
        return bool(taken)
    return bool(benson.alive_stones(now.board, Color.BLACK, suicide=RULES.suicide))


@cache
def counted_board() -> tuple[tuple[str, ...], Score]:
    """The board of the last lesson with its territory, and its count without komi."""
    over, dead = lesson_position(COUNTED), _points_in(COUNTED, "x")
    score = scoring.count(over, dead, komi=0)
    return board_rows(over.board, dead, RULES), score
