"""Our own player, `house`: it chooses a move, passes or resigns, at one of ten levels.

It starts no thread and reads no clock: `now` and `stop` are arguments. It never answers with an
illegal move, and never raises for a valid position. Its network is loaded once per process; on
boards that the network does not know it plays by `godaemon.engine.fallback`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from math import inf
from pathlib import Path

from godaemon.engine import fallback, network_dead_stones
from godaemon.engine.dead_stones_reading import Reading
from godaemon.engine.ending import useful_moves
from godaemon.engine.evaluation import TURNS, number_of, point_of
from godaemon.engine.levels import DEFAULT_LEVEL, Aloud, Choice, Limit, can_judge, level
from godaemon.engine.network import OURS, load_network, np
from godaemon.engine.search import Search
from godaemon.rules.board import EMPTY
from godaemon.rules.points import Color
from godaemon.rules.position import Position

_HOPELESS, _MOVES = 0.02, 3
"""It resigns if its chance was lower before that many moves of its own in a row."""

_SHARE = 0.004
"""The least likelihood, by the network, of a move that may be drawn at random."""

_DRAWS = 6
"""The most draws; if all drawn moves cost too much, the best move is played."""

_NINE = 81

_ANALYSED = 4000
"""The positions after which an analysis ends, as it finds little more and its tree is large."""
_AT_ONCE = 8
"""The positions looked at between two reports."""
_STALL = 3
"""How many times as long as the longest look so far the next one may take on a busy machine."""


class House:
    """A player, which may be asked about any position at any time.

    `number` is a level of `LEVELS`; raises `Unknown` for others. `now` returns seconds of a
    monotonic clock; without it only the level's number of positions and `stop` limit a move. With
    a seeded `rng` and no clock, equal questions have equal answers.
    """

    def __init__(
        self,
        number: int = DEFAULT_LEVEL,
        *,
        rng: random.Random | None = None,
        now: Callable[[], float] | None = None,
        network: Path | None = None,
    ) -> None:
        self.level = level(number)
        self.looks = 0
        """The positions looked at for the last move."""
        self._rng = rng or random.Random()  # noqa: S311 - moves, not secrets
        self._now = now
        self._network = load_network(network or OURS)

    def genmove(
        self,
        position: Position,
        color: Color,
        *,
        komi: float,
        seconds: float | None = None,
        stop: Callable[[], bool] = bool,
        aloud: Aloud | None = None,
        cleanup: bool = False,
    ) -> Choice:
        """A legal move for `color`, a pass, or resignation.

        The position is not changed. White's compensation for `position.handicap` is added to
        `komi`. `seconds` can only shorten the level's time; it stops when another look, three times
        as long as the longest, would end later. Once `stop()` is true the best move so far is
        returned. What it thinks meanwhile, and within which limits, `aloud` says; on boards that
        the network does not know it thinks nothing, and knows no limits. In a `cleanup` no level
        draws moves at random, and none resigns.
        """
        self.looks = 0
        if position.move_number >= fallback.ENDLESS * position.size.points:
            return Choice()
        if not can_judge(position.size):
            return Choice(fallback.choose_move(position, color, komi=komi, rng=self._rng))
        now = self._now or float
        ends = now() + (self.level.seconds if seconds is None else min(seconds, self.level.seconds))
        last, longest = inf, 0.0

        def _halt() -> bool:
            nonlocal last, longest
            if aloud and search.looks:
                aloud.hear(search)
            at = now()
            last, longest = at, max(longest, at - last)
            return stop() or at + _STALL * longest >= ends

        turn, limits = self._rng.choice(TURNS), aloud.limits if aloud else ()
        search = Search(self._network, position, color, komi, turn, limits)
        choice = self._choose(search, position, _halt, cleanup=cleanup)
        self.looks = search.looks
        if aloud:
            search.look(max(0, _AT_ONCE - search.looks))
            aloud.hear(search)
        return choice

    def _choose(
        self, search: Search, position: Position, halt: Callable[[], bool], *, cleanup: bool
    ) -> Choice:
        if not cleanup and self._is_hopeless(position, search):
            return Choice(resigns=True)
        a_pass = {number_of(position, None)}
        moves = search.within_limits(useful_moves(search, position) or a_pass)
        moves = moves or search.within_limits(_legal_numbers(position, search.root.color))
        if moves <= a_pass:
            return Choice()
        search.allow(moves)
        draws = self.level.temperature and not cleanup
        at = self._draw(search, halt) if draws else self._search(search, halt)
        return Choice(point_of(position, at))

    def analyse(
        self,
        position: Position,
        color: Color,
        *,
        komi: float,
        limits: Sequence[Limit] = (),
    ) -> Iterator[Search]:
        """A search within limits, after some more looks each time.

        It ends when more looks would find little. The network must know the board.
        """
        search = Search(self._network, position, color, komi, limits=limits)
        search.allow(_legal_numbers(position, color))
        while search.looks < _ANALYSED:
            search.look(_AT_ONCE)
            yield search

    def read(self, position: Position) -> Reading:
        """The stones that it thinks are dead in a finished game, and the doubtful ones."""
        return network_dead_stones.read_dead_stones(self._network, position)

    def _search(self, search: Search, halt: Callable[[], bool]) -> int:
        while search.looks < self.level.visits and not halt():
            search.look()
        return search.root.best()

    def _draw(self, search: Search, halt: Callable[[], bool]) -> int:
        """A random move, drawn by likelihood, that does not cost too much; else the best one.

        On larger boards small mistakes add up over more moves, so levels are closer together.
        """
        prior, root = search.root.prior, search.root
        even = (_NINE / (len(prior) - 1)) ** 0.5
        temperature, cost = self.level.temperature**even, self.level.cost**even / even**1.5
        chances = np.where(prior >= min(_SHARE, float(prior.max())), prior, 0.0)
        chances = chances ** (1 / temperature)
        for _ in range(_DRAWS):
            if halt() or not chances.any():
                break
            (at,) = self._rng.choices(range(len(chances)), chances.tolist())
            if root.evaluation.lead + search.after(at).evaluation.lead <= cost:
                return at
            chances[at] = 0
        return root.best()

    def _is_hopeless(self, position: Position, search: Search) -> bool:
        """True if nobody would play on; never in the opening, and later with a handicap."""
        opening = position.size.points // (2 if position.handicap else 5)
        stones = position.size.points - position.board.cells.count(EMPTY)
        if not self.level.resigns or stones < opening or search.root.evaluation.won >= _HOPELESS:
            return False
        color, twin = search.root.color, position.copy()
        for _ in range(_MOVES - 1):
            known = twin.undo() and twin.undo()
            if not known or search.evaluate(twin, color, search.komi).won >= _HOPELESS:
                return False
        return True


def _legal_numbers(position: Position, color: Color) -> list[int]:
    return [number_of(position, point) for point in (*position.legal_moves(color), None)]
