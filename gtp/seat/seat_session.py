"""A session in a seat: moves the cursor, and carries decisions out in its `StoredSeat`.

It has no socket or clock: its lines and the function that sends are arguments. A refusal becomes a
`? ...` response, a bug of ours `? internal error`; the session goes on. The main loop, `converse`,
has the timer that releases a pending move: until then the program can take it back.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack, suppress

import structlog

from godaemon.engine.results import format_score
from godaemon.errors import GodaemonError, NotAllowed, Refusal, Stale, Temporary
from godaemon.games import commands as cmd
from godaemon.games.model import Game
from godaemon.rules.points import Point
from godaemon.rules.position import Move
from gtp.argument_readers import ILLEGAL_MOVE, UNKNOWN_COMMAND
from gtp.client.resend import ANALYSES
from gtp.client.syntax import CAUGHT_UP, Reply, Request, parse
from gtp.command_table import Session
from gtp.every_session import POSITION_COMMANDS, SESSION_COMMANDS
from gtp.read_ahead import ConnectionLines, Listener, first_of
from gtp.seat import sentences
from gtp.seat.commands import SEAT_COMMANDS
from gtp.seat.cursor import (
    Act,
    Analyze,
    Answer,
    AskEstimate,
    ListGames,
    Release,
    SeatCursor,
    SeatDecision,
    SeatState,
    Wait,
)
from gtp.seat.seat_view import SeatView
from gtp.seat.stored_seat import StoredSeat

INTERRUPTED = Reply(ok=False, text="interrupted")
_log = structlog.get_logger("godaemon.gtp")
_LISTS = frozenset(["list_commands", "known_command"])


class SeatSession(Session):
    """One controller in one seat.

    It answers `lines` by `send`, and logs each command with the name of its `peer`.

    A session with a `name` (without colons) can be resumed after a broken connection. Its events
    have the cause `gtp:NAME:SERIAL`; `serial` is the command's id, else its number from 1. A
    command that is sent again with the same serial is not done twice. `caught_up` is true once the
    program has replayed its commands after a broken connection.
    """

    def __init__(
        self,
        game: StoredSeat,
        lines: ConnectionLines,
        send: Callable[[bytes], Awaitable[None]],
        *,
        name: str = "",
        peer: str = "",
    ) -> None:
        super().__init__(SESSION_COMMANDS | POSITION_COMMANDS | SEAT_COMMANDS)
        self._log = _log.bind(game=game.number, seat=game.color.word, peer=peer)
        self.report = lambda fault: self._log.error("gtp.fault", exc_info=fault)
        self.serial = 0
        self.caught_up = not name
        self._name = name
        self._pending_cause = ""
        self.cursor = SeatCursor()
        self._game = game
        self._lines, self._send = lines, send
        self._game_runs = False
        self._view: SeatView | None = None
        """The game when the first `_seen` lines had come; None after an act of this session."""
        self._seen = 0

    def names(self) -> Sequence[str]:
        """All commands; no analyses in a game, because analyzers play each move they examine."""
        return [one for one in super().names() if not self._game_runs or one not in ANALYSES]

    def knows(self, name: str) -> bool:
        return super().knows(name) and not (self._game_runs and name in ANALYSES)

    async def handle(self, line: bytes) -> bytes:
        """The response to a line: one frame, or nothing for a comment or a blank line."""
        request = parse(line)
        if request is None:
            self.caught_up |= line.strip() == CAUGHT_UP
            return b""
        self.serial += 1
        if self._name and request.id is not None:
            self.serial = request.id
        reply = await self._reply(request)
        # An unknown command could be a misplaced key.
        known = reply.ok or reply.text != UNKNOWN_COMMAND
        self._log.info("gtp.command", command=request.name if known else "unknown", ok=reply.ok)
        return self.end_answer(request, reply)

    async def release_pending(self) -> None:
        """Release a pending move after the quiet seconds, or when the controller has gone.

        If the game refuses it, the controller is told at its next command. After a temporary
        failure it stays pending.
        """
        if self.cursor.unreleased is None:
            return
        try:
            view = await self._load_view()
            if self.cursor.unreleased is not None:
                await self._release(view)
        except GodaemonError as trouble:
            self.report(trouble)

    async def _reply(self, request: Request) -> Reply:
        try:
            return await self._answer(request)
        except ConnectionError:  # an early line could not be sent: the controller has gone
            raise
        except Exception as fault:  # noqa: BLE001 - a bug must not end the session
            return self.failure_reply(fault)

    async def _answer(self, request: Request) -> Reply:
        command = SESSION_COMMANDS.get(request.name)
        if command is not None:
            if request.name in _LISTS:
                self._game_runs = not (await self._game.view()).game.phase.over
            text = command.run(self, request.arguments)
            if self.over:
                await self.release_pending()
            return Reply(ok=True, text=text or "")
        command = self.commands.get(request.name)
        if command is None:
            return self.unknown_reply(request)
        with ExitStack() as until_answered:
            while True:
                view = self._view if self._lines.taken <= self._seen else None
                view = view or await self._load_view()
                seat = SeatState(self.cursor, view)
                target = seat.position if request.name in POSITION_COMMANDS else seat
                decision = command.run(target, request.arguments)
                if isinstance(decision, Release | Wait):  # the opponent may answer at once
                    until_answered.enter_context(self._game.watching())
                if isinstance(decision, Analyze):
                    return await self._analyze(decision, view.game.spec.komi, request)
                if isinstance(decision, AskEstimate):
                    return await self._estimate(decision, view.game)
                reply = await self._carry_out(decision, view)
                if reply is not None:
                    return reply
                self._view = None

    async def _carry_out(self, decision: SeatDecision, view: SeatView) -> Reply | None:
        """Carry out a decision; returns the reply, or None to run the command again."""
        match decision:
            case str() | None:
                return Reply(ok=True, text=decision or "")
            case Answer():
                return await self._move_cursor(decision, view)
            case Act():
                return await self._act(decision)
            case ListGames(address):
                found = await self._game.games(address)
                return Reply(ok=True, text=sentences.games_list(found, address))
            case Release():
                await self._release(view)
                return None
        change = self._game.wait_for_change(view.revision)
        interrupted = await first_of(change, self._lines.wait_for_command())
        return INTERRUPTED if interrupted else None

    async def _analyze(self, decision: Analyze, komi: float, request: Request) -> Reply:
        async def _tell(line: str) -> None:
            await self._send(self.early_line(request, line))

        line = " ".join((request.name, *request.arguments))
        listener = Listener(_tell, self._lines.line_ready.wait)
        await self._game.service.analyze(line, decision.position, komi, listener)
        return Reply(ok=True, text="")

    async def _estimate(self, decision: AskEstimate, game: Game) -> Reply:
        estimate = await self._game.service.estimate(game)
        if estimate is None:
            raise Temporary("no estimate is available now")
        self._view = None
        await self._game.act(cmd.AskScore(), decision.seen, self._cause())  # the opponent is told
        return Reply(ok=True, text=format_score(estimate))

    async def _act(self, act: Act) -> Reply:
        self._view = None
        try:
            outcome = await self._game.act(act.command, act.seen, self._cause())
        except Stale:
            return Reply(ok=False, text=act.stale)
        except Refusal as refusal:
            return Reply(ok=False, text=sentences.translate_commands(refusal.public))
        self.cursor = self.cursor.with_act(act, outcome)
        return Reply(ok=True, text=act.text(outcome))

    def _cause(self) -> str:
        """The cause of the current command's events; empty for a session without a name."""
        return f"gtp:{self._name}:{self.serial}" if self._name else ""

    async def _load_view(self) -> SeatView:
        """The current game; also brings the cursor up to date."""
        received = self._lines.received
        view = await self._game.view()
        cursor = self.cursor.catch_up_with(view)
        if cursor.pending != self.cursor.pending:
            await self._game.save_pending(None, view.revision)
        self.cursor = cursor
        self._view, self._seen = view, received
        return view

    async def _move_cursor(self, answer: Answer, view: SeatView) -> Reply | None:
        """Store a pending move, then move the cursor; returns the reply.

        Returns None if the game has gone on, perhaps with this move.
        """
        pending = answer.cursor.pending
        if pending != self.cursor.pending:
            try:
                await self._game.save_pending(pending, view.revision)
            except Stale:
                return None
            except NotAllowed as clash:
                return Reply(ok=False, text=clash.public)
            except Refusal:
                return Reply(ok=False, text=ILLEGAL_MOVE)
        if answer.cursor.unreleased != self.cursor.unreleased:
            self._pending_cause = self._cause()
        self.cursor = answer.cursor
        return Reply(answer.ok, answer.text)

    async def _release(self, view: SeatView) -> None:
        """Play the pending move, or place the chosen handicap stones.

        If the game refuses them, the cursor is off the record.
        """
        cursor, cause = self.cursor, self._pending_cause
        self._view = None
        with suppress(Refusal):
            if cursor.chosen:
                await self._game.act(cmd.Place(cursor.stones), view.game.revisions, cause)
            elif cursor.pending is not None:
                await self._game.release(cursor.pending.point, view.revision, cause)
        self.cursor = self.cursor.catch_up_with(await self._game.view())
        if self.cursor.unreleased is not None:
            self.cursor = self.cursor.with_pending_lost()

    async def converse(
        self, quiet_seconds: float, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        """Serve the seat until `quit`, the end of the lines, or a broken connection.

        A pending move is then released at once. Its quiet seconds run from the command that made it
        pending; later commands, such as polls, do not prolong them.
        """
        timed_move: Move | tuple[Point, ...] | None = None
        timer: asyncio.Future[None] | None = None
        try:
            while not self.over:
                if (move := self.cursor.unreleased) != timed_move:
                    if timer is not None:
                        timer.cancel()
                    timed_move = move
                    timer = None if move is None else asyncio.ensure_future(sleep(quiet_seconds))
                if timer and await first_of(self._lines.line_ready.wait(), asyncio.shield(timer)):
                    timed_move = timer = None  # after a temporary failure the timer starts again
                    await self.release_pending()
                    continue
                line = await self._lines.take()
                if line is None:
                    break
                if response := await self.handle(line):
                    await self._send(response)
        except ConnectionError:
            pass  # a broken connection is an end, too
        finally:
            if timer is not None:
                timer.cancel()
        await self.release_pending()
