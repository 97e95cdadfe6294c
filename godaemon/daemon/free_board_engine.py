"""The player of a free board on a daemon: an engine in a process of its own.

Its methods block, and are called beside the event loop. A process that fails, or is stopped, or
takes longer than its clock allows, costs strength and not the move: what needs no process moves in
its place.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import random
from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Protocol

import structlog

from godaemon.engine import Choice, Reading, fallback
from godaemon.errors import GodaemonError
from godaemon.games import commands as cmd
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Position
from gtp.board.free_board import FreeBoard, never
from gtp.engines.controller import Answer
from gtp.read_ahead import Listener

_LOOK = 0.05
"""Every so many seconds somebody who thinks looks whether it is asked to stop."""

_log = structlog.get_logger("godaemon.engine")


class EngineAsker(Protocol):
    """Asks engines for moves: `godaemon.daemon.engine_worker.EngineWorker` does."""

    async def think(
        self, engine: str, board: object, position: Position, komi: float, color: Color
    ) -> Answer:
        """A move; raises `GodaemonError` where the engine fails, `LookupError` without one."""

    async def read(self, board: object, position: Position, komi: float) -> frozenset[Point]:
        """The stones that our own player takes for dead."""

    async def analyze(self, line: str, position: Position, komi: float, listener: Listener) -> None:
        """Our own player's thoughts, line by line."""


@dataclass(slots=True, eq=False)
class EngineProcessPlayer:
    """The engine of that name at one free board, as `gtp.board.free_board.BoardPlayer`."""

    asker: EngineAsker
    loop: asyncio.AbstractEventLoop
    engine: str

    def genmove(
        self,
        position: Position,
        color: Color,
        *,
        komi: float,
        seconds: float | None = None,
        stop: Callable[[], bool] = never,
    ) -> Choice:
        """The process's move, or where it gives none in time, one made without it."""
        asked = self.asker.think(self.engine, self, position.copy(), komi, color)
        answer = self._wait(asyncio.run_coroutine_threadsafe(asked, self.loop), seconds, stop)
        choice = None if answer is None else _choice(answer)
        if choice is not None and _possible(choice, position, color):
            return choice
        rng = random.Random()  # noqa: S311 - moves, no secret
        return Choice(fallback.choose(position, color, komi=komi, rng=rng))

    def read(self, position: Position) -> Reading:
        """The stones that our own player takes for dead, whichever engine plays."""
        asked = self.asker.read(self, position.copy(), position.ruleset.komi)
        return Reading(asyncio.run_coroutine_threadsafe(asked, self.loop).result())

    @staticmethod
    def _wait(
        asked: concurrent.futures.Future[Answer], seconds: float | None, stop: Callable[[], bool]
    ) -> Answer | None:
        """The answer, unless there is none before we are stopped or the time is over."""
        end = monotonic() + seconds if seconds is not None else None
        while not stop() and (end is None or monotonic() < end):
            try:
                return asked.result(_LOOK)
            except TimeoutError:
                continue
            except (GodaemonError, LookupError, concurrent.futures.CancelledError) as fault:
                _log.warning("engine.failed", detail=f"{type(fault).__name__}: {fault}")
                return None
        asked.cancel()
        return None


def engine_board(
    asker: EngineAsker, loop: asyncio.AbstractEventLoop, engine: str | None = None
) -> FreeBoard:
    """A free board whose player thinks in a process of its own.

    It is the engine of that name; without one, our own player at whatever level is asked for.
    """
    board = FreeBoard(
        engine=lambda: EngineProcessPlayer(asker, loop, engine or f"house{board.level}"),
        analyst=partial(_thoughts, asker, loop),
        plays=engine or "",
    )
    return board


def _thoughts(
    asker: EngineAsker,
    loop: asyncio.AbstractEventLoop,
    line: str,
    position: Position,
    komi: float,
) -> Generator[str]:
    """What our own player thinks, line by line; empty ones while there is nothing new."""
    told, enough = SimpleQueue[str | None](), asyncio.Event()

    async def _hear(text: str) -> None:
        told.put(text)

    asked = asyncio.run_coroutine_threadsafe(
        asker.analyze(line, position, komi, Listener(_hear, enough.wait)), loop
    )
    asked.add_done_callback(lambda _: told.put(None))
    try:
        while (text := _next(told)) is not None:
            yield text
    finally:
        loop.call_soon_threadsafe(enough.set)
        asked.result()


def _next(told: SimpleQueue[str | None]) -> str | None:
    try:
        return told.get(timeout=_LOOK)
    except Empty:
        return ""


def _choice(answer: Answer) -> Choice:
    if isinstance(answer, cmd.Resign):
        return Choice(resigns=True)
    return Choice(answer.point if isinstance(answer, cmd.Play) else None)


def _possible(choice: Choice, position: Position, color: Color) -> bool:
    return choice.point is None or position.is_legal(color, choice.point)
