"""Boards as ASCII diagrams: `X` black, `O` white, `.` empty; top row first."""

import re
from collections.abc import Iterable
from textwrap import dedent

from hypothesis import strategies as st

from godaemon.diagrams.symbols import size_of
from godaemon.rules import scoring
from godaemon.rules.board import Board
from godaemon.rules.handicap import fixed_points
from godaemon.rules.named_rulesets import RULESETS
from godaemon.rules.points import Color, Point, Size, parse_point
from godaemon.rules.position import Position
from godaemon.rules.ruleset import Ruleset
from godaemon.rules.scoring import Score

FINISHED = """
    . X . X O . O . .
    X X X X O O O O O
    . X . X O . O . O
    X X X X O O O O O
    X X X X X O O O O
    . X . X X O . O .
    X X X X X O O O O
    X X . X X O O . O
    . X X . X O . O O
    """
"""A finished 9x9 board with no dead stones and no open dame."""

_COLORS = {"X": Color.BLACK, "O": Color.WHITE, "#": Color.BLACK, "@": Color.WHITE}


def lines(diagram: str) -> list[str]:
    """The rows of a diagram without spaces."""
    return [line.replace(" ", "") for line in dedent(diagram).strip().splitlines()]


def beside(text: str) -> list[str]:
    """Split diagrams that stand side by side, separated by three or more spaces."""
    rows = [re.split(r" {3,}", line) for line in text.splitlines()]
    return ["\n".join(column) for column in zip(*rows, strict=True)]


def points(text: str) -> frozenset[Point]:
    """Parse `A1 B2 ...`."""
    return frozenset(map(parse_point, text.split()))


def parse(diagram: str) -> tuple[Size, dict[Point, str]]:
    """The size of a diagram, and the sign at each point."""
    rows = lines(diagram)
    height = len(rows)
    signs = {
        Point(column, height - 1 - down): sign
        for down, row in enumerate(rows)
        for column, sign in enumerate(row)
    }
    return Size(len(rows[0]), height), signs


def board(diagram: str) -> Board:
    """The board of a diagram; `#` and `@` are black and white stones marked as dead."""
    size, signs = parse(diagram)
    board = Board(size)
    for point, sign in signs.items():
        if sign in _COLORS:
            board.put(board.index(point), _COLORS[sign])
    return board


def dead(diagram: str) -> frozenset[Point]:
    """The points of `#` and `@`: stones marked as dead."""
    return frozenset(point for point, sign in parse(diagram)[1].items() if sign in "#@")


def position(diagram: str, rules: str | Ruleset = "japanese") -> Position:
    """A position without history, set up from a diagram; Black to move."""
    size, signs = parse(diagram)
    black = [point for point, sign in signs.items() if sign == "X"]
    white = [point for point, sign in signs.items() if sign == "O"]
    ruleset = RULESETS[rules] if isinstance(rules, str) else rules
    board = Position(size, ruleset, black, set_up_white=white)
    board.give_turn(Color.BLACK)
    return board


def played(
    moves: str, rules: str = "japanese", *, size: Size = Size(9, 9), handicap: int = 0
) -> Position:
    """A position after alternating moves: `D4 pass E5`."""
    stones = fixed_points(size, handicap) if handicap else ()
    board = Position(size, RULESETS[rules], stones)
    for word in moves.split():
        board.play_all([(board.to_move, None if word == "pass" else parse_point(word))])
    return board


def count(
    board: Board,
    gone: Iterable[Point],
    ruleset: Ruleset,
    *,
    prisoners: tuple[int, int] = (0, 0),
    komi: float = 0,
    handicap: int = 0,
) -> Score:
    """The score of a board with dead stones `gone`; `prisoners` were taken by Black and White."""
    black, white = (board.points_at(board.stones(color)) for color in Color)
    counted = Position(board.size, ruleset, black, set_up_white=white)
    counted.prisoners = dict(zip(Color, prisoners, strict=True))
    return scoring.count(counted, gone, komi, handicap)


def drawn(board: Board) -> list[str]:
    """The rows of a board's diagram."""
    signs = {0: ".", 1: "X", -1: "O"}
    width = board.size.width
    rows = [
        "".join(signs[cell] for cell in board.cells[at : at + width])
        for at in range(0, board.size.points, width)
    ]
    return rows[::-1]


SIZES = st.builds(Size, st.integers(1, 20), st.integers(1, 20)) | st.builds(
    Size, st.integers(1, 52), st.integers(1, 52)
)
"""Boards of every shape, mostly up to 20x20."""


@st.composite
def seven_state_rows(draw: st.DrawFn, sizes: st.SearchStrategy[Size] = SIZES) -> tuple[str, ...]:
    """Rows of a board with a random state, of seven, at each point."""
    width, height = draw(sizes)
    seed = draw(st.randoms(use_true_random=False))
    return tuple("".join(seed.choices(".bwcxBW", k=width)) for _ in range(height))


def points_of(rows: tuple[str, ...]) -> st.SearchStrategy[Point]:
    width, height = size_of(rows)
    return st.builds(Point, st.integers(0, width - 1), st.integers(0, height - 1))


@st.composite
def marked_boards(draw: st.DrawFn) -> tuple[Board, frozenset[Point]]:
    """A board of up to 6x6 with random stones, and the random dead ones among them."""
    size = Size(draw(st.integers(1, 6)), draw(st.integers(1, 6)))
    board, gone = Board(size), set()
    for index in range(size.points):
        sign = draw(st.sampled_from(".XO#@"))
        if sign != ".":
            board.put(index, 1 if sign in "X#" else -1)
        if sign in "#@":
            gone.add(board.point(index))
    return board, frozenset(gone)


TRIPLE_KO = """
    . X O .
    X O . O
    . X O .
    . X O .
    X . X O
    . X O .
    . X O .
    X O . O
    . X O .
    """
"""Three kos on 4x9, two held by White. Black to move: after six captures it repeats."""

TRIPLE_KO_MOVES = (
    "pass B8 B9 C9 B7 D8 A8 C7 B6 C6 A5 D5 C5 C4 B4 C3 B3 B2 B1 D2 A2 C1"  # no captures
)
TRIPLE_KO_CYCLE = "C8 B5 C2 B8 C5 B2"
