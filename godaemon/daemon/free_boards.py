"""Free boards on a daemon: a copy of each in the store, and the engine that plays on it.

No command waits for the disk (godaemon/README.md, "The cursor"): a board is saved shortly after
each change, and when its session ends. If a program clears a board and replays the same moves, it
is the same board; with other moves it is a new one. If the store fails, only the copy is lost, and
play goes on. The engine runs in its own process; the player's methods block, so they run outside
the event loop. If the process fails, is stopped or is too slow, a weaker move is played instead.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import random
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from functools import partial
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

BEHIND = 1.0
"""Seconds that the store may lag behind a board."""

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
        """A new board, or board `number` as it was left; raises `Unknown`.

        0 is for a program that reconnects after a restart, and has its board in one record.
        """
        sitting = AutosavedBoard(self, self.make(), returning=number == 0)
        if number:
            sgf = (await self.writer.run(lambda unit: unit.boards.sgf(number))).encode()
            sitting.board.load(sgf)
            sitting.number, sitting.saved = number, record_of(sitting.board)
        self.played.add(sitting)
        return sitting


@dataclass(slots=True, eq=False)
class AutosavedBoard:
    """One free board, and its copy in the store."""

    boards: SavedBoards
    board: FreeBoard
    number: int | None = None
    saved: Record | None = None
    returning: bool = False
    """True until the number of a reconnected program's board has been found."""
    _ending: asyncio.Event = field(default_factory=asyncio.Event)
    _saving: asyncio.Task[None] | None = None

    def save_soon(self) -> None:
        """Save the board in a moment, if it has changed."""
        if self._saving is None or self._saving.done():
            self._saving = asyncio.create_task(self._save_later())

    async def close(self) -> None:
        """Save the board as the session ends."""
        self._ending.set()
        if self._saving is not None:
            await self._saving
        await self._save()
        self.boards.played.discard(self)

    async def _save_later(self) -> None:
        await self.boards.clock.wait(self._ending, BEHIND)
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


_LOOK = 0.05
"""Seconds between two looks at whether to stop thinking."""


@dataclass(slots=True, eq=False)
class EngineProcessPlayer:
    """An engine that plays on one free board; a `gtp.board.free_board.BoardPlayer`."""

    asker: EngineWorker
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
        """The engine's move; a simple one if it gives none in time."""
        lines = SimpleQueue[str]()

        def _stop() -> bool:
            while aloud and not lines.empty():
                aloud.hear(lines.get())
            return stop()

        async def _hear(line: str) -> None:
            lines.put(line)

        question = aloud and (aloud.line, Listener(_hear, asyncio.Event().wait))
        asked = self.asker.genmove(
            self.engine, self, position.copy(), komi, color, aloud=question, cleanup=cleanup
        )
        answer = self._wait(asyncio.run_coroutine_threadsafe(asked, self.loop), seconds, _stop)
        _stop()
        if isinstance(answer, cmd.Resign):
            return Choice(resigns=True)
        point = answer.point if isinstance(answer, cmd.Play) else None
        if answer is not None and (point is None or position.is_legal(color, point)):
            return Choice(point)
        rng = random.Random()  # noqa: S311 - moves, no secret
        return Choice(fallback.choose_move(position, color, komi=komi, rng=rng))

    def read(self, position: Position) -> Reading:
        """The dead stones in our own player's view, whichever engine plays."""
        asked = self.asker.read(self, position.copy(), position.ruleset.komi)
        return Reading(asyncio.run_coroutine_threadsafe(asked, self.loop).result())

    @staticmethod
    def _wait(
        asked: concurrent.futures.Future[Answer], seconds: float | None, stop: Callable[[], bool]
    ) -> Answer | None:
        """The answer, or None if it fails, times out or is stopped."""
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
    asker: EngineWorker, loop: asyncio.AbstractEventLoop, engine: str | None = None
) -> FreeBoard:
    """A free board whose player is an engine process: the named one, or our own player."""
    board = FreeBoard(
        engine=lambda: EngineProcessPlayer(asker, loop, engine or f"house{board.level}"),
        analyst=partial(_thoughts, asker, loop),
        plays=engine or "",
    )
    return board


def _thoughts(
    asker: EngineWorker,
    loop: asyncio.AbstractEventLoop,
    line: str,
    position: Position,
    komi: float,
) -> Generator[str]:
    """The lines of our own player's analysis; empty ones while there is nothing new."""
    lines, enough = SimpleQueue[str | None](), asyncio.Event()

    async def _hear(line: str) -> None:
        lines.put(line)

    asked = asyncio.run_coroutine_threadsafe(
        asker.analyze(line, position, komi, Listener(_hear, enough.wait)), loop
    )
    asked.add_done_callback(lambda _: lines.put(None))
    try:
        while (thought := _next_line(lines)) is not None:
            yield thought
    finally:
        loop.call_soon_threadsafe(enough.set)
        asked.result()


def _next_line(lines: SimpleQueue[str | None]) -> str | None:
    try:
        return lines.get(timeout=_LOOK)
    except Empty:
        return ""
