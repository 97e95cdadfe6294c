"""Our player without its network: a move, and the stones that it thinks are dead. Pure.

It plays on board sizes that the network was not trained on, and if the network's process fails. It
captures and saves what it can, else plays where random playouts disagree about the owner; of a few
such moves it plays the one that leads to the most points, and without any it passes. It never plays
an illegal move, fills no eye of its own, and repeats no position; after six moves per point it only
passes, so that its games end.

A few rules make random playouts useful: stones just put in atari are taken or saved, players do not
fill their own eyes, and do not put their own chains of more than three stones in atari unless they
take something, so that most sekis stay. No suicide, and no ko is retaken at once.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from functools import lru_cache

from godaemon.engine.dead_stones_reading import Reading, read_by_chain
from godaemon.engine.ladders import ladder_moves
from godaemon.rules import scoring
from godaemon.rules.board import Board, chain_and_liberties, ko_after, neighbours, place, unplace
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Position

ENDLESS = 6
"""The moves per point after which it only passes, so that its games end."""
_WORK = 5000
"""The work for one move: playouts times points of the board, about 30 ms."""
_TRIED, _ENOUGH = 5000, 8
"""The work for comparing moves (playouts times points), and the fewest playouts for each move."""
_READ, _FEWEST = 100, 12
"""The playouts that read dead stones, and the fewest on boards larger than 19x19."""
_SETTLED, _SURE = 0.5, 0.75
"""The ownership, up to 1, that settles a point: by us, or by the opponent if we are behind."""
_UNSURE = 0.2
"""The ownership below which a chain is doubtful."""
_THROWN = 3
"""The largest own chain that a playout puts in atari, to destroy an eye from within."""


def choose_move(
    position: Position, color: Color, *, komi: float, rng: random.Random
) -> Point | None:
    """A legal move for `color`, or None to pass; the position is left as it was."""
    board, points = position.board, position.size.points
    if position.move_number >= ENDLESS * points:
        return None
    owned = mean_owners(board, tuple(Color), max(4, min(100, _WORK // points)), rng)
    behind = black_lead(position, read_by_chain(board, [owned]).dead, komi) * color < 0
    theirs = _SURE if behind else _SETTLED
    doubt = [max(0.0, min(_SETTLED - share * color, theirs + share * color)) for share in owned]
    doomed = ladder_moves(board.size, tuple(board.cells), -1)
    worth: dict[int, float] = {}
    for at in map(board.index, sensible_moves(position, color)):
        unsettled = doubt[at] + sum(doubt[beside] for beside in board.neighbours[at])
        stones = _stones_at_stake(board, at, color, doomed)
        if unsettled > 0 or stones > 0:
            worth[at] = unsettled + 2 * stones + rng.random() / 4
    games = _TRIED // points // max(len(worth), 1)
    if games >= _ENOUGH:
        worth = {at: each + _points_won(board, at, color, games, rng) for at, each in worth.items()}
    return board.point(max(worth, key=worth.__getitem__)) if worth else None


def _points_won(board: Board, at: int, color: int, games: int, rng: random.Random) -> float:
    """The points won by a move, if the game is played out after it."""
    twin = board.copy()
    twin.play(at, color)
    return sum(mean_owners(twin, (-color,), games, rng)) * color


def read_dead_stones(position: Position) -> Reading:
    """The stones that would most likely be taken; always the same for a position."""
    board = position.board
    larger = max(1.0, board.size.points / 361)  # a playout's time is its square
    games = max(_FEWEST, int(_READ / larger**2))
    rng = random.Random(str(board.cells))  # noqa: S311 - no secret, and the same answer every time
    return read_by_chain(board, [mean_owners(board, tuple(Color), games, rng)], _UNSURE)


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


def _stones_at_stake(board: Board, at: int, color: int, doomed: Container[int]) -> int:
    """The stones that a move takes and saves, less those that it puts in atari.

    Stones that are `doomed` can be saved by a capture alone.
    """
    cells, near = board.cells[:], board.neighbours
    hanging = set[int]()
    for beside in near[at]:
        if cells[beside] == color:
            chain, free = chain_and_liberties(cells, near, beside, 2)
            hanging.update(chain if len(free) < 2 else ())
    taken = place(cells, near, at, int(color))
    chain, free = chain_and_liberties(cells, near, at, 2)
    if len(free) > 1:
        return len(taken) + sum(bool(taken) or one not in doomed for one in hanging)
    return len(taken) or -len(chain)


def mean_owners(board: Board, begin: Sequence[int], games: int, rng: random.Random) -> list[float]:
    """The owner of each point in some playouts, from 1 (always Black) to -1 (always White).

    The colours in `begin` move first by turns.
    """
    sums = [0] * board.size.points
    for number in range(games):
        ends = _Playout(board, rng).run(begin[number % len(begin)])
        sums = [before + owner for before, owner in zip(sums, ends, strict=True)]
    return [each / games for each in sums]


def is_eye(board: Board, index: int, color: int) -> bool:
    """True if an empty point looks like an eye of a colour from its surroundings.

    All neighbours are that colour's, and so are its corners, except for one in the middle of the
    board and none at its edge: with more gaps the eye is false, or may become so.
    """
    cells = board.cells
    for beside in board.neighbours[index]:
        if cells[beside] != color:
            return False
    corners = _corners(board.size)[index]
    strangers = sum(cells[corner] == -color for corner in corners)
    return strangers < (2 if len(corners) == 4 else 1)


@lru_cache(maxsize=64)
def _corners(size: Size) -> tuple[tuple[int, ...], ...]:
    """The corners of each index: the points that are beside two of its neighbours."""
    near = neighbours(size)
    beside = (Counter(far for at in around for far in near[at]) for around in near)
    return tuple(
        tuple(far for far, ways in found.items() if ways == 2 and far != index)
        for index, found in enumerate(beside)
    )


class _Playout:
    """One game played at random."""

    def __init__(self, board: Board, rng: random.Random) -> None:
        self._board, self._near = board.copy(), board.neighbours
        self._cells = self._board.cells
        self._empty = [at for at, cell in enumerate(self._cells) if not cell]
        self._random = rng.random
        self._ko = -1

    def run(self, color: int) -> list[int]:
        """The owner of each point once neither side can move, or after three moves per point."""
        last, passes = -1, 0
        for _ in range(3 * len(self._cells)):
            last = self._move(last, color)
            passes = passes + 1 if last < 0 else 0
            if passes == 2:
                break
            color = -color
        owned = self._cells[:]
        for at in self._empty:
            around = {self._cells[beside] for beside in self._near[at]}
            owned[at] = around.pop() if len(around) == 1 else 0
        return owned

    def _move(self, last: int, color: int) -> int:
        """Play somewhere and return the index; -1 is a pass."""
        for at in self._urgent_points(last, color):
            if self._play(at, color):
                return at
        start = int(self._random() * len(self._empty))
        for at in self._empty[start:] + self._empty[:start]:
            if not is_eye(self._board, at, color) and self._play(at, color):
                return at
        self._ko = -1
        return -1

    def _urgent_points(self, last: int, color: int) -> Iterator[int]:
        """The last liberty of the last stone played, and of the stones that it put in atari."""
        if last >= 0:
            cells = self._cells
            for stone in (last, *(at for at in self._near[last] if cells[at] == color)):
                _, free = chain_and_liberties(cells, self._near, stone, 2)
                if len(free) == 1:
                    yield free.pop()

    def _play(self, at: int, color: int) -> bool:
        """Play at an index, if that makes sense; returns whether it did."""
        if at == self._ko:
            return False
        cells, near = self._cells, self._near
        taken = place(cells, near, at, color)
        if not taken:
            chain, free = chain_and_liberties(cells, near, at, 2)
        if not cells[at] or (not taken and len(free) < 2 and len(chain) > _THROWN):
            unplace(cells, at, color, taken)
            return False
        self._ko = ko_after(cells, near, at, taken)
        self._empty.remove(at)
        self._empty.extend(taken)
        return True
