"""Our player without its network: a move, and the stones that it thinks are dead.

It plays on board sizes that the network was not trained on, and if the network's process fails. It
captures or saves stones, or plays where random playouts disagree about the owner. Among such moves
it plays the one that leads to the most points; if there is none it passes. It never plays an
illegal move, fills no eye of its own, and repeats no position.

A few rules make random playouts useful. Stones in atari are captured or saved at once. Players do
not fill their own eyes. They put their own chains of more than three stones in atari only to
capture, so that most sekis stay. There is no suicide, and no ko is retaken at once.
"""

import random
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from functools import lru_cache

from godaemon.engine.dead_stones_reading import Reading, read_by_chain
from godaemon.engine.ladders import ladder_moves
from godaemon.rules import scoring
from godaemon.rules.board import Board, chain_and_liberties, ko_after, neighbours, place, unplace
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Position

MAX_MOVES_PER_POINT = 6
"""The moves per point after which it only passes, so that its games end."""
_WORK = 5000
"""The work for one move in playouts times points of the board, about 30 ms."""
_COMPARING_WORK, _MIN_PLAYOUTS = 5000, 8
"""The work to compare moves, in playouts times points, and the fewest playouts per move."""
_READING_PLAYOUTS, _MIN_READING_PLAYOUTS = 100, 12
"""The playouts that read dead stones, and the fewest on boards larger than 19x19."""
_SETTLED, _SURE = 0.5, 0.75
"""The ownership, up to 1, that settles a point; the second for the opponent's if we are behind."""
_UNSURE = 0.2
"""The ownership below which a chain is doubtful."""
_MAX_SACRIFICE = 3
"""The largest own chain that a playout puts in atari, to destroy an eye from inside."""


def choose_move(
    position: Position,
    color: Color,
    *,
    komi: float,
    rng: random.Random,
    halt: Callable[[], bool] = lambda: False,
) -> Point | None:
    """A legal move for `color`, or None to pass; the position is not changed.

    Once `halt()` is true its playouts end where they are.
    """
    board, points = position.board, position.size.points
    if position.move_number >= MAX_MOVES_PER_POINT * points:
        return None
    owners = mean_owners(board, tuple(Color), max(4, min(100, _WORK // points)), rng, halt)
    is_behind = black_lead(position, read_by_chain(board, [owners]).dead, komi) * color < 0
    rival = _SURE if is_behind else _SETTLED
    doubt = [max(0.0, min(_SETTLED - owner * color, rival + owner * color)) for owner in owners]
    doomed = ladder_moves(board.size, tuple(board.cells), -1)
    worths: dict[int, float] = {}
    for index in map(board.index, sensible_moves(position, color)):
        unsettled = doubt[index] + sum(doubt[neighbour] for neighbour in board.neighbours[index])
        stones = _stones_at_stake(board, index, color, doomed)
        if unsettled > 0 or stones > 0:
            worths[index] = unsettled + 2 * stones + rng.random() / 4
    games = _COMPARING_WORK // points // max(len(worths), 1)
    if games >= _MIN_PLAYOUTS:
        for index in worths:
            twin = board.copy()
            twin.play(index, color)
            worths[index] += sum(mean_owners(twin, (-color,), games, rng, halt)) * color
    return board.point(max(worths, key=worths.__getitem__)) if worths else None


def read_dead_stones(position: Position) -> Reading:
    """The stones that are probably dead; always the same for a position."""
    board = position.board
    larger = max(1.0, board.size.points / 361)  # a playout's time is its square
    playouts = max(_MIN_READING_PLAYOUTS, int(_READING_PLAYOUTS / larger**2))
    rng = random.Random(str(board.cells))  # noqa: S311 - no secret, and the same answer every time
    return read_by_chain(board, [mean_owners(board, tuple(Color), playouts, rng)], _UNSURE)


def sensible_moves(position: Position, color: Color) -> Iterator[Point]:
    """The legal moves that fill no eye of the player's and repeat no position."""
    board = position.board
    for point in position.legal_moves(color):
        if not is_eye(board, board.index(point), color) and position.repeats(color, point) is None:
            yield point


def black_lead(position: Position, dead: frozenset[Point], komi: float) -> float:
    """Black's lead if play ended now, with these stones dead."""
    removed = dead if position.ruleset.removal else ()
    return scoring.count(position, removed, komi).margin


def _stones_at_stake(board: Board, index: int, color: int, doomed: Container[int]) -> int:
    """The stones that a move captures and saves, minus those that it puts in atari."""
    cells, near = board.cells[:], board.neighbours
    in_atari = set[int]()
    for neighbour in near[index]:
        if cells[neighbour] == color:
            chain, liberties = chain_and_liberties(cells, near, neighbour, 2)
            in_atari.update(chain if len(liberties) < 2 else ())
    captures = place(cells, near, index, int(color))
    chain, liberties = chain_and_liberties(cells, near, index, 2)
    if len(liberties) > 1:
        return len(captures) + sum(bool(captures) or stone not in doomed for stone in in_atari)
    return len(captures) or -len(chain)


def mean_owners(
    board: Board,
    colors: Sequence[int],
    games: int,
    rng: random.Random,
    halt: Callable[[], bool] = lambda: False,
) -> list[float]:
    """The owner of each point in playouts, from 1 (Black) to -1; each colour begins in turn."""
    sums = [0] * board.size.points
    for number in range(games):
        owners = _Playout(board, rng).run(colors[number % len(colors)], halt)
        sums = [total + owner for total, owner in zip(sums, owners, strict=True)]
    return [total / games for total in sums]


def is_eye(board: Board, index: int, color: int) -> bool:
    """True if an empty point looks like an eye of a colour.

    All its neighbours have that colour. The opponent has at most one of its four corners, or none
    at the edge of the board: otherwise the eye may be false.
    """
    cells = board.cells
    for neighbour in board.neighbours[index]:
        if cells[neighbour] != color:
            return False
    corners = _corners(board.size)[index]
    hostile = sum(cells[corner] == -color for corner in corners)
    return hostile < (2 if len(corners) == 4 else 1)


@lru_cache(maxsize=64)
def _corners(size: Size) -> tuple[tuple[int, ...], ...]:
    """The corners of each index: the points beside two of its neighbours."""
    near = neighbours(size)
    counts = (Counter(two for neighbour in points for two in near[neighbour]) for points in near)
    return tuple(
        tuple(corner for corner, ways in count.items() if ways == 2 and corner != index)
        for index, count in enumerate(counts)
    )


class _Playout:
    """One game played at random."""

    def __init__(self, board: Board, rng: random.Random) -> None:
        self._board, self._near = board.copy(), board.neighbours
        self._cells = self._board.cells
        self._empty = [index for index, cell in enumerate(self._cells) if not cell]
        self._random = rng.random
        self._ko = -1

    def run(self, color: int, halt: Callable[[], bool]) -> list[int]:
        """The owner of each point after two passes in a row, three moves per point, or a halt."""
        last, passes = -1, 0
        for _ in range(3 * len(self._cells)):
            last = self._move(last, color)
            passes = passes + 1 if last < 0 else 0
            if passes == 2 or halt():
                break
            color = -color
        owners = self._cells[:]
        for index in self._empty:
            colors = {self._cells[neighbour] for neighbour in self._near[index]}
            owners[index] = colors.pop() if len(colors) == 1 else 0
        return owners

    def _move(self, last: int, color: int) -> int:
        """Play somewhere and return the index; -1 is a pass."""
        for index in self._urgent_points(last, color):
            if self._play(index, color):
                return index
        start = int(self._random() * len(self._empty))
        for index in self._empty[start:] + self._empty[:start]:
            if not is_eye(self._board, index, color) and self._play(index, color):
                return index
        self._ko = -1
        return -1

    def _urgent_points(self, last: int, color: int) -> Iterator[int]:
        """The last liberty of the opponent's last stone, and of stones that it put in atari."""
        if last >= 0:
            cells = self._cells
            for stone in (last, *(index for index in self._near[last] if cells[index] == color)):
                _, liberties = chain_and_liberties(cells, self._near, stone, 2)
                if len(liberties) == 1:
                    yield liberties.pop()

    def _play(self, index: int, color: int) -> bool:
        """Play at an index; returns False if the rules of playouts forbid it."""
        if index == self._ko:
            return False
        cells, near = self._cells, self._near
        captures = place(cells, near, index, color)
        if not captures:
            chain, liberties = chain_and_liberties(cells, near, index, 2)
        if not cells[index] or (
            not captures and len(liberties) < 2 and len(chain) > _MAX_SACRIFICE
        ):
            unplace(cells, index, color, captures)
            return False
        self._ko = ko_after(cells, near, index, captures)
        self._empty.remove(index)
        self._empty.extend(captures)
        return True
