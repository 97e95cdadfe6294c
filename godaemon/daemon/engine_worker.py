"""The engine worker: at the start and after each COMMIT it lets engines make the moves they owe.

An engine is asked about a position by its `Controller`. Its answer goes through `GameService.act`
at the revision that was asked about, so that it is never applied twice, nor to another position.
`godaemon.games.engine_seats` says what an engine has to do. Nothing is lost if we are killed,
because the games' logs say what an engine owes.

Each failure (a crash, a timeout, nonsense, an illegal move) is a strike, followed by a pause that
doubles. Strikes count for one question of one game. After as many as its program allows the engine
resigns and says why; in a count it takes our own player's opinion instead. A program
that cannot be started makes its games wait, and the status says so.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import structlog

from godaemon.engine import Reading, fallback
from godaemon.engine.estimate import ScoreEstimate
from godaemon.errors import Busy, GodaemonError, NotStarted, Refusal, Temporary, Unreadable
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.engine_seats import Question, actions_in_count, engine_color, next_question
from godaemon.games.model import ENGINE, Game, Seat
from godaemon.games.service import GameService
from godaemon.games.service_calls import Caller
from godaemon.games.stored_values import Unit, Writer
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position
from godaemon.texts.catalogue import say, speaking
from gtp.engines.bounds import kernel_features
from gtp.engines.control_groups import ControlGroups, own_group
from gtp.engines.controller import Answer, Controller
from gtp.engines.engine_process import EngineProgram
from gtp.engines.thinking_limits import ANALYSES_AT_ONCE, OPINION, OUR_OPINION, REVIEW
from gtp.read_ahead import Listener

PAUSE = 1.0
"""Seconds to pause after the first strike; doubled after each further one."""
LONGEST_PAUSE = 60.0
_ABSENT = 5
"""A missing program is retried with the back-off of five strikes."""
OURS = "house"
"""Our own player, which gives its opinion if no other engine is named."""
_FAILURES = (Temporary, Unreadable, Refusal)
"""The errors that a controller raises."""
_log = structlog.get_logger("godaemon.engine")


@dataclass(frozen=True, slots=True)
class _Case:
    """A game, and the next question for its engine."""

    game: Game
    log: Sequence[ev.Event]
    engine: str
    color: Color
    question: Question
    language: str
    """Of its opponent, who reads its words; "" for English."""


class EngineWorker:
    """Has the engines play. `scratch` is a folder for their processes to work in.

    `opinion` names the engine whose view of dead stones people are shown, by default our own
    player. Used on the event loop alone.
    """

    def __init__(  # noqa: PLR0913 - what it works with
        self,
        writer: Writer,
        games: Callable[[Unit], GameService],
        programs: Mapping[str, EngineProgram],
        scratch: Path,
        *,
        opinion: str | None = None,
        pause: float = PAUSE,
        cached_game: Callable[[int], Game | None] = lambda _: None,
        lock_game: Callable[[int], AbstractAsyncContextManager[None]] = lambda _: nullcontext(),
    ) -> None:
        """`cached_game` returns a cached game; `lock_game` locks one, or raises `TimeoutError`."""
        self._writer, self._games, self._pause = writer, games, pause
        self._cached_game, self._lock_game = cached_game, lock_game
        groups = ControlGroups(own_group())
        self.contained = {**kernel_features(), "control_groups": list(groups.controllers)}
        """The kernel's means of containing engines, and which are in force."""
        self._controllers = {
            name: Controller(one, scratch, groups) for name, one in programs.items()
        }
        self._thinking: dict[str, Controller] = {}
        """Separate processes for reviews and analyses, so that moves need not wait for them."""
        if OURS in programs:
            for name, processes in (("review", 1), ("analysis", ANALYSES_AT_ONCE)):
                program = replace(programs[OURS], name=name, processes=processes)
                self._thinking[name] = Controller(program, scratch, groups)
        self._opinion = opinion
        self._playing: dict[int, asyncio.Task[None]] = {}
        self._again: set[int] = set()
        self._people: set[int] = set()
        """Games without an engine, which need not be looked at again."""
        self._open = True
        self.absent: dict[str, str] = {}
        """Engines whose programs did not start when they were needed last, and why."""

    async def resume(self) -> None:
        """Resume all games that wait for an engine, when the daemon starts."""
        for name, controller in self._controllers.items():
            if shutil.which(controller.program.command[0]) is None:
                _log.warning("engine.not-found", engine=name, program=controller.program.command[0])
        if self._opinion is not None and self._opinion not in self._controllers:
            _log.warning("engine.no-opinion", engine=self._opinion, detail="no such engine")
        await self.find_games()

    async def find_games(self) -> None:
        """Look for games in which an engine has to act."""
        self.serve_games(await self._writer.run(lambda unit: unit.games.engine_games()))

    def serve_games(self, numbers: Iterable[int]) -> None:
        """Look at changed games: an engine may have to act in them."""
        for number in numbers:
            if number in self._people or not self._open:
                continue
            known = self._cached_game(number)
            if known is not None and known.spec.invited.engine is None:
                continue
            if number in self._playing:
                self._again.add(number)
            else:
                work, name = self._serve_game(number), f"engine in game {number}"
                self._playing[number] = asyncio.create_task(work, name=name)

    async def close(self) -> None:
        """End all processes at once; open questions are asked again at the next start."""
        self._open = False
        tasks = list(self._playing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._playing.clear()  # of tasks, too, that were cancelled before they began
        await asyncio.gather(*(one.close() for one in self._all_controllers()))

    @property
    def processes(self) -> Mapping[str, int]:
        """Running processes by program; reviews and analyses count separately."""
        return {one.program.name: one.running for one in self._all_controllers()}

    def _all_controllers(self) -> list[Controller]:
        return [*self._controllers.values(), *self._thinking.values()]

    async def genmove(
        self,
        engine: str,
        board: object,
        position: Position,
        komi: float,
        color: Color,
        *,
        aloud: tuple[str, Listener] | None = None,
        cleanup: bool = False,
    ) -> Answer:
        """An engine's move on any board; `board` is any object that stands for it alone.

        Raises `Temporary`, `Unreadable` or `Refusal`, and `LookupError` for an unknown engine.
        """
        genmove = self._controllers[engine].genmove
        return await genmove(board, position, komi, color, aloud=aloud, cleanup=cleanup)

    async def opinion(self, game: Game) -> tuple[str, Reading] | None:
        """The advising engine, named only if the operator chose it, and its opinion; or None.

        The opponent is asked first, so that a player knows what it will agree to.
        """
        for engine in dict.fromkeys((game.spec.invited.engine, self._opinion or OURS)):
            if engine is not None:
                read = await self._read(engine, game.id, game.position, game.spec.komi)
                if read is not None:
                    return engine if engine == self._opinion else "", read
        return None

    async def read(self, board: object, position: Position, komi: float) -> frozenset[Point]:
        """Our own player's dead stones on any board; a simpler estimate if it fails."""
        read = await self._read(OURS, board, position, komi)
        if read is None:
            read = await asyncio.to_thread(fallback.read_dead_stones, position)
        return read.dead

    async def estimate(self, game: Game) -> ScoreEstimate | None:
        """Our own player's estimate of the score, or None."""
        controller = self._controllers.get(OURS)
        if controller is not None and self._open:
            async with _limit_time(OUR_OPINION, "engine.no-estimate", game=game.id):
                return await controller.estimate(game.id, game.position, game.spec.komi)
        return None

    async def review(self, game: Game) -> str | None:
        """Our own player's review of a game (`parse_review`), or None."""
        reviewer = self._thinking.get("review")
        if reviewer is not None and self._open:
            async with _limit_time(REVIEW, "engine.no-review", game=game.id):
                return await reviewer.review(game.id, game.position, game.spec.komi)
        return None

    async def analyze(self, line: str, position: Position, komi: float, listener: Listener) -> None:
        """Send our own player's analysis to the listener line by line (`Controller.analyze`).

        Raises the player's `Refusal`, and `Temporary` if it cannot be asked now.
        """
        analyst = self._thinking.get("analysis")
        if analyst is None or not self._open:
            raise Temporary("nobody can analyze it now")
        try:
            await analyst.analyze(line, position, komi, listener)
        except Busy:
            raise
        except Temporary as fault:
            _log.warning("engine.no-analysis", detail=_detail(fault))
            raise Temporary("the analysis failed: try again", detail=fault.detail) from fault

    async def _read(
        self, engine: str, board: object, position: Position, komi: float
    ) -> Reading | None:
        """An engine's dead stones; None if it has no view, fails or is too slow."""
        controller = self._controllers.get(engine)
        seconds = OPINION if self._opinion == engine else OUR_OPINION
        if controller is not None and self._open:
            async with _limit_time(seconds, "engine.no-opinion", engine=engine):
                return await controller.read(board, position, komi)
        return None

    # -- one game ------------------------------------------------------------------------------
    async def _serve_game(self, number: int) -> None:
        wanted = True
        try:
            while wanted:
                try:
                    async with self._lock_game(number):
                        wanted = await self._play_on(number)
                except TimeoutError:
                    _log.warning("engine.taken-over", game=number)
        except Exception:  # noqa: BLE001 - a bug of ours stops this game until it changes, and no other
            _log.exception("engine.fault", game=number)
        finally:
            del self._playing[number]

    async def _play_on(self, number: int) -> bool:
        """Let the engine act until it has nothing to do; returns False then."""
        troubles, wanted = 0, True
        while wanted:
            self._again.discard(number)
            try:
                wanted = await self._ask_once(number) or number in self._again
            except Temporary as trouble:  # the store's: the engine has done nothing wrong
                troubles += 1
                _log.warning("engine.not-stored", game=number, detail=_detail(trouble))
                await self._back_off(troubles)
        return wanted

    async def _ask_once(self, number: int) -> bool:
        """Ask one question until it is answered; True if the game may have another."""
        strikes, engine = 0, ""
        while (case := await self._load_case(number)) is not None:
            engine = case.engine
            try:
                with speaking(case.language):
                    actions = await self._choose_actions(case, strikes)
                self.absent.pop(case.engine, None)
            except NotStarted as fault:
                await self._wait_for_program(case, fault)
                continue
            except _FAILURES as fault:
                strikes = await self._strike(case, strikes + 1, fault)
                continue
            try:
                if actions:
                    await self._carry_out(case, actions)
                return bool(actions)
            except Refusal as fault:
                await self._controllers[case.engine].forget(number)
                strikes = await self._strike(case, strikes + 1, fault)
        self.absent.pop(engine, None)  # another game that waits for it will say so again
        return False

    async def _load_case(self, number: int) -> _Case | None:
        def _work(unit: Unit) -> tuple[Game, list[ev.Event], str]:
            game = self._games(unit).game(number)
            if game.spec.invited.engine is None:
                return game, [], ""
            language = unit.players.profile(game.spec.proposer.address).language
            return game, [entry.event for entry in unit.games.log(number)], language

        game, log, language = await self._writer.run(_work)
        engine, color = game.spec.invited.engine, engine_color(game)
        if engine is None:
            self._people.add(number)
            return None
        asked = next_question(game, log)
        if asked is None or color is None:
            return None
        if engine not in self._controllers:
            _log.warning("engine.missing", game=number, engine=engine)
            return None
        return _Case(game, log, engine, color, asked, language)

    async def _choose_actions(self, case: _Case, strikes: int) -> tuple[cmd.Action, ...]:
        """The engine's actions, or our own after too many strikes; raises the engine's errors."""
        given_up = strikes >= self._controllers[case.engine].program.strikes
        if case.question is Question.VOID:
            return (cmd.Void(),)
        if case.question is Question.DEAD:
            dead = await self._dead_stones(case, given_up=given_up)
            return actions_in_count(case.game, case.log, dead)
        if given_up:
            return (cmd.Say(say("program-resigns", count=strikes)), cmd.Resign())
        game, cleanup = case.game, case.question is Question.CLEANUP
        genmove = self._controllers[case.engine].genmove
        return (await genmove(game.id, game.position, game.spec.komi, case.color, cleanup=cleanup),)

    async def _dead_stones(self, case: _Case, *, given_up: bool) -> frozenset[Point]:
        """The engine's dead stones, or our own player's view."""
        game = case.game
        if not given_up:
            controller = self._controllers[case.engine]
            with suppress(NotStarted):
                known = await controller.read(game.id, game.position, game.spec.komi)
                if known is not None:
                    return known.dead
        return await self.read(game.id, game.position, game.spec.komi)

    async def _carry_out(self, case: _Case, actions: Sequence[cmd.Action]) -> None:
        """Carry the actions out, unless the game has changed since; raises a `Refusal`."""
        caller = Caller(f"engine:{case.engine}", f"{ENGINE}{case.engine}", case.engine)
        seat, seen = Seat.of(case.color), case.game.revisions

        def _work(unit: Unit) -> bool:
            games = self._games(unit)
            if games.game(case.game.id).revisions != seen:
                return False
            games.act(case.game.id, seat, actions, caller, seen=seen)
            return True

        done = await self._writer.run(_work)
        _log.info(
            "engine.acted" if done else "engine.too-late",
            game=case.game.id,
            seat=case.color.word,
            engine=case.engine,
            detail=", ".join(map(cmd.log_text, actions)),
        )

    async def _strike(self, case: _Case, strikes: int, fault: GodaemonError) -> int:
        """Log a strike and pause; returns the number of strikes."""
        most = self._controllers[case.engine].program.strikes
        _log.warning(
            "engine.strike",
            game=case.game.id,
            engine=case.engine,
            strike=strikes,
            most=most,
            detail=_detail(fault),
        )
        if strikes != most:  # after the last one there is nothing to wait for
            await self._back_off(strikes)
        return strikes

    async def _wait_for_program(self, case: _Case, fault: NotStarted) -> None:
        """Pause while the program is missing: its package may be being upgraded."""
        if case.engine not in self.absent:
            _log.warning("engine.not-started", engine=case.engine, detail=_detail(fault))
        self.absent[case.engine] = fault.detail
        await self._back_off(_ABSENT)

    async def _back_off(self, times: int) -> None:
        await asyncio.sleep(min(self._pause * 2.0 ** min(times - 1, 30), LONGEST_PAUSE))


@asynccontextmanager
async def _limit_time(seconds: float, event: str, **about: object) -> AsyncIterator[None]:
    """Log failures and timeouts of an engine as `event`, instead of raising them."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except (*_FAILURES, TimeoutError) as fault:
        _log.warning(event, **about, detail=str(fault))


def _detail(fault: GodaemonError) -> str:
    return f"{fault.public}: {fault.detail}" if fault.detail else fault.public
