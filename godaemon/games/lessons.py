"""The lessons of `learn`: three small boards, and answers to points tried on them.

`rules` decide whether a point is right.
"""

from dataclasses import dataclass
from typing import Final

from godaemon.diagrams.symbols import points_in, size_of
from godaemon.rules import benson, scoring
from godaemon.rules.named_rulesets import DEFAULT, RULESETS
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position
from godaemon.rules.scoring import Score, board_rows

LESSONS: Final = 3
"""The number of lessons."""
RULES: Final = RULESETS[DEFAULT]
CAPTURE: Final = (".....", ".bb..", "bww..", ".bb..", ".....")
"""Black takes two stones."""
LIFE: Final = (".....", ".....", "wwwww", "bbbbw", "...bw")
"""Black makes two eyes."""
KO: Final = (".bw.", "bw.w", ".bw.", "....")
"""Black takes a stone that White may not retake at once."""
FINISHED: Final = ("..bw.", "x.bw.", ".bbww", "bbww.", ".bw..")
"""A finished game; the white stone at A4 is dead."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A point tried in a lesson, and the outcome."""

    point: Point
    right: bool = False
    on_board: bool = True
    rows: tuple[str, ...] = ()
    """The board after White's answer to a wrong move; empty if the point was taken."""
    answer: Point | None = None
    """White's answer."""
    liberties: int = 0
    """The liberties of the chain with White's answer."""


def rows_of(lesson: int) -> tuple[str, ...]:
    """The board of a lesson, by its number from 1."""
    return (CAPTURE, LIFE, FINISHED)[lesson - 1]


def lesson_position(rows: tuple[str, ...]) -> Position:
    """A board as a position, Black to move."""
    return Position(size_of(rows), RULES, points_in(rows, "b"), set_up_white=points_in(rows, "wx"))


def try_point(lesson: int, point: Point) -> Attempt:
    """The effect of a point on the board of the first or the second lesson."""
    position = lesson_position(rows_of(lesson))
    if not position.size.has(point):
        return Attempt(point, on_board=False)
    if not position.is_legal(Color.BLACK, point):
        return Attempt(point)
    if _solves(lesson, point):
        return Attempt(point, right=True)
    answer = next(one for one in position.legal_moves(Color.BLACK) if _solves(lesson, one))
    position.play(Color.BLACK, point)
    position.play(Color.WHITE, answer)
    rows, liberties = board_rows(position.board, None), len(position.liberties(answer))
    return Attempt(point, rows=rows, answer=answer, liberties=liberties)


def _solves(lesson: int, point: Point) -> bool:
    """True if the move takes stones (lesson 1), or makes Black's stones alive (lesson 2)."""
    position = lesson_position(rows_of(lesson))
    captured = position.play(Color.BLACK, point)
    if lesson == 1:
        return bool(captured)
    return bool(benson.alive_stones(position.board, Color.BLACK, suicide=RULES.suicide))


def counted_board() -> tuple[tuple[str, ...], Score]:
    """The board of the last lesson with its territory, and its count without komi."""
    position, dead = lesson_position(FINISHED), [*points_in(FINISHED, "x")]
    score = scoring.count(position, dead, komi=0)
    return board_rows(position.board, dead, RULES), score
