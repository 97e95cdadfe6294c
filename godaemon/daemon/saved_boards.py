"""Free boards on a daemon: each is written to the store a moment behind its program, or at its end.

No command waits for the disk (godaemon/README.md, "The cursor"). A board that a program clears and
fills with the same moves is the same board; one with other moves is another. A store that fails
costs the copy, never the play.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog

from godaemon.errors import GodaemonError
from godaemon.records.record import Record
from godaemon.records.sgf import write
from godaemon.storage.writer import WriterThread
from godaemon.system.clock import Clock
from gtp.board.free_board import FreeBoard
from gtp.board.game_file import record_of

BEHIND = 1.0
"""How many seconds the store may be behind a board that is played on."""

_log = structlog.get_logger("godaemon.gtp")


@dataclass(frozen=True, slots=True)
class SavedBoards:
    """All free boards of a daemon, for those who play on one."""

    writer: WriterThread
    clock: Clock
    make: Callable[[], FreeBoard] = FreeBoard
    played: set[AutosavedBoard] = field(default_factory=set)
    """Those that somebody plays on."""
    saving: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def open(self, number: int | None = None) -> AutosavedBoard:
        """A new board, or board `number` as it was left; raises `Unknown`.

        0 is for a program that replays the board which it had before its daemon went away.
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
    """One free board, and what of it is in the store."""

    boards: SavedBoards
    board: FreeBoard
    number: int | None = None
    saved: Record | None = None
    returning: bool = False
    """Whether its number is not known again yet."""
    _ending: asyncio.Event = field(default_factory=asyncio.Event)
    _saving: asyncio.Task[None] | None = None

    def touched(self) -> None:
        """The board may have changed: it is looked at, and written down, a moment later."""
        if self._saving is None or self._saving.done():
            self._saving = asyncio.create_task(self._save_later())

    async def close(self) -> None:
        """Write down what has not been yet, as the session ends."""
        self._ending.set()
        if self._saving is not None:
            await self._saving
        await self._save()
        self.boards.played.discard(self)

    async def _save_later(self) -> None:
        await self.boards.clock.wait(self._ending, BEHIND)
        while self.returning and not self._ending.is_set():  # until the replay has come to its end
            before = record_of(self.board)
            await self.boards.clock.wait(self._ending, BEHIND)
            if record_of(self.board) == before:
                break
        await self._save()

    async def _save(self) -> None:
        record = record_of(self.board)
        if record == self.saved or not record.moves:
            return
        same = self.saved is not None and _goes_on(self.saved, record)
        number, now = self.number if same else None, self.boards.clock.now()
        sgf, size, moves = write(record), str(record.size), len(record.moves)
        try:
            async with self.boards.saving:
                taken = [one.number for one in self.boards.played if one.number]
                self.number = await self.boards.writer.run(
                    lambda unit: unit.boards.save(
                        unit.boards.replayed(sgf, taken) if self.returning else number,
                        *(sgf, size, moves, now),
                    )
                )
        except GodaemonError as trouble:
            _log.warning("gtp.board-not-kept", detail=trouble.detail or trouble.public)
        else:
            self.saved, self.returning = record, False


def _goes_on(one: Record, other: Record) -> bool:
    """True where one of two records is the beginning of the other."""
    shorter = min(len(one.moves), len(other.moves))
    return _start(one) == _start(other) and one.moves[:shorter] == other.moves[:shorter]


def _start(record: Record) -> tuple[object, ...]:
    return record.size, {*record.setup_black}, {*record.setup_white}
