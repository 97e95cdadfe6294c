"""Our player without its network: a move, and the stones it takes for dead. Pure.

It plays on boards that the network never saw, and speaks where the network's process fails. It
takes and saves what it can, else plays where games played out at random (`playouts`) have no sure
owner; of few such moves it plays the one after which most points are its own; without any it
passes. It never plays an illegal move, fills no eye of its own, brings no position back and passes
for good after six moves a point: so its games end.
"""

from __future__ import annotations

import random
from collections.abc import Container, Iterator

from godaemon.engine.ladders import caught
from godaemon.engine.playouts import is_eye, owners
from godaemon.engine.reading import Reading, by_chain
from godaemon.rules import scoring
from godaemon.rules.board import Board, place, with_liberties
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position

ENDLESS = 6
"""After so many moves a point it passes for good, lest a game never end."""
_WORK = 5000
"""Points of all playouts of one move together: some 30 thousandths of a second."""
_TRIED, _ENOUGH = 5000, 8
"""The same of those by which moves are compared, and the fewest games for one to be compared by."""
_READ = 100
"""Games from which dead stones are read; fewer on boards larger than 19x19."""
_SETTLED, _SURE = 0.5, 0.75
"""So surely owned, up to 1, a point needs no move; behind it tries until the other's are surer."""
_UNSURE = 0.2
"""A chain whose points have a less sure owner is doubtful."""


def choose(position: Position, color: Color, *, komi: float, rng: random.Random) -> Point | None:
    """A legal move for `color`, or None to pass; the position is left as it was."""
    board, points = position.board, position.size.points
    if position.move_number >= ENDLESS * points:
        return None
    owned = owners(board, tuple(Color), max(4, min(100, _WORK // points)), rng)
    behind = lead(position, by_chain(board, [owned]).dead, komi) * color < 0
    theirs = _SURE if behind else _SETTLED
    doubt = [max(0.0, min(_SETTLED - share * color, theirs + share * color)) for share in owned]
    doomed = caught(board.size, tuple(board.cells), -1)
    worth: dict[int, float] = {}
    for at in map(board.index, sensible(position, color)):
        unsettled = doubt[at] + sum(doubt[beside] for beside in board.neighbours[at])
        stones = _at_stake(board, at, color, doomed)
        if unsettled > 0 or stones > 0:
            worth[at] = unsettled + 2 * stones + rng.random() / 4
    games = _TRIED // points // max(len(worth), 1)
    if games >= _ENOUGH:
        worth = {at: each + _tried(board, at, color, games, rng) for at, each in worth.items()}
    return board.point(max(worth, key=worth.__getitem__)) if worth else None


def _tried(board: Board, at: int, color: int, games: int, rng: random.Random) -> float:
    """The points that a move comes to where the game is played out after it."""
    twin = board.copy()
    place(twin.cells, twin.neighbours, at, int(color))
    return sum(owners(twin, (-color,), games, rng)) * color


def read(position: Position) -> Reading:
    """The stones that would most likely be taken; the same for the same position."""
    board = position.board
    games = min(_READ, max(30, _READ * 361 // board.size.points))
    rng = random.Random(str(board.cells))  # noqa: S311 - no secret, and the same answer every time
    return by_chain(board, [owners(board, tuple(Color), games, rng)], _UNSURE)


def sensible(position: Position, color: Color) -> Iterator[Point]:
    """The legal moves that fill no eye of the player's and bring no position back."""
    board = position.board
    for point in position.legal_moves(color):
        if not is_eye(board, board.index(point), color) and position.repeats(color, point) is None:
            yield point


def lead(position: Position, dead: frozenset[Point], komi: float) -> float:
    """Black's lead if play ended now, and these stones were dead where dead ones come off."""
    ruleset = position.ruleset
    score = scoring.count(
        position.board,
        dead if ruleset.removal else (),
        ruleset,
        prisoners=position.prisoners,
        komi=komi,
        handicap=position.handicap_count,
        handed=scoring.handed_over(position.moves, ruleset),
    )
    return score.margin


def _at_stake(board: Board, at: int, color: int, doomed: Container[int]) -> int:
    """The stones that a move takes and saves, less those that it puts in atari.

    Those that are `doomed` are saved by taking alone.
    """
    cells, near = board.cells[:], board.neighbours
    hanging = set[int]()
    for beside in near[at]:
        if cells[beside] == color:
            chain, free = with_liberties(cells, near, beside, 2)
            hanging.update(chain if len(free) < 2 else ())
    taken = place(cells, near, at, int(color))
    chain, free = with_liberties(cells, near, at, 2)
    if len(free) > 1:
        return len(taken) + sum(bool(taken) or one not in doomed for one in hanging)
    return len(taken) or -len(chain)
