"""Our own opponent, `house`: it chooses a move, passes or resigns, at one of ten levels. Pure.

It imports the rules and nothing above them, starts no thread and reads no clock: `now` and `stop`
are given to it. It never answers with an illegal move and never raises for a position that exists.

What it is worth: at level 6 it won 15 and 16 of 20 games of 9x9 against GNU Go 3.8 at its level 1.
On 19x19 it plays out too few games to see far, and is no more than a patient beginner.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from godaemon.engine import endgame
from godaemon.engine.analysis import Outlook, expected, outlook
from godaemon.engine.arena import NOWHERE, Arena
from godaemon.engine.estimate import dead_stones
from godaemon.engine.levels import DEFAULT_LEVEL, level
from godaemon.engine.search import Search
from godaemon.engine.simple import choose
from godaemon.engine.tree import Node
from godaemon.rules.board import EMPTY
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Move, Position
from godaemon.rules.ruleset import Ruleset


class Choice(NamedTuple):
    """An answer of the player: a point, a pass where `point` is None, or resignation."""

    point: Point | None = None
    resigns: bool = False


PASS = Choice()
RESIGN = Choice(resigns=True)

_HOPELESS = 0.08
"""It resigns where it won fewer of the games than this, after its best move."""

_LARGEST = 361
"""Of more points than 19x19 has, it plays fewer games out, so that a move takes no longer."""

_BEFORE_END = 0.8
"""The share of its time after which it looks at the end of the game."""

_LOOK = 16
"""Every so many games it looks whether its move is decided."""

_SURE = 30
"""So many games must have begun with a move before it resigns for what became of them."""

_FEW = 30
"""Stopped after fewer games than this, it moves as it would without search."""

_CLOSE = 2.0
"""So many points apart two aims may be for what was found out with one to hold for the other."""

_ENDLESS = 6
"""After so many moves a point it passes for good, lest a game never end."""

_ANALYSED = 50_000
"""Games after which an analysis finds little that is new, and its tree is as large as it may be."""


def _never() -> bool:
    return False


class _Known(NamedTuple):
    """The findings about one position of a game."""

    size: Size
    ruleset: Ruleset
    set_up: tuple[tuple[Point, ...], tuple[Point, ...]]
    moves: tuple[Move, ...]
    target: float
    aim: float
    node: Node


class House:
    """One player for one game at a time; it may be asked about any position at any moment.

    `number` is a level of `LEVELS`; raises `Unknown` for another. `now` gives seconds of a clock
    that never goes back; without one only playouts and `stop` bound a move. With the same seeded
    `rng` and no clock the same questions have the same answers.
    """

    def __init__(
        self,
        number: int = DEFAULT_LEVEL,
        *,
        rng: random.Random | None = None,
        now: Callable[[], float] | None = None,
    ) -> None:
        self.level = level(number)
        self.explanation = ""
        """Why the last move was chosen, in one line for curious people; may be empty."""
        self.games = 0
        """Games played out for the last move."""
        self._rng = rng or random.Random()  # noqa: S311 - moves, not secrets
        self._now = now
        self._known: _Known | None = None
        self._lead = 0.0

    def genmove(
        self,
        position: Position,
        color: Color,
        *,
        komi: float | None = None,
        may_resign: bool = False,
        seconds: float | None = None,
        stop: Callable[[], bool] = _never,
    ) -> Choice:
        """A legal move for `color`, a pass, or, where that is allowed, resignation.

        The position is left as it was. `komi` is the ruleset's own where none is given; White's
        compensation for `position.handicap` comes on top of it. `seconds` can only shorten the
        level's time. Once `stop()` is true the best move so far is returned.
        """
        self.explanation, self.games = "", 0
        if not self.level.playouts:
            return Choice(choose(position, color, rng=self._rng))
        if position.move_number >= _ENDLESS * position.size.points:
            return PASS
        if komi is None:
            komi = position.ruleset.komi_for(position.size, len(position.handicap))
        search = self._search(position, color, endgame.target(position, color, komi))
        begun = self._now() if self._now else 0.0
        allowed = self.level.seconds if seconds is None else min(seconds, self.level.seconds)

        def _halt(share: float = 1.0) -> bool:
            return stop() or (self._now is not None and self._now() - begun >= allowed * share)

        self._think(search, _halt)
        if search.root.begun < _FEW:
            return Choice(choose(position, color, rng=self._rng))
        at = endgame.decide(search, position, komi, _halt)
        self._explain(search, position, at)
        if may_resign and self._hopeless(search, position, at):
            return RESIGN
        move = search.root.moves[at]
        return PASS if move == NOWHERE else Choice(position.board.point(move))

    def analyse(
        self, position: Position, color: Color, *, komi: float | None = None
    ) -> Iterator[Outlook]:
        """What is thought of each move, after some more games with each that is asked for.

        It ends where more games would find nothing new.
        """
        if komi is None:
            komi = position.ruleset.komi_for(position.size, len(position.handicap))
        search = self._search(position, color, endgame.target(position, color, komi))
        while search.games < _ANALYSED:
            for _ in range(_LOOK):
                search.game()
            yield outlook(search, position, color)

    def choose(self, position: Position, color: Color, *, rng: random.Random) -> Point | None:
        """A move or None to pass, as `godaemon.engine.choose` gives one."""
        self._rng = rng
        return self.genmove(position, color).point

    def dead_stones(self, position: Position) -> frozenset[Point]:
        """The stones that it takes for dead at the end of a game."""
        return dead_stones(position)

    def _search(self, position: Position, color: Color, target: float) -> Search:
        """A search of the position, with what an earlier one knows of it."""
        board, last = position.board, position.last
        arena = Arena(board)
        arena.ko = _ko(position, color)
        at = NOWHERE if last is None or last.point is None else board.index(last.point)
        aim = endgame.aim(position, color, self._lead) if self._follows(position) else 0.0
        found = self._recall(position, color, target, aim)
        search = Search(arena, int(color), at, target=target, aim=aim, rng=self._rng, root=found)
        search.root.keep(_allowed(position, color, search.root))
        set_up = (position.handicap, position.set_up_white)
        self._known = _Known(
            position.size, position.ruleset, set_up, position.moves, target, aim, search.root
        )
        return search

    def _follows(self, position: Position) -> bool:
        """True where the position is of the game of the last search, and not before it."""
        known, set_up = self._known, (position.handicap, position.set_up_white)
        if known is None or known[:3] != (position.size, position.ruleset, set_up):
            return False
        return position.moves[: len(known.moves)] == known.moves

    def _recall(self, position: Position, color: Color, target: float, aim: float) -> Node | None:
        """The node of the position in the tree of the last search, if it follows from there."""
        known, moves = self._known, position.moves
        if known is None or not self._follows(position):
            return None
        if known.target != target or abs(known.aim - aim) > _CLOSE:
            return None
        node: Node | None = known.node
        for move in moves[len(known.moves) :]:
            if node is None or node.color != move.color:
                return None
            node = node.kid(NOWHERE if move.point is None else position.board.index(move.point))
        return node if node is not None and node.color == color else None

    def _think(self, search: Search, halt: Callable[[float], bool]) -> None:
        """Play games out until the level's number is reached, or no more can change the move."""
        points = len(search.owned())
        most = max(1, self.level.playouts * min(_LARGEST, points) // points)
        while search.games < most and not halt(_BEFORE_END):
            search.game()
            if search.games % _LOOK == 0 and _decided(search.root, most - search.games):
                break

    def _explain(self, search: Search, position: Position, at: int) -> None:
        self.games, self._lead = search.games, search.lead()
        line = " ".join(
            "pass" if move == NOWHERE else str(position.board.point(move))
            for move in expected(search.root, at)
        )
        self.explanation = f"{search.won():.0%} of {search.games} games won; expects {line}"

    def _hopeless(self, search: Search, position: Position, at: int) -> bool:
        """True where nobody would play on; never in the opening, longer with a handicap."""
        opening = position.size.points // (2 if position.handicap else 5)
        stones = position.size.points - position.board.cells.count(EMPTY)
        sure = search.root.tried(at) >= _SURE and search.root.worth(at) < _HOPELESS
        return stones >= opening and sure and search.won() < _HOPELESS


def _ko(position: Position, color: Color) -> int:
    """The point at which a ko may not be retaken now, or nowhere."""
    captured = position.captured
    if len(captured) != 1 or position.is_legal(color, captured[0]):
        return NOWHERE
    return position.board.index(captured[0])


def _allowed(position: Position, color: Color, root: Node) -> set[int]:
    """The legal moves among those of the root that bring no earlier position back."""
    board = position.board
    return {
        move
        for move in root.moves
        if move != NOWHERE
        and position.is_legal(color, board.point(move))
        and position.repeats(color, board.point(move)) is None
    }


def _decided(root: Node, left: int) -> bool:
    """True where the move most often tried stays so, whatever is found in the games left."""
    tried = sorted(map(root.tried, range(len(root.moves))))
    return len(tried) == 1 or tried[-1] - tried[-2] > left
