"""The engines of a daemon, and the separate processes of our own player.

An engine is asked for moves and for dead stones through its `Controller`. Our own player also
estimates scores, reviews games and analyses positions. The game goes on without an opinion, an
estimate or a review: a failure is logged, and the answer is None.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import structlog

from godaemon.engine import Reading
from godaemon.engine.results import ScoreEstimate
from godaemon.errors import Busy, GodaemonError, Refusal, Temporary, Unreadable
from godaemon.games.model import Game
from godaemon.rules.position import Position
from gtp.engines.control_groups import ControlGroups, own_group
from gtp.engines.controller import Controller
from gtp.engines.engine_program import EngineProgram, kernel_features
from gtp.read_ahead import Listener

OPINION_TIMEOUT = 120.0
"""Timeout of an engine's opinion on dead stones, in seconds, time in the queue included."""
OUR_OPINION_TIMEOUT = 20.0
"""Timeout of our own player's opinion; a simpler one replaces it."""
REVIEW_TIMEOUT = 600.0
"""Timeout of a review, time in the queue included; shorter than the outbox's lease."""
MAX_ANALYSES = 2
OUR_PLAYER = "house"
"""Our own player, the advising engine unless another is configured."""
FAILURES = (Temporary, Unreadable, Refusal)
"""The errors that a controller raises."""
_log = structlog.get_logger("godaemon.engine")


class EnginePool:
    """The controllers of all engines; used only on the event loop.

    `scratch` is the folder for their processes. `adviser` names the engine that advises people on
    dead stones, by default our own player.
    """

    def __init__(
        self, programs: Mapping[str, EngineProgram], scratch: Path, adviser: str | None = None
    ) -> None:
        groups = ControlGroups(own_group())
        self.contained = {**kernel_features(), "control_groups": list(groups.controllers)}
        """The kernel's means to contain engines, and whether each is in force."""
        self.controllers = {
            name: Controller(one, scratch, groups) for name, one in programs.items()
        }
        """The engines by name."""
        self._thinking: dict[str, Controller] = {}
        """Separate processes for reviews and analyses, so that moves need not wait for them."""
        if OUR_PLAYER in programs:
            for name, processes in (("review", 1), ("analysis", MAX_ANALYSES)):
                program = replace(programs[OUR_PLAYER], name=name, processes=processes)
                self._thinking[name] = Controller(program, scratch, groups)
        self.adviser = adviser
        self._open = True

    async def close(self) -> None:
        """End all processes, and answer no more questions."""
        self._open = False
        await asyncio.gather(*(one.close() for one in self._all_controllers()))

    @property
    def processes(self) -> Mapping[str, int]:
        """The number of running processes by program; reviews and analyses are separate."""
        return {one.program.name: one.running for one in self._all_controllers()}

    def _all_controllers(self) -> list[Controller]:
        return [*self.controllers.values(), *self._thinking.values()]

    async def opinion(self, game: Game) -> tuple[str, Reading] | None:
        """The advising engine ("" unless the operator chose it) and its opinion; or None.

        An engine that is the opponent is asked first, because the player needs its agreement.
        """
        for engine in dict.fromkeys((game.spec.invited.engine, self.adviser or OUR_PLAYER)):
            if engine is not None:
                read = await self.read_dead_stones(engine, game)
                if read is not None:
                    return engine if engine == self.adviser else "", read
        return None

    async def estimate(self, game: Game) -> ScoreEstimate | None:
        """Our own player's estimate of the score, or None."""
        controller = self.controllers.get(OUR_PLAYER)
        if controller is not None and self._open:
            async with _limit_time(OUR_OPINION_TIMEOUT, "engine.no-estimate", game=game.id):
                return await controller.estimate(game.id, game.position, game.spec.komi)
        return None

    async def review(self, game: Game) -> str | None:
        """Our own player's review of a game (`parse_review`), or None."""
        reviewer = self._thinking.get("review")
        if reviewer is not None and self._open:
            async with _limit_time(REVIEW_TIMEOUT, "engine.no-review", game=game.id):
                return await reviewer.review(game.id, game.position, game.spec.komi)
        return None

    async def analyze(self, line: str, position: Position, komi: float, listener: Listener) -> None:
        """Send our own player's analysis to the listener line by line (`Controller.analyze`).

        Raises the player's `Refusal`, and `Temporary` if it cannot be asked now.
        """
        analyst = self._thinking.get("analysis")
        if analyst is None or not self._open:
            raise Temporary("no analysis is available now")
        try:
            await analyst.analyze(line, position, komi, listener)
        except Busy:
            raise
        except Temporary as fault:
            _log.warning("engine.no-analysis", detail=describe_fault(fault))
            raise Temporary("the analysis failed: try again", detail=fault.detail) from fault

    async def read_dead_stones(self, engine: str, game: Game) -> Reading | None:
        """An engine's dead stones; None if it has no view, fails or is too slow."""
        controller = self.controllers.get(engine)
        seconds = OPINION_TIMEOUT if self.adviser == engine else OUR_OPINION_TIMEOUT
        if controller is not None and self._open:
            async with _limit_time(seconds, "engine.no-opinion", engine=engine):
                return await controller.read_dead_stones(game.id, game.position, game.spec.komi)
        return None


@asynccontextmanager
async def _limit_time(seconds: float, event: str, **about: object) -> AsyncIterator[None]:
    """Limit the time of the body; logs timeouts and an engine's failures, and raises neither."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except (*FAILURES, TimeoutError) as fault:
        _log.warning(event, **about, detail=str(fault))


def describe_fault(fault: GodaemonError) -> str:
    """An engine's error for the log, with its detail."""
    return f"{fault.public}: {fault.detail}" if fault.detail else fault.public
