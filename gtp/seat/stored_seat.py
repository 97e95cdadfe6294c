"""The seats of GTP sessions in stored games, through the one writer.

A pending move is stored before it is acknowledged, so that it survives a crash. After COMMIT,
`wake_sessions` wakes the waiting sessions. `seat_session` releases a pending move after some quiet
seconds, and turns a `Refusal` into a GTP answer.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import datetime

import structlog

from godaemon.engine.results import ScoreEstimate
from godaemon.errors import Damaged, GodaemonError, NotAllowed, Refusal, Stale, WrongPhase
from godaemon.games import commands as cmd
from godaemon.games.model import Game, Phase, Revisions, Seat
from godaemon.games.service import GameService
from godaemon.games.service_calls import Caller
from godaemon.games.stored_values import GameSummary, OrphanedWork, Unit, Writer
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Move, Position
from godaemon.system.outages_and_pauses import Pause
from gtp.argument_readers import format_vertex, vertex
from gtp.read_ahead import Listener
from gtp.seat.cursor import ActEffect
from gtp.seat.seat_view import SeatView

_log = structlog.get_logger("godaemon.gtp")


class SeatService:
    """The games for GTP sessions, and the state that sessions share."""

    def __init__(
        self,
        writer: Writer,
        games: Callable[[Unit], GameService],
        now: Callable[[], datetime],
        analyze: Callable[[str, Position, float, Listener], Awaitable[None]],
        estimate: Callable[[Game], Awaitable[ScoreEstimate | None]],
        paused: Callable[[datetime], Pause | None] = lambda _now: None,
    ) -> None:
        self.writer = writer
        self.games = games
        self.now = now
        self.analyze, self.estimate = analyze, estimate
        self.paused = paused
        self.waiting: dict[int, set[asyncio.Event]] = {}
        self.programs: Counter[tuple[int, Color]] = Counter()
        """The number of programs in each seat."""
        self.watching: Counter[tuple[int, Color]] = Counter()
        """The number of programs in each seat that wait for the opponent's move."""
        self.reserved: dict[tuple[int, Color], tuple[StoredSeat, Move, int]] = {}
        """The pending move in each seat, with its program and the revision at which it was made."""

    async def open_seat(self, number: int, color: Color) -> "StoredSeat":
        """A seat of a game; raises `Unknown`, or `WrongPhase` before the game has started.

        Raises `NotAllowed` for the seat of an engine that the daemon runs.
        """
        game = await self.view(number)
        if game.phase is Phase.PROPOSED or game.black is None:
            raise WrongPhase(f"Game {number} has not begun: it is {game.phase.value}.")
        player = game.player(Seat.of(color))
        if player.engine and not game.phase.over:
            raise NotAllowed(f"In game {number} {player.name}, a program, plays {color.word}.")
        _log.info("gtp.seated", game=number, seat=color.word)
        return StoredSeat(self, number, color)

    def wake_sessions(self, numbers: Iterable[int]) -> None:
        """Wake sessions that wait for these games; called after each COMMIT."""
        for number in numbers:
            for event in self.waiting.get(number, ()):
                event.set()

    def wake_all_sessions(self) -> None:
        """Let every waiting session check its game."""
        self.wake_sessions(list(self.waiting))

    def is_watched(self, number: int, color: Color) -> bool:
        """True if a program in the seat waits for the opponent. Thread-safe."""
        return self.watching[number, color] > 0

    async def release_orphaned_moves(self, left: OrphanedWork) -> None:
        """Play the pending moves of a daemon that has ended, and queue its kept notices."""
        for number, color, move, revision in left.moves:
            seat = StoredSeat(self, number, Color.named(color))
            try:
                await seat.release(vertex((move,), 0), revision)
            except (Refusal, Damaged) as refusal:
                _log.warning("gtp.pending-lost", game=number, seat=color, detail=refusal.public)
        for number, color in {*left.kept, *(move[:2] for move in left.moves)}:
            await self.queue_kept_notices(number, Color.named(color))

    async def queue_kept_notices(self, number: int, color: Color) -> None:
        """Queue the notice kept for a seat; errors are only logged."""
        try:
            await self.writer.run(lambda unit: self.games(unit).queue_kept_notice(number, color))
        except GodaemonError as trouble:
            _log.warning("gtp.kept", game=number, seat=color.word, detail=trouble.public)

    async def view(self, number: int) -> Game:
        """A game in its present state; raises `Unknown`."""
        return await self.writer.run(lambda unit: self.games(unit).game(number))


@dataclass(frozen=True, slots=True)
class StoredSeat:
    """A session's seat: one colour of one game."""

    service: SeatService
    number: int
    color: Color

    async def view(self) -> SeatView:
        """The present game."""
        game, now = await self.service.view(self.number), self.service.now()
        pause = self.service.paused(now)
        if pause is None:
            return SeatView(game, self.color, now, "")
        why = pause.reason or "the operator has stopped them"
        return SeatView(game, self.color, pause.begin, why)

    async def save_pending(self, pending: Move | None, revision: int) -> None:
        """Save the pending move, or None if it was taken back.

        Raises `Stale` if the game is no longer at `revision`, and `NotAllowed` if another program
        has a pending move here. None always succeeds.
        """

        def _work(unit: Unit) -> None:
            if pending is not None and (
                self.service.games(unit).game(self.number).revisions.position != revision
            ):
                raise Stale("The game has gone on since.")
            word = None if pending is None else format_vertex(pending.point)
            unit.seats.save_pending_move(self.number, self.color.word, word, revision)

        with self._reserving(pending, revision):
            await self.service.writer.run(_work)

    async def release(self, point: Point | None, revision: int, cause: str = "") -> None:
        """Play the pending move, or pass (None); `cause` is as in `act`.

        Raises `Refusal` if the game refuses it. Only after `Temporary` it is still pending.
        """
        command = cmd.Pass() if point is None else cmd.Play(point)
        try:
            await self._act(command, Revisions(position=revision), cause, release=True)
        except Refusal:
            await self.save_pending(None, revision)
            raise
        _log.info(
            "gtp.released", game=self.number, seat=self.color.word, detail=cmd.log_text(command)
        )

    async def act(self, command: cmd.Action, seen: Revisions, cause: str = "") -> ActEffect:
        """Carry out a command on the game as seen at these revisions; returns its effect.

        Raises `Refusal`: `Stale` if the game has changed since, and `NotAllowed` for a pass if
        another program has a pending move here. If the game's log has the `cause` already, nothing
        is done; the current game is then both before and after.
        """
        if isinstance(command, cmd.Pass):
            self._check_free(Move(self.color, None), seen.position)
        outcome = await self._act(command, seen, cause)
        _log.info("gtp.acted", game=self.number, seat=self.color.word, detail=cmd.log_text(command))
        return outcome

    async def _act(
        self, command: cmd.Action, seen: Revisions, cause: str, *, release: bool = False
    ) -> ActEffect:
        """Carry out a command; `release` clears the pending move in the same transaction."""

        def _work(unit: Unit) -> ActEffect:
            games = self.service.games(unit)
            before = games.game(self.number)
            done, save = self._is_done(unit, cause), unit.seats.save_pending_move
            if isinstance(command, cmd.Pass) and not release and not done:
                save(self.number, self.color.word, "pass", seen.position)
            if release or isinstance(command, cmd.Pass):
                save(self.number, self.color.word, None, seen.position)
            if done:
                return ActEffect(before, before)
            seat, caller = Seat.of(self.color), self._caller(cause)
            decision = games.decide(self.number, seat, (command,), caller, seen=seen)
            if decision.events:
                games.carry_out(decision)
            return ActEffect(before, decision.after)

        return await self.service.writer.run(_work)

    async def games(self, address: str) -> Sequence[GameSummary]:
        """The games of a player, the newest first."""
        return await self.service.writer.run(lambda unit: unit.games.summaries(address))

    async def wait_for_change(self, revision: int) -> None:
        """Wait until the game's position is no longer at this revision."""
        event, waiting = asyncio.Event(), self.service.waiting.setdefault(self.number, set())
        waiting.add(event)
        try:
            while (await self.service.view(self.number)).revisions.position == revision:
                await event.wait()
                event.clear()
        finally:
            waiting.discard(event)
            if not waiting:
                self.service.waiting.pop(self.number, None)

    @asynccontextmanager
    async def occupy(self) -> AsyncIterator[None]:
        """A program sits in the seat during the body; after the last one the kept notice is queued.

        If that fails, the notice stays until the next program leaves, or the next start.
        """
        programs, place = self.service.programs, (self.number, self.color)
        programs[place] += 1
        try:
            yield
        finally:
            self._reserve(None, 0)
            programs[place] -= 1
            if not programs[place]:
                del programs[place]
                await self.service.queue_kept_notices(*place)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """A program waits for the opponent during the body."""
        watching, place = self.service.watching, (self.number, self.color)
        watching[place] += 1
        try:
            yield
        finally:
            watching[place] -= 1
            if not watching[place]:
                del watching[place]

    def _reserve(self, pending: Move | None, revision: int) -> None:
        """Register the program's pending move (None clears it); `NotAllowed` if another has one."""
        reserved, place = self.service.reserved, (self.number, self.color)
        if pending is not None:
            self._check_free(pending, revision)
            reserved[place] = self, pending, revision
        elif place in reserved and reserved[place][0] is self:
            del reserved[place]

    def _check_free(self, wanted: Move, revision: int) -> None:
        """Raise `NotAllowed` if another program has another pending move here."""
        mine = self, wanted, revision
        held, move, at = self.service.reserved.get((self.number, self.color), mine)
        if held is not self and at == revision and move != wanted:
            played = format_vertex(move.point)
            raise NotAllowed(f"{played} was just played at this seat, and will soon be sent")

    @contextmanager
    def _reserving(self, pending: Move | None, revision: int) -> Iterator[None]:
        """Like `_reserve`, but rolled back if the body raises."""
        reserved, place = self.service.reserved, (self.number, self.color)
        before = reserved.get(place)
        self._reserve(pending, revision)
        after = reserved.get(place)
        try:
            yield
        except BaseException:
            if reserved.get(place) is after:  # unless another program has reserved it by now
                reserved.pop(place, None)
                if before is not None:
                    reserved[place] = before
            raise

    def _is_done(self, unit: Unit, cause: str) -> bool:
        """True if the log has an event of this cause: the command is repeated."""
        return bool(cause) and any(entry.cause == cause for entry in unit.games.log(self.number))

    def _caller(self, cause: str) -> Caller:
        return Caller(cause or f"gtp:{self.color.word}", from_program=True)
