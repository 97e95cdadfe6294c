"""Free boards on a daemon: a copy of each in the store, and the engine that plays on it.

No command waits for the disk (godaemon/README.md, "The cursor"): a board is saved shortly after
each change, and when its session ends. If a program clears a board and replays the same moves, it
stays the same board; other moves make a new one. If the store fails, only the copy is lost, and
play goes on. The engine runs in a process of its own. The player's methods block, so they must not
be called on the event loop. If the process fails, is stopped or is too slow, a simple move is
played.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import random
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from functools import partial
from math import inf
from queue import Empty, SimpleQueue
from time import monotonic

import structlog

from godaemon.daemon.engine_worker import EngineWorker
from godaemon.engine import Aloud, Choice, Reading, fallback
from godaemon.errors import GodaemonError
from godaemon.games import commands as cmd
from godaemon.records.record import Record
from godaemon.records.sgf import format_sgf
from godaemon.rules.points import Color
from godaemon.rules.position import Position
from godaemon.storage.writer import WriterThread
from godaemon.system.clock import Clock
from gtp.board.free_board import FreeBoard, never
from gtp.board.game_file import record_of
from gtp.engines.controller import Answer
from gtp.read_ahead import Listener

SAVE_DELAY = 1.0
"""Seconds between a change of a board and its saving."""

_log = structlog.get_logger("godaemon.gtp")


@dataclass(frozen=True, slots=True)
class SavedBoards:
    """All free boards of a daemon."""

    writer: WriterThread
    clock: Clock
    make: Callable[[], FreeBoard] = FreeBoard
    played: set[AutosavedBoard] = field(default_factory=set)
    """The boards in use."""
    saving: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def open(self, number: int | None = None) -> AutosavedBoard:
        """A new board, or the saved board `number`, or a copy while that is in use.

        Raises `Unknown`. 0 is for a program that reconnects after a restart, and replays its board.
        """
        autosaved = AutosavedBoard(self, self.make(), returning=number == 0)
        if number:
            sgf = (await self.writer.run(lambda unit: unit.boards.sgf(number))).encode()
            autosaved.board.load(sgf)
            autosaved.saved = record_of(autosaved.board)
            if all(number != one.number for one in self.played):
                autosaved.number = number
        self.played.add(autosaved)
        return autosaved


@dataclass(slots=True, eq=False)
class AutosavedBoard:
    """One free board, and its copy in the store."""

    boards: SavedBoards
    board: FreeBoard
    number: int | None = None
    saved: Record | None = None
    returning: bool = False
    """True until the saved board of a reconnected program is found."""
    _ending: asyncio.Event = field(default_factory=asyncio.Event)
    _saving: asyncio.Task[None] | None = None

    def save_soon(self) -> None:
        """Save the board after `SAVE_DELAY`, if it has changed."""
        if self._saving is None or self._saving.done():
            self._saving = asyncio.create_task(self._save_later())

    async def close(self) -> None:
        """Save the board at the end of its session."""
        self._ending.set()
        if self._saving is not None:
            await self._saving
        await self._save()
        self.boards.played.discard(self)

    async def _save_later(self) -> None:
        await self.boards.clock.wait(self._ending, SAVE_DELAY)
        await self._save()

    async def _save(self) -> None:
        record = record_of(self.board)
        if record == self.saved or not record.moves:
            return
        same = self.saved is not None and _is_same_game(self.saved, record)
        number, now = self.number if same else None, self.boards.clock.now()
        sgf, size, moves = format_sgf(record), str(record.size), len(record.moves)
        try:
            async with self.boards.saving:
                taken = [one.number for one in self.boards.played if one.number]
                self.number = await self.boards.writer.run(
                    lambda unit: unit.boards.save(
                        unit.boards.find_replayed(sgf, taken) if self.returning else number,
                        *(sgf, size, moves, now),
                    )
                )
        except GodaemonError as trouble:
            _log.warning("gtp.board-not-kept", detail=trouble.detail or trouble.public)
        else:
            self.saved, self.returning = record, False


def _is_same_game(one: Record, other: Record) -> bool:
    """True if one record is the beginning of the other."""
    shorter = min(len(one.moves), len(other.moves))
    return _setup_of(one) == _setup_of(other) and one.moves[:shorter] == other.moves[:shorter]


def _setup_of(record: Record) -> tuple[object, ...]:
    return record.size, {*record.setup_black}, {*record.setup_white}


_POLL = 0.05
"""Seconds between two checks whether to stop thinking."""


@dataclass(slots=True, eq=False)
class EngineProcessPlayer:
    """An engine that plays on one free board; a `gtp.board.free_board.BoardPlayer`."""

    worker: EngineWorker
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
        aloud: Aloud | None = None,
        cleanup: bool = False,
    ) -> Choice:
        """The engine's move; a simple move if it fails, is stopped or is too slow."""
        lines, end = SimpleQueue[str](), inf if seconds is None else monotonic() + seconds

        def _stop() -> bool:
            while aloud and not lines.empty():
                aloud.hear(lines.get())
            return stop() or monotonic() >= end

        async def _put(line: str) -> None:
            lines.put(line)

        analysis = aloud and (aloud.line, Listener(_put, asyncio.Event().wait))
        answering = self.worker.genmove(
            self.engine, self, position.copy(), komi, color, aloud=analysis, cleanup=cleanup
        )
        future = asyncio.run_coroutine_threadsafe(answering, self.loop)
        answer = self._wait(future, _stop)
        _stop()
        if isinstance(answer, cmd.Resign):
            return Choice(resigns=True)
        point = answer.point if isinstance(answer, cmd.Play) else None
        if answer is not None and (point is None or position.is_legal(color, point)):
            return Choice(point)
        rng = random.Random()  # noqa: S311 - moves, no secret
        return Choice(fallback.choose_move(position, color, komi=komi, rng=rng, halt=_stop))

    def read(self, position: Position) -> Reading:
        """The dead stones by our own player, whichever engine plays."""
        reading = self.worker.read(self, position.copy(), position.ruleset.komi)
        return Reading(asyncio.run_coroutine_threadsafe(reading, self.loop).result())

    @staticmethod
    def _wait(future: concurrent.futures.Future[Answer], stop: Callable[[], bool]) -> Answer | None:
        """The answer, or None if it fails or is stopped."""
        while not stop():
            try:
                return future.result(_POLL)
            except TimeoutError:
                continue
            except (GodaemonError, LookupError, concurrent.futures.CancelledError) as fault:
                _log.warning("engine.failed", detail=f"{type(fault).__name__}: {fault}")
                return None
        future.cancel()
        return None


def engine_board(
    worker: EngineWorker, loop: asyncio.AbstractEventLoop, engine: str | None = None
) -> FreeBoard:
    """A free board with an engine process as player: the named engine, or our own player."""
    board = FreeBoard(
        engine=lambda: EngineProcessPlayer(worker, loop, engine or f"house{board.level}"),
        analyst=partial(_analysis_lines, worker, loop),
        plays=engine or "",
    )
    return board


def _analysis_lines(
    worker: EngineWorker,
    loop: asyncio.AbstractEventLoop,
    line: str,
    position: Position,
    komi: float,
) -> Generator[str]:
    """The lines of our own player's analysis; "" while there is no new line."""
    lines, enough = SimpleQueue[str | None](), asyncio.Event()

    async def _put(line: str) -> None:
        lines.put(line)

    future = asyncio.run_coroutine_threadsafe(
        worker.analyze(line, position, komi, Listener(_put, enough.wait)), loop
    )
    future.add_done_callback(lambda _: lines.put(None))
    try:
        while (text := _next_line(lines)) is not None:
            yield text
    finally:
        loop.call_soon_threadsafe(enough.set)
        future.result()


def _next_line(lines: SimpleQueue[str | None]) -> str | None:
    try:
        return lines.get(timeout=_POLL)
    except Empty:
        return ""
