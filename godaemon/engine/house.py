"""Our own player, `house`: chooses a move, passes or resigns, at one of ten levels.

Starts no thread and reads no clock: `now` and `stop` are arguments. Never plays an illegal move,
and never raises for a valid position. The network is loaded once per process; on boards of other
sizes `godaemon.engine.fallback` plays.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from math import inf
from pathlib import Path

from godaemon.engine import fallback, levels, network_dead_stones
from godaemon.engine.dead_stones_reading import Reading
from godaemon.engine.ending import useful_moves
from godaemon.engine.evaluation import TURNS, number_of, point_of
from godaemon.engine.levels import DEFAULT_LEVEL, Choice, Limit, LiveAnalysis, is_network_size
from godaemon.engine.network import BUILT_IN_NETWORK, load_network, np
from godaemon.engine.search import Search
from godaemon.rules.board import EMPTY
from godaemon.rules.points import Color
from godaemon.rules.position import Position

_HOPELESS, _MOVES = 0.02, 3
"""It resigns if its chance of winning was lower at this many of its own moves in a row."""

_MIN_LIKELIHOOD = 0.004
"""The likelihood below which a move is not drawn at random."""

_MAX_DRAWS = 6
"""The limit on draws; if all drawn moves cost too much, the best move is played."""

_POINTS_OF_9X9 = 81

_MAX_ANALYSIS_VISITS = 4000
"""The visits after which an analysis ends, because more find little and need memory."""
_VISITS_PER_REPORT = 8
"""The visits between two reports of an analysis."""
_STALL_FACTOR = 3
"""The time allowed for the next visit on a busy machine, as a multiple of the longest so far."""


class _MoveTimer:
    """The time for one move: some seconds, or less if `stop` returns True."""

    def __init__(self, now: Callable[[], float], seconds: float, stop: Callable[[], bool]) -> None:
        self._now, self._stop = now, stop
        self._deadline = now() + seconds
        self._visit_began = inf
        self._longest_visit = 0.0

    def has_ended(self) -> bool:
        return self._stop() or self._now() >= self._deadline

    def forbids_visit(self) -> bool:
        """True if the next visit may end too late; to be called before each visit."""
        moment = self._now()
        self._longest_visit = max(self._longest_visit, moment - self._visit_began)
        self._visit_began = moment
        return self._stop() or moment + _STALL_FACTOR * self._longest_visit >= self._deadline


class House:
    """A player of one level, without state between moves.

    `number` is a level of `LEVELS`; raises `Unknown` for others. `now` returns seconds of a
    monotonic clock; without it only the level's visits and `stop` limit a move. With a seeded `rng`
    and no clock the moves are reproducible.
    """

    def __init__(
        self,
        number: int = DEFAULT_LEVEL,
        *,
        rng: random.Random | None = None,
        now: Callable[[], float] = lambda: 0.0,
        network: Path | None = None,
    ) -> None:
        self.level = levels.level(number)
        self.visits = 0
        """The number of visits for the last move."""
        self._rng = rng or random.Random()  # noqa: S311 - moves, not secrets
        self._now = now
        self._network = load_network(network or BUILT_IN_NETWORK)

    def genmove(
        self,
        position: Position,
        color: Color,
        *,
        komi: float,
        seconds: float | None = None,
        stop: Callable[[], bool] = lambda: False,
        analysis: LiveAnalysis | None = None,
        cleanup: bool = False,
    ) -> Choice:
        """A legal move for `color`, a pass, or resignation.

        The position is not changed. White's compensation for `position.handicap` is added to
        `komi`. `seconds` can only shorten the level's time; the search stops if a visit that takes
        three times as long as the longest would end later. Once `stop()` is true the best move so
        far is returned. `analysis` limits the moves and receives the search after each visit; on
        boards of other sizes than the network's it has no effect. In a `cleanup` no level draws
        moves at random or resigns.
        """
        self.visits = 0
        if position.move_number >= fallback.MAX_MOVES_PER_POINT * position.size.points:
            return Choice()
        limit = self.level.seconds
        timer = _MoveTimer(self._now, limit if seconds is None else min(seconds, limit), stop)
        if not is_network_size(position.size):
            return Choice(
                fallback.choose_move(
                    position, color, komi=komi, rng=self._rng, halt=timer.has_ended
                )
            )
        turn, limits = self._rng.choice(TURNS), analysis.limits if analysis else ()
        search = Search(self._network, position, color, komi, turn, limits)

        def _halt() -> bool:
            if analysis and search.visits:
                analysis.report(search)
            return timer.forbids_visit()

        choice = self._choose(search, position, _halt, cleanup=cleanup)
        self.visits = search.visits
        if analysis:
            search.visit(max(0, _VISITS_PER_REPORT - search.visits))
            analysis.report(search)
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
        move = self._draw(search, halt) if draws else self._search(search, halt)
        return Choice(point_of(position, move))

    def analyse(
        self, position: Position, color: Color, *, komi: float, limits: Sequence[Limit] = ()
    ) -> Iterator[Search]:
        """A search within limits, yielded after every few visits; needs `is_network_size`."""
        search = Search(self._network, position, color, komi, limits=limits)
        search.allow(_legal_numbers(position, color))
        while search.visits < _MAX_ANALYSIS_VISITS:
            search.visit(_VISITS_PER_REPORT)
            yield search

    def read_dead_stones(self, position: Position) -> Reading:
        return network_dead_stones.read_dead_stones(self._network, position)

    def _search(self, search: Search, halt: Callable[[], bool]) -> int:
        while search.visits < self.level.visits and not halt():
            search.visit()
        return search.root.best_move()

    def _draw(self, search: Search, halt: Callable[[], bool]) -> int:
        """A random move, drawn by likelihood, that does not cost too much; else the best move.

        On larger boards a move may cost less, because the losses of more moves add up.
        """
        prior, root = search.root.prior, search.root
        scale = (_POINTS_OF_9X9 / (len(prior) - 1)) ** 0.5
        temperature, cost = self.level.temperature**scale, self.level.cost**scale / scale**1.5
        likelihoods = np.where(prior >= min(_MIN_LIKELIHOOD, float(prior.max())), prior, 0.0)
        likelihoods = likelihoods ** (1 / temperature)
        for _ in range(_MAX_DRAWS):
            if halt() or not likelihoods.any():
                break
            (move,) = self._rng.choices(range(len(likelihoods)), likelihoods.tolist())
            if root.evaluation.lead + search.after(move).evaluation.lead <= cost:
                return move
            likelihoods[move] = 0
        return root.best_move()

    def _is_hopeless(self, position: Position, search: Search) -> bool:
        """True if the game is lost; never in the opening, which is longer with a handicap."""
        opening = position.size.points // (2 if position.handicap else 5)
        stones = position.size.points - position.board.cells.count(EMPTY)
        winrate = search.root.evaluation.winrate
        if not self.level.resigns or stones < opening or winrate >= _HOPELESS:
            return False
        color, twin = search.root.color, position.copy()
        for _ in range(_MOVES - 1):
            has_position = twin.undo() and twin.undo()
            if not has_position or search.evaluate(twin, color, search.komi).winrate >= _HOPELESS:
                return False
        return True


def _legal_numbers(position: Position, color: Color) -> list[int]:
    return [number_of(position, point) for point in (*position.legal_moves(color), None)]
