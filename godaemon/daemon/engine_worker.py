"""The engine worker: at the start and after each COMMIT it lets engines act in their games.

`godaemon.games.engine_seats` finds the question that an engine has to answer, and its `Controller`
asks it. The answer goes through `GameService.act` at the same revision, so that it is never applied
twice, nor to another position. A killed daemon loses nothing, because the questions follow from the
games' logs.

Each failure (a crash, a timeout, an invalid answer, an illegal move) is a strike, followed by a
pause that doubles. Strikes count for one question of one game. After the program's limit of strikes
the engine resigns and says why; in a count it takes our own player's opinion instead. If a program
cannot be started, its games wait, and the status says so.
"""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import structlog

from godaemon.daemon.core import Core
from godaemon.daemon.engine_pool import FAILURES, OUR_PLAYER, EnginePool, describe_fault
from godaemon.engine import fallback
from godaemon.errors import GodaemonError, NotStarted, Refusal, Temporary
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.engine_seats import Question, actions_in_count, engine_color, next_question
from godaemon.games.model import ENGINE_PREFIX, Game, Seat
from godaemon.games.service_calls import Caller
from godaemon.games.stored_values import Unit
from godaemon.rules.points import Color, Point
from godaemon.storage.several_daemons import Lock
from godaemon.texts.catalogue import say, speaking

PAUSE = 1.0
"""Seconds to pause after the first strike; doubled after each further strike."""
MAX_PAUSE = 60.0
_ABSENT_STRIKES = 5
"""A missing program is retried with the back-off of five strikes."""
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
    """Lets the engines of a pool play; used only on the event loop."""

    def __init__(self, core: Core, pool: EnginePool, *, pause: float = PAUSE) -> None:
        self._core, self.pool, self._pause = core, pool, pause
        self._playing: dict[int, asyncio.Task[None]] = {}
        self._changed: set[int] = set()
        self._open = True
        self.absent: dict[str, str] = {}
        """The engines whose programs did not start when last needed, and why."""

    async def find_games(self) -> None:
        """Find and serve all games in progress with an engine."""
        self.serve_games(await self._core.writer.run(lambda unit: unit.games.engine_games()))

    def serve_games(self, numbers: Iterable[int]) -> None:
        """Serve changed games: an engine may have to act in them."""
        for number in numbers if self._open else ():
            known = self._core.cache.peek(number)
            if known is not None and known.spec.invited.engine is None:
                continue
            if number in self._playing:
                self._changed.add(number)
            else:
                work, name = self._serve_game(number), f"engine in game {number}"
                self._playing[number] = asyncio.create_task(work, name=name)

    async def close(self) -> None:
        """Stop at once, and close the pool; the next start asks open questions again."""
        self._open = False
        tasks = list(self._playing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._playing.clear()  # a task that was cancelled before it began does not remove itself
        await self.pool.close()

    # -- one game ------------------------------------------------------------------------------
    async def _serve_game(self, number: int) -> None:
        try:
            while True:
                with suppress(TimeoutError):
                    async with self._core.holder.exclusive(Lock.GAME, number):
                        return await self._play_on(number)
                _log.warning("engine.taken-over", game=number)
        except Exception:  # noqa: BLE001 - a bug of ours must stop only this game, until it changes
            _log.exception("engine.fault", game=number)
        finally:
            del self._playing[number]

    async def _play_on(self, number: int) -> None:
        """Let the engine act until there is nothing to do."""
        troubles, more = 0, True
        while more:
            self._changed.discard(number)
            try:
                more = await self._ask_once(number) or number in self._changed
            except Temporary as trouble:  # of the store, so it is no strike
                troubles += 1
                _log.warning("engine.not-stored", game=number, detail=describe_fault(trouble))
                await self._back_off(troubles)

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
            except FAILURES as fault:
                strikes = await self._strike(case, strikes + 1, fault)
                continue
            try:
                if actions:
                    await self._carry_out(case, actions)
                return bool(actions)
            except Refusal as fault:
                await self.pool.controllers[case.engine].forget(number)
                strikes = await self._strike(case, strikes + 1, fault)
        self.absent.pop(engine, None)  # another waiting game will set it again
        return False

    async def _load_case(self, number: int) -> _Case | None:
        def _work(unit: Unit) -> tuple[Game, list[ev.Event], str]:
            game = self._core.games(unit).game(number)
            if game.spec.invited.engine is None:
                return game, [], ""
            language = unit.players.profile(game.spec.proposer.address).language
            return game, [entry.event for entry in unit.games.log(number)], language

        game, log, language = await self._core.writer.run(_work)
        engine, color = game.spec.invited.engine, engine_color(game)
        question = next_question(game, log)
        if engine is None or question is None or color is None:
            return None
        if engine not in self.pool.controllers:
            _log.warning("engine.missing", game=number, engine=engine)
            return None
        return _Case(game, log, engine, color, question, language)

    async def _choose_actions(self, case: _Case, strikes: int) -> tuple[cmd.Action, ...]:
        """The engine's actions, or our own after too many strikes; raises the engine's errors."""
        given_up = strikes >= self.pool.controllers[case.engine].program.strikes
        if case.question is Question.VOID:
            return (cmd.Void(),)
        if case.question is Question.DEAD:
            dead = await self._dead_stones(case, given_up=given_up)
            return actions_in_count(case.game, case.log, dead)
        if given_up:
            return (cmd.Say(say("program-resigns", count=strikes)), cmd.Resign())
        game, cleanup = case.game, case.question is Question.CLEANUP
        genmove = self.pool.controllers[case.engine].genmove
        return (await genmove(game.id, game.position, game.spec.komi, case.color, cleanup=cleanup),)

    async def _dead_stones(self, case: _Case, *, given_up: bool) -> frozenset[Point]:
        """The dead stones by the engine, by our own player, or by a simpler estimate."""
        game = case.game
        if not given_up:
            controller = self.pool.controllers[case.engine]
            with suppress(NotStarted):
                known = await controller.read_dead_stones(game.id, game.position, game.spec.komi)
                if known is not None:
                    return known.dead
        read = await self.pool.read_dead_stones(OUR_PLAYER, game)
        if read is None:
            read = await asyncio.to_thread(fallback.read_dead_stones, game.position)
        return read.dead

    async def _carry_out(self, case: _Case, actions: Sequence[cmd.Action]) -> None:
        """Carry the actions out, unless the game has changed meanwhile; raises a `Refusal`."""
        caller = Caller(f"engine:{case.engine}", f"{ENGINE_PREFIX}{case.engine}", case.engine)
        seat, seen = Seat.of(case.color), case.game.revisions

        def _work(unit: Unit) -> bool:
            games = self._core.games(unit)
            if games.game(case.game.id).revisions != seen:
                return False
            games.act(case.game.id, seat, actions, caller, seen=seen)
            return True

        done = await self._core.writer.run(_work)
        _log.info(
            "engine.acted" if done else "engine.too-late",
            game=case.game.id,
            seat=case.color.word,
            engine=case.engine,
            detail=", ".join(map(cmd.log_text, actions)),
        )

    async def _strike(self, case: _Case, strikes: int, fault: GodaemonError) -> int:
        """Log a strike and pause; returns the number of strikes."""
        limit = self.pool.controllers[case.engine].program.strikes
        _log.warning(
            "engine.strike",
            game=case.game.id,
            engine=case.engine,
            strike=strikes,
            most=limit,
            detail=describe_fault(fault),
        )
        if strikes != limit:  # after the last strike the engine is not asked again
            await self._back_off(strikes)
        return strikes

    async def _wait_for_program(self, case: _Case, fault: NotStarted) -> None:
        """Pause, because the program may be missing only during an upgrade of its package."""
        if case.engine not in self.absent:
            _log.warning("engine.not-started", engine=case.engine, detail=describe_fault(fault))
        self.absent[case.engine] = fault.detail
        await self._back_off(_ABSENT_STRIKES)

    async def _back_off(self, times: int) -> None:
        await asyncio.sleep(min(self._pause * 2.0 ** min(times - 1, 30), MAX_PAUSE))
