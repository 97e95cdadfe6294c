"""Drives an engine: starts processes, sets up positions, asks for moves and opinions.

An asyncio client of any GTP program. A failure raises `Temporary`, `Unreadable` or `Refusal`, with
words that fit after the engine's name. It also kills the process; the next question starts another.
The caller checks that a move is legal.
"""

import asyncio
from asyncio import FIRST_COMPLETED
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from godaemon.engine import Reading
from godaemon.engine.results import ScoreEstimate, parse_estimate
from godaemon.errors import Busy, Refusal, Unreadable
from godaemon.games import commands as cmd
from godaemon.rules.named_rulesets import format_ruleset as written_rules
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Move, Position
from gtp.argument_readers import format_vertex, vertex, vertices
from gtp.engines.control_groups import NO_GROUPS, ControlGroups
from gtp.engines.engine_process import EngineProcess
from gtp.engines.engine_program import EngineProgram
from gtp.read_ahead import Listener

Answer = cmd.Play | cmd.Pass | cmd.Resign
"""An engine's answer to genmove."""

_KGS_RULES = {
    "chinese": "chinese",
    "chinese-superko": "chinese",
    "aga": "aga",
    "bga": "aga",
    "japanese": "japanese",
    "korean": "japanese",
    "new-zealand": "new_zealand",
}
"""The nearest rules of kgs-rules for our rulesets."""

REVIEW_TIMEOUT = 300.0
"""Timeout of a review, in seconds, without its time in the queue; a large network takes minutes."""
ANALYSIS_TIMEOUT = 300.0
"""The limit on an analysis, in seconds; by then it hardly finds anything new."""

_DOUBTFUL = "godaemon-doubtful_stones"


@dataclass(slots=True, eq=False)
class _Worker:
    """A process, its commands, and the position on its board."""

    process: EngineProcess
    game: object = None
    """The game of its last question."""
    known: frozenset[str] = frozenset()
    """Its commands, from list_commands; none if it cannot tell."""
    setup: tuple[object, ...] = ()
    """The size, rules, komi and setup of its board; empty before its first question."""
    moves: list[Move] = field(default_factory=list)
    retiring: asyncio.TimerHandle | None = None


class Controller:
    """One engine with its processes, each of which is kept for a while after its last answer.

    Each process works in its own folder in `scratch`. A `game` is any value that identifies a game:
    its questions go to the process that has its moves already.
    """

    def __init__(
        self, program: EngineProgram, scratch: Path, groups: ControlGroups = NO_GROUPS
    ) -> None:
        self.program = program
        self._groups = groups
        self._scratch = scratch
        self._slots = asyncio.Semaphore(program.processes)
        self._started = 0
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._leaving: dict[asyncio.Task[None], EngineProcess] = {}

    @property
    def running(self) -> int:
        """The number of its processes, idle and busy."""
        return len(self._idle) + len(self._busy)

    async def genmove(
        self, game: object, position: Position, komi: float, color: Color, *, cleanup: bool = False
    ) -> Answer:
        """The engine's move for a colour; with `cleanup` it captures dead stones before it passes.

        An engine without kgs-genmove_cleanup is asked for a plain genmove.
        """
        async with self._borrow_worker(game) as worker:
            await self._bring_to(worker, position, komi)
            cleans_up = cleanup and "kgs-genmove_cleanup" in worker.known
            name = "kgs-genmove_cleanup" if cleans_up else "genmove"
            answer = _parse_move(await worker.process.ask(f"{name} {color.word}"))
            if not isinstance(answer, cmd.Resign):
                point = answer.point if isinstance(answer, cmd.Play) else None
                worker.moves.append(Move(color, point))
            return answer

    async def read_dead_stones(
        self, game: object, position: Position, komi: float
    ) -> Reading | None:
        """The engine's opinion on dead stones; None if it has none.

        Only our own engine names doubtful stones (`godaemon-doubtful_stones`).
        """
        async with self._borrow_worker(game) as worker:
            await self._bring_to(worker, position, komi)
            try:
                dead = await worker.process.ask("final_status_list dead")
            except Refusal:
                return None
            doubtful = await worker.process.ask(_DOUBTFUL) if _DOUBTFUL in worker.known else ""
            return Reading(_parse_points(dead), _parse_points(doubtful))

    async def review(self, game: object, position: Position, komi: float) -> str | None:
        """The engine's review of a game, for `parse_review`; None if it has none."""
        async with self._borrow_worker(game) as worker:
            if "godaemon-review" not in worker.known:
                return None
            await self._bring_to(worker, position, komi)
            return await worker.process.ask("godaemon-review", REVIEW_TIMEOUT)

    async def estimate(self, game: object, position: Position, komi: float) -> ScoreEstimate | None:
        """The engine's estimate of the score; None if it has none."""
        async with self._borrow_worker(game) as worker:
            if "godaemon-estimate" not in worker.known:
                return None
            await self._bring_to(worker, position, komi)
            line = f"godaemon-estimate {position.to_move.word}"
            return parse_estimate(await worker.process.ask(line))

    async def analyze(self, line: str, position: Position, komi: float, listener: Listener) -> None:
        """Send the lines of an analysis (`kata-analyze 50`) to the listener.

        Raises `Busy` if all processes are in use.
        """
        if self._slots.locked():
            raise Busy("others are analyzing games just now: try again in a few minutes")
        async with self._borrow_worker(None) as worker:
            await self._bring_to(worker, position, komi)
            limit = ANALYSIS_TIMEOUT + self.program.seconds
            thinking = asyncio.create_task(worker.process.ask(line, limit, listener))
            ending = asyncio.ensure_future(listener.wait_for_end())
            try:
                await asyncio.wait(
                    (thinking, ending), timeout=ANALYSIS_TIMEOUT, return_when=FIRST_COMPLETED
                )
                worker.process.end_analysis()
                await thinking
            finally:
                ending.cancel()
                thinking.cancel()

    async def forget(self, game: object) -> None:
        """End the idle process of a game, so that the next question starts another."""
        for worker in [one for one in self._idle if one.game == game]:
            self._take_idle(worker)
            await worker.process.kill_and_remove()

    async def close(self) -> None:
        """Kill all processes; unanswered questions fail."""
        workers = [*self._idle, *self._busy]
        for worker in self._idle[:]:
            self._take_idle(worker)
        for process in self._leaving.values():
            process.kill()
        await asyncio.gather(
            *(worker.process.kill_and_remove() for worker in workers), *self._leaving
        )

    # -- processes -----------------------------------------------------------------------------
    @asynccontextmanager
    async def _borrow_worker(self, game: object) -> AsyncIterator[_Worker]:
        """Borrow a process for one question, waiting for a free one; an error kills it."""
        async with self._slots:
            worker = self._take_worker(game)
            is_new = worker is None
            if worker is None:
                self._started += 1
                folder = self._scratch / f"{self.program.name}-{self._started}"
                process = await EngineProcess.start(self.program, folder, self._groups)
                worker = _Worker(process)
            worker.game = game
            self._busy.add(worker)
            try:
                if is_new:
                    with suppress(Refusal):  # then it gets only commands that every engine has
                        names = await worker.process.ask(
                            "list_commands", self.program.start_seconds
                        )
                        worker.known = frozenset(names.split())
                yield worker
            except BaseException:
                worker.process.kill()
                raise
            finally:
                self._busy.discard(worker)
                self._make_idle(worker)

    def _take_worker(self, game: object) -> _Worker | None:
        """The game's idle process; the one idle longest if no other may start; else None."""
        for worker in [one for one in self._idle if not one.process.alive]:
            self._retire(worker)
        candidates = [worker for worker in self._idle if worker.game == game]
        if not candidates and self.running >= self.program.processes:
            candidates = self._idle
        if not candidates:
            return None
        worker = candidates[0]
        self._take_idle(worker)
        return worker

    def _make_idle(self, worker: _Worker) -> None:
        """Make a process idle, to be ended if no question follows in time."""
        if not worker.process.alive:
            self._end_soon(worker)
            return
        loop = asyncio.get_running_loop()
        worker.retiring = loop.call_later(self.program.idle_seconds, self._retire, worker)
        self._idle.append(worker)

    def _take_idle(self, worker: _Worker) -> None:
        self._idle.remove(worker)
        if worker.retiring is not None:
            worker.retiring.cancel()

    def _retire(self, worker: _Worker) -> None:
        self._take_idle(worker)
        self._end_soon(worker)

    def _end_soon(self, worker: _Worker) -> None:
        """End a process in a background task."""
        task = asyncio.create_task(worker.process.end())
        self._leaving[task] = worker.process
        task.add_done_callback(self._leaving.pop)

    # -- positions -----------------------------------------------------------------------------
    async def _bring_to(self, worker: _Worker, position: Position, komi: float) -> None:
        """Set an engine's board to a position; send only the new moves if possible."""
        rules = written_rules(position.ruleset)
        setup = (position.size, rules, komi, position.handicap, position.set_up_white)
        moves = position.moves
        if worker.setup != setup or worker.moves != list(moves[: len(worker.moves)]):
            await self._set_up(worker, position, komi)
            worker.setup = setup
        for move in moves[len(worker.moves) :]:
            await worker.process.ask(f"play {move.color.word} {format_vertex(move.point)}")
            worker.moves.append(move)

    async def _set_up(self, worker: _Worker, position: Position, komi: float) -> None:
        """Set up an empty board with the right size, rules and komi, then the handicap stones."""
        ask = worker.process.ask
        worker.moves = []
        width, height = position.size
        rectangular = width != height and "rectangular_boardsize" in worker.known
        size = f"{width}" if width == height else f"{width} {height}"
        await ask(f"{'rectangular_' if rectangular else ''}boardsize {size}")
        await ask("clear_board")
        rules = position.ruleset
        accepted = await self._offer(worker, f"kata-set-rules {written_rules(rules)}")
        if not accepted and rules.name in _KGS_RULES:
            await self._offer(worker, f"kgs-rules {_KGS_RULES[rules.name]}")
        with suppress(Refusal):  # it plays with another komi; our count is right
            await ask(f"komi {komi:g}")
        # The time per move, less a reserve (GTP 2 draft 2, 6.4.2).
        await self._offer(worker, f"time_settings 0 {int(self.program.seconds * 0.8) or 1} 1")
        await self._place_stones(worker, position)

    async def _offer(self, worker: _Worker, line: str) -> bool:
        """Send a line if the engine has its command; returns whether it accepted that."""
        if line.split(maxsplit=1)[0] in worker.known:
            with suppress(Refusal):
                await worker.process.ask(line)
                return True
        return False

    async def _place_stones(self, worker: _Worker, position: Position) -> None:
        ask, stones = worker.process.ask, position.handicap
        if len(stones) > 1 and "set_free_handicap" in worker.known:
            await ask(f"set_free_handicap {' '.join(map(format_vertex, stones))}")
        else:
            for point in stones:
                await ask(f"play black {format_vertex(point)}")
        for point in position.set_up_white:
            await ask(f"play white {format_vertex(point)}")


def _parse_move(text: str) -> Answer:
    """The move in an engine's answer to genmove, in any case; raises `Unreadable`."""
    words = tuple(text.split()[:1])
    if words and words[0].casefold() == "resign":
        return cmd.Resign()
    try:
        point = vertex(words, 0)
    except Unreadable as fault:
        raise Unreadable("its answer was not a move", detail=f"{text[:200]!r}") from fault
    return cmd.Pass() if point is None else cmd.Play(point)


def _parse_points(text: str) -> frozenset[Point]:
    """The points of a list of vertices; raises `Unreadable`."""
    try:
        points = vertices(tuple(text.split()))
    except Unreadable as fault:
        detail = f"{text[:200]!r}"
        raise Unreadable("its list of dead stones made no sense", detail=detail) from fault
    return frozenset(point for point in points if point is not None)
