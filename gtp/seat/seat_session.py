"""A session in a seat: drives the cursor of `gtp.seat.cursor` against the daemon's `SeatGame`.

It knows no socket and no clock: lines, waiting and sleeping come in from outside. Refusals become
`? ...` responses in one place, faults of ours `? internal error`, and the session lives on.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, ExitStack
from functools import partial
from typing import Protocol

from godaemon.engine.estimate import ScoreEstimate, format_score
from godaemon.errors import GodaemonError, NotAllowed, Refusal, Stale
from godaemon.games import commands as cmd
from godaemon.games.model import Revisions
from godaemon.games.stored_values import GameSummary
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Move, Position
from gtp.argument_readers import ILLEGAL_MOVE
from gtp.client.syntax import CAUGHT_UP, Reply, Request, parse
from gtp.command_table import Session, log_fault
from gtp.every_session import ANY, LOOKS
from gtp.read_ahead import Listener, first_of
from gtp.seat import sentences
from gtp.seat.commands import SEAT
from gtp.seat.cursor import SeatCursor
from gtp.seat.seat_decision import (
    Act,
    ActEffect,
    Analyze,
    Answer,
    AskEstimate,
    ListGames,
    Release,
    SeatDecision,
    Wait,
)
from gtp.seat.seat_state import SeatState
from gtp.seat.seat_view import SeatView

INTERRUPTED = Reply(ok=False, text="interrupted")


class SeatGame(Protocol):
    """A session's seat in a stored game; the daemon implements it."""

    @property
    def number(self) -> int:
        """The game's number."""

    @property
    def color(self) -> Color:
        """The seat's colour."""

    async def view(self) -> SeatView:
        """The present game."""

    async def write_down(self, pending: Move | None, revision: int) -> None:
        """Save the pending move, or None if it was taken back.

        Returns after COMMIT. Raises `Refusal` for a move: `Stale` if the game is no longer at
        `revision`, and `NotAllowed` if another program has a pending move. Taking back always
        succeeds.
        """

    async def release(self, point: Point | None, revision: int, cause: str) -> None:
        """Play a stone, or pass, for the seat, and forget that it was pending.

        Returns after COMMIT. Raises `Refusal` (`Stale`, `IllegalMove`, `NotYourTurn` ...) if the
        game refuses it, and then forgets it too; after `Temporary` it is still pending.
        `cause` is as for `act`.
        """

    async def act(self, command: cmd.Action, seen: Revisions, cause: str) -> ActEffect:
        """Carry a command out on the game as seen at these revisions; returns what changed.

        Returns after COMMIT. Raises `Refusal` (`Stale` if the game has changed since). If the
        game's log has the `cause` already, nothing is done again, and the present game is both
        before and after.
        """

    async def analyze(self, line: str, position: Position, listener: Listener) -> None:
        """Analyze a position with our player, by a line such as `kata-analyze 50`.

        The listener gets lines until it ends the analysis. Raises `Refusal` if our player refuses
        the line, `Temporary` if it cannot be asked now.
        """

    async def estimate(self) -> ScoreEstimate:
        """Our player's estimate of the score; raises `Temporary` if it has none."""

    async def games(self) -> Sequence[GameSummary]:
        """The games of the seat's player, the newest first."""

    async def wait_for_change(self, revision: int) -> None:
        """Return as soon as the game is at another revision."""

    def occupy(self) -> AbstractAsyncContextManager[None]:
        """A program sits in the seat while this is open."""

    def watching(self) -> AbstractContextManager[None]:
        """A program waits for the opponent's move while this is open."""


_LISTS = frozenset(["list_commands", "known_command"])
ANALYSES = frozenset(["lz-analyze", "kata-analyze"])
"""Commands hidden during a game: an analyser would play each move that it looks at."""


class SeatSession(Session):
    """One controller in one seat.

    `wait_for_command` returns when the controller sends a line that ends a wait, `wait_for_line`
    when it sends any line. `send` sends the early lines of an answer. `note` is called with each
    command and its reply, for the log.

    A session with a `name` (without colons) can be resumed after a broken connection. Its events
    have the cause `gtp:NAME:SERIAL`; `serial` is the command's id, else the number of the command
    (of lines that are answered), from 1. A command that is sent again with the same serial is not
    done twice. `caught_up` is true once the cursor is where the last connection had it.
    """

    def __init__(
        self,
        game: SeatGame,
        wait_for_command: Callable[[], Awaitable[None]],
        wait_for_line: Callable[[], Awaitable[object]],
        send: Callable[[bytes], Awaitable[None]],
        *,
        name: str = "",
        report: Callable[[Exception], None] = log_fault,
        note: Callable[[Request, Reply], None] = lambda _, __: None,
    ) -> None:
        super().__init__(ANY | LOOKS | SEAT, report)
        self.serial = 0
        self.caught_up = not name
        self._name = name
        self._pending_cause = ""
        self.cursor = SeatCursor()
        self._game = game
        self._wait_for_command, self._wait_for_line = wait_for_command, wait_for_line
        self._send, self._note = send, note
        self._goes_on = False

    def names(self) -> Sequence[str]:
        """All commands, but no analyses during the game: an analyser would play in it."""
        return [one for one in super().names() if not self._goes_on or one not in ANALYSES]

    def knows(self, name: str) -> bool:
        """True if `names` has that name."""
        return super().knows(name) and not (self._goes_on and name in ANALYSES)

    @property
    def pending(self) -> Move | tuple[Point, ...] | None:
        """The unreleased move or handicap stones."""
        return self.cursor.unreleased

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
        self._note(request, reply)
        return self.end_answer(request, reply)

    async def release_pending(self) -> None:
        """Release a pending move after the quiet seconds, or when the controller has gone.

        If the game refuses it, the controller is told at its next command; in temporary trouble it
        stays pending.
        """
        if self.pending is None:
            return
        try:
            view = await self._load_view()
            if self.pending is not None:
                await self._release(view)
        except GodaemonError as trouble:
            self.report(trouble)

    async def _reply(self, request: Request) -> Reply:
        try:
            return await self._answer(request)
        except ConnectionError:  # what is told early finds nobody
            raise
        except Exception as fault:  # noqa: BLE001 - the controller's session must not end with it
            return self.failure_reply(fault)

    async def _answer(self, request: Request) -> Reply:
        command = ANY.get(request.name)
        if command is not None:
            if request.name in _LISTS:
                self._goes_on = not (await self._game.view()).game.phase.over
            text = command.run(self, request.arguments)
            if self.over:
                await self.release_pending()
            return Reply(ok=True, text=text or "")
        command = self.commands.get(request.name)
        if command is None:
            return self.unknown_reply(request)
        with ExitStack() as until_answered:
            while True:
                view = await self._load_view()
                seat = SeatState(self.cursor, view)
                on = seat.position if command.looks else seat
                decision = command.run(on, request.arguments)
                if isinstance(decision, Release | Wait):  # the opponent may answer at once
                    until_answered.enter_context(self._game.watching())
                if isinstance(decision, Analyze):
                    return await self._analyze(decision, request)
                if isinstance(decision, AskEstimate):
                    return await self._estimate(decision)
                reply = await self._carry_out(decision, view)
                if reply is not None:
                    return reply

    async def _carry_out(self, decision: SeatDecision, view: SeatView) -> Reply | None:
        """Carry out a decision; returns the reply, or None if the command must be asked again."""
        match decision:
            case str() | None:
                return Reply(ok=True, text=decision or "")
            case Answer():
                return await self._move_cursor(decision, view)
            case Act():
                return await self._act(decision)
            case ListGames():
                return Reply(ok=True, text=decision.text(await self._game.games()))
            case Release():
                await self._release(view)
                return None
        change = self._game.wait_for_change(view.revision)
        interrupted = await first_of(change, self._wait_for_command())
        return INTERRUPTED if interrupted else None

    async def _analyze(self, asked: Analyze, request: Request) -> Reply:
        async def _tell(line: str) -> None:
            await self._send(self.early_line(request, line))

        line = " ".join((request.name, *request.arguments))
        listener = Listener(_tell, self._wait_for_line, partial(_tell, ""))
        await self._game.analyze(line, asked.position, listener)
        return Reply(ok=True, text="")

    async def _estimate(self, asked: AskEstimate) -> Reply:
        found = await self._game.estimate()
        await self._game.act(cmd.AskScore(), asked.seen, self._cause())  # the opponent is told
        return Reply(ok=True, text=format_score(found))

    async def _act(self, act: Act) -> Reply:
        try:
            outcome = await self._game.act(act.command, act.seen, self._cause())
        except Stale:
            return Reply(ok=False, text=act.stale)
        except Refusal as refusal:
            return Reply(ok=False, text=sentences.translate_commands(refusal.public))
        self.cursor = self.cursor.with_act(act, outcome)
        return Reply(ok=True, text=act.text(outcome))

    def _cause(self) -> str:
        """The cause of the present command's events; empty for a session without a name."""
        return f"gtp:{self._name}:{self.serial}" if self._name else ""

    async def _load_view(self) -> SeatView:
        """The current game; also brings the cursor up to date with it."""
        view = await self._game.view()
        settled = self.cursor.catch_up_with(view)
        if settled.pending != self.cursor.pending:
            await self._game.write_down(None, view.revision)
        self.cursor = settled
        return view

    async def _move_cursor(self, answer: Answer, view: SeatView) -> Reply | None:
        """Move the cursor, after storing a pending move; returns the reply.

        Returns None if the game has gone on: it may have this very move by now.
        """
        pending = answer.cursor.pending
        if answer.cursor.chosen and not self.cursor.chosen:
            self._pending_cause = self._cause()
        if pending != self.cursor.pending:
            try:
                await self._game.write_down(pending, view.revision)
            except Stale:
                return None
            except NotAllowed as clash:
                return Reply(ok=False, text=clash.public)
            except Refusal:
                return Reply(ok=False, text=ILLEGAL_MOVE)
            self._pending_cause = self._cause()
        self.cursor = answer.cursor
        return answer.reply

    async def _release(self, view: SeatView) -> None:
        """Play the pending move; if the game refuses it, the cursor is off the record."""
        if self.cursor.chosen:
            await self._release_stones(view)
            return
        move = self.cursor.pending
        if move is None:
            return
        try:
            await self._game.release(move.point, view.revision, self._pending_cause)
        except Refusal:
            self.cursor = self.cursor.catch_up_with(await self._game.view())
            if self.pending is not None:
                self.cursor = self.cursor.with_pending_lost()
        else:
            self.cursor = self.cursor.catch_up_with(await self._game.view())

    async def _release_stones(self, view: SeatView) -> None:
        """Place the chosen handicap stones in the game; if it refuses them, they are dropped."""
        place = cmd.Place(self.cursor.stones)
        try:
            await self._game.act(place, view.game.revisions, self._pending_cause)
        except Refusal:
            self.cursor = self.cursor.with_stones_released(kept=False)
        else:
            self.cursor = self.cursor.with_stones_released(kept=True)
