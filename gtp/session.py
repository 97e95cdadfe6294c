"""A session in a seat: drives the cursor of `gtp.seat` against the daemon's `Table`.

It knows no socket and no clock: lines, waiting and sleeping come in from outside. Refusals become
`? ...` responses in one place, faults of ours `? internal error`, and the session lives on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from godaemon.errors import GodaemonError, IllegalMove, Refusal
from godaemon.rules.points import Point
from godaemon.rules.position import Move
from gtp import syntax
from gtp.commands import ANY
from gtp.commands.seated import SEAT
from gtp.freesession import log_fault
from gtp.lines import Lines, first_of
from gtp.seat import ILLEGAL_MOVE, Answer, Release, SeatCursor, SeatView
from gtp.syntax import Reply, Request

INTERRUPTED = Reply(ok=False, text="interrupted")
QUIET_SECONDS = 5.0
"""How long a pending move waits for a change of mind."""


class Table(Protocol):
    """What a session needs of the daemon: one seat of one stored game."""

    async def view(self) -> SeatView:
        """The game as it is now."""

    async def write_down(self, pending: Move | None, revision: int) -> None:
        """Remember durably the move that is pending, None when it was taken back.

        Returns after COMMIT. Raises `Refusal` (`Stale` where the game is no longer at `revision`)
        for a move; taking back always succeeds.
        """

    async def release(self, point: Point | None, revision: int) -> None:
        """Play a stone, or pass, for the seat, and forget that it was pending.

        Returns after COMMIT. Raises `Refusal` (`Stale`, `IllegalMove`, `NotYourTurn` ...) where
        the game does not take it, and then it is forgotten too; `Temporary` leaves it pending.
        """

    async def changed(self, revision: int) -> None:
        """Return once the game's revision is not `revision`; at once if it is another already."""


class SeatSession:
    """One controller in one seat. `over` is true once `quit` has been answered.

    `stirred` returns when something comes from the controller that ends a wait; `note` hears of
    each command and its reply, for the log.
    """

    def __init__(
        self,
        table: Table,
        stirred: Callable[[], Awaitable[None]],
        *,
        report: Callable[[Exception], None] = log_fault,
        note: Callable[[Request, Reply], None] = lambda _, __: None,
    ) -> None:
        self.over = False
        self.cursor = SeatCursor()
        self._table = table
        self._stirred = stirred
        self._report = report
        self._note = note
        self._names = tuple(sorted(one.name for one in (*ANY, *SEAT)))

    @property
    def pending(self) -> Move | None:
        """The move that waits to be released."""
        return self.cursor.pending

    def names(self) -> Sequence[str]:
        """The commands that a seat knows."""
        return self._names

    def end(self) -> None:
        """Let the session end once this command is answered."""
        self.over = True

    async def handle(self, line: bytes) -> bytes:
        """The response to a line: one frame, or nothing for a comment or a blank line."""
        request = syntax.parse(line)
        if request is None:
            return b""
        reply = await self._reply(request)
        self._note(request, reply)
        return syntax.encode(reply, request.id)

    async def settle(self) -> None:
        """Release what is pending: a few quiet seconds have passed, or the controller has gone.

        What the game no longer takes is lost, and the controller is told at its next command; in
        temporary trouble the move stays pending and written down.
        """
        if self.pending is None:
            return
        try:
            view = await self._seen()
            if self.pending is not None:
                await self._release(view)
        except GodaemonError as trouble:
            self._report(trouble)

    async def _reply(self, request: Request) -> Reply:
        try:
            return await self._answer(request)
        except IllegalMove:
            return Reply(ok=False, text=ILLEGAL_MOVE)
        except GodaemonError as refusal:
            return Reply(ok=False, text=refusal.public)
        except Exception as fault:  # noqa: BLE001 - the controller's session must not end with it
            self._report(fault)
            return Reply(ok=False, text="internal error")

    async def _answer(self, request: Request) -> Reply:
        command = ANY.get(request.name)
        if command is not None:
            text = command.handle(self, request.arguments)
            if self.over:
                await self.settle()
            return Reply(ok=True, text=text)
        seated = SEAT.get(request.name)
        if seated is None:
            return Reply(ok=False, text=syntax.UNKNOWN_COMMAND)
        while True:
            view = await self._seen()
            decision = seated.handle(self.cursor, view, request.arguments)
            if isinstance(decision, Answer):
                return await self._move_to(decision, view)
            if isinstance(decision, Release):
                await self._release(view)
            elif await first_of(self._table.changed(view.revision), self._stirred()):
                return INTERRUPTED

    async def _seen(self) -> SeatView:
        """The game now, and the cursor settled on it."""
        view = await self._table.view()
        settled = self.cursor.settled(view)
        if settled.pending != self.pending:
            await self._table.write_down(None, view.revision)
            self.cursor = settled
        return view

    async def _move_to(self, answer: Answer, view: SeatView) -> Reply:
        """Stand where the answer says, the pending move written down before it is answered."""
        pending = answer.cursor.pending
        if pending != self.pending:
            try:
                await self._table.write_down(pending, view.revision)
            except Refusal:
                return Reply(ok=False, text=ILLEGAL_MOVE)
        self.cursor = answer.cursor
        return answer.reply

    async def _release(self, view: SeatView) -> None:
        """Play the pending move; where the game does not take it, the cursor is off the record."""
        move = self.cursor.pending
        if move is None:
            return
        try:
            await self._table.release(move.point, view.revision)
        except Refusal:
            self.cursor = self.cursor.settled(await self._table.view())
            if self.pending is not None:
                self.cursor = self.cursor.lost()
        else:
            self.cursor = self.cursor.settled(await self._table.view())


async def converse(
    session: SeatSession,
    lines: Lines,
    send: Callable[[bytes], Awaitable[None]],
    *,
    quiet_seconds: float = QUIET_SECONDS,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Serve a seat until `quit`, the end of the lines, or a controller that reads no more.

    However it ends, a pending move is released first.
    """
    try:
        while not session.over:
            if session.pending is not None and await first_of(lines.ready(), sleep(quiet_seconds)):
                await session.settle()
                continue
            line = await lines.take()
            if line is None:
                break
            response = await session.handle(line)
            if response:
                await send(response)
    except ConnectionError:
        pass  # it has gone without a word, which is an end too
    await session.settle()
