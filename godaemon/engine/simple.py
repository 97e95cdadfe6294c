"""The move of our own player: a little reading, a sense of where there is room, and playouts. Pure.

Each empty point gets a worth from three judges and the best one that passes the checks is played:
reading (`tactics`) for stones that can be taken or saved; the opening for corners and open sides;
playouts for what is not settled yet. Where nothing is worth anything it passes. It never plays an
illegal move, fills no eye of its own, brings no position back (even where the rules allow it) and
passes for good after three moves a point: so every game against it or with itself ends.
"""

from __future__ import annotations

import random
from collections import defaultdict

from godaemon.engine.geometry import is_eye, shape
from godaemon.engine.playouts import survey
from godaemon.engine.tactics import Reader
from godaemon.rules.board import EMPTY, Board
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position

_Worth = dict[int, float]
_WORK = 5000
"""Points of all playouts of one move together: some 20 thousandths of a second."""
_TRUST = 0.2
_ANSWER = 0.4
_SETTLED = 0.5
"""A point is settled if one side owns it more surely than this; from 0 to 1."""


def choose(position: Position, color: Color, *, rng: random.Random) -> Point | None:
    """A legal move for `color`, or None to pass; the position is left as it was."""
    if position.move_number >= 3 * position.size.points:
        return None
    worth = _worth(position, color, rng)
    for index in sorted(worth, key=lambda each: (-worth[each], each)):
        point = position.board.point(index)
        if _sound(position, color, index) and _new(position, color, point):
            return point
    return None


def _worth(position: Position, color: Color, rng: random.Random) -> _Worth:
    """The worth of each point to `color`; points worth nothing are left out."""
    board = position.board
    worth: _Worth = defaultdict(float)
    _read(board, color, worth)
    if max(worth.values(), default=0.0) >= _URGENT:
        return worth
    _open(board, worth)
    if not worth:
        _settle(position, color, worth, rng)
    for index in worth:
        worth[index] += rng.random() * _WHIM
    return worth


_URGENT = 8.0
_WHIM = 0.4
"""So much may chance turn, where two moves are nearly the same."""


def _read(board: Board, color: Color, worth: _Worth) -> None:
    """The stones to take or to save: what hangs by one move counts most."""
    reader = Reader(board.cells, board.neighbours)
    for chain in _chains(board):
        stone = min(chain)
        liberties = board.liberties(chain)
        if len(liberties) > 2:
            continue
        if board.cells[stone] == color:
            _save(reader, chain, liberties, worth)
        else:
            _take(reader, chain, liberties, worth)


def _chains(board: Board) -> list[frozenset[int]]:
    seen: set[int] = set()
    chains = []
    for index, cell in enumerate(board.cells):
        if cell and index not in seen:
            chain = board.chain(index)
            seen |= chain
            chains.append(chain)
    return chains


def _save(reader: Reader, chain: frozenset[int], liberties: frozenset[int], worth: _Worth) -> None:
    stone = min(chain)
    if len(liberties) == 1 or reader.caught(stone):
        for move in reader.rescues(stone):
            worth[move] += len(chain) * (9 if len(liberties) == 1 else 5)


def _take(reader: Reader, chain: frozenset[int], liberties: frozenset[int], worth: _Worth) -> None:
    """Stones that could get away are taken now; those that cannot, when there is time."""
    stone = min(chain)
    if len(liberties) == 1:
        worth[min(liberties)] += len(chain) * (10 if reader.escapes(stone) else 3)
    elif reader.caught(stone) and reader.rescues(stone):
        for move in reader.attacks(stone):
            worth[move] += len(chain) * 4


def _open(board: Board, worth: _Worth) -> None:
    """Corners first, then sides, where no stone is near; small boards are soon past this."""
    lines = shape(board.size).line
    stones = [board.point(index) for index, cell in enumerate(board.cells) if cell]
    for index, cell in enumerate(board.cells):
        line = lines[index]
        if cell == EMPTY and (2 <= line <= 3 or (line == 4 and max(board.size) < 12)):
            point = board.point(index)
            room = min((_apart(point, stone) for stone in stones), default=_FAR)
            if room >= 4:
                worth[index] += 2 + min(room, _FAR) / 2 + _corner(board, point)


_FAR = 8


def _apart(one: Point, other: Point) -> int:
    return abs(one.column - other.column) + abs(one.row - other.row)


def _corner(board: Board, point: Point) -> int:
    """The number of its two coordinates on the third or fourth line: two in a corner."""
    width, height = board.size
    across = min(point.column, width - 1 - point.column)
    up = min(point.row, height - 1 - point.row)
    return (across in (2, 3)) + (up in (2, 3))


def _settle(position: Position, color: Color, worth: _Worth, rng: random.Random) -> None:
    """The points on which playouts do not agree, and their neighbours; near the last move first."""
    board, last = position.board, position.last
    plan = shape(board.size)
    owned, gain = survey(board, color, max(8, min(100, _WORK // board.size.points)), rng)
    open_ = [max(0.0, _SETTLED - abs(share)) for share in owned]
    for index, cell in enumerate(board.cells):
        if cell == EMPTY:
            value = open_[index] + sum(open_[beside] for beside in plan.near[index])
            if value > 0:
                worth[index] = value + max(gain[index], 0.0) * _TRUST
                if last is not None and last.point is not None:
                    apart = _apart(board.point(index), last.point)
                    worth[index] += _ANSWER * max(0, 4 - apart)


def _sound(position: Position, color: Color, index: int) -> bool:
    """True where a move is legal, fills no own eye, and is not at once taken back with interest."""
    board = position.board
    if is_eye(board.cells, shape(board.size), index, color):
        return False
    if not position.is_legal(color, board.point(index)):
        return False
    outcome = board.outcome(index, color)
    if outcome.suicide:
        return False
    trial = board.copy()
    trial.apply(index, color, outcome)
    chain = trial.chain(index)
    return len(trial.liberties(chain)) > 1 or len(chain) <= len(outcome.captured)


def _new(position: Position, color: Color, point: Point) -> bool:
    """True where a move brings about a position that has not been on the board before."""
    return position.repeats(color, point) is None
