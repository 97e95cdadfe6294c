"""A seat's game in memory, and a scripted controller with a manual clock."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import cast

from godaemon.engine.results import ScoreEstimate
from godaemon.errors import Stale
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.awaited_decisions import check_fresh
from godaemon.games.decisions import decide
from godaemon.games.game_clock import GameClock
from godaemon.games.model import Game, Phase, Player, Revisions, Seat, Spec
from godaemon.games.state import apply
from godaemon.games.stored_values import GameSummary
from godaemon.games.time_systems import TimeSettings
from godaemon.games.views import summary_of
from godaemon.rules.points import Color, Point, Size
from godaemon.rules.position import Move, Position
from gtp.argument_readers import color as read_color
from gtp.argument_readers import vertex as read_vertex
from gtp.read_ahead import ConnectionLines, Listener
from gtp.seat.cursor import ActEffect
from gtp.seat.seat_session import SeatSession
from gtp.seat.seat_view import SeatView
from gtp.seat.stored_seat import StoredSeat
from tests.support.hand_clock import HandClock

ALICE = Player("alice@players.example", "Alice")
BOB = Player("bob@players.example", "Bob")

START = datetime(2026, 11, 23, 12, tzinfo=UTC)

QUIET_SECONDS = 5.0
"""Seconds until a pending move is released; the default configuration."""


def game(size: Size = Size(9, 9), handicap: int = 0, moves: str = "", time: str = "") -> Game:
    """A started game with moves such as "b D4 w E5 b pass"; a clock such as "10d+36h" runs."""
    spec = Spec(size, "chinese", 6.5, handicap, ALICE, BOB, Color.BLACK, "nonce")
    begun = Game(1, spec, spec.starting_position(), Phase.PLAYING, black=ALICE, white=BOB)
    words = tuple(moves.split())
    for at in range(0, len(words), 2):
        begun = moved(begun, read_color(words, at), read_vertex(words, at + 1))
    if not time:
        return begun
    settings = TimeSettings.parse(time)
    turn = begun.position.to_move
    clock = GameClock(
        settings, dict.fromkeys(Color, settings.full), turn, 0, START, email_sent=True
    )
    return replace(begun, spec=replace(spec, time=settings), clock=clock)


def moved(before: Game, color: Color, point: Point | None) -> Game:
    """The game after a move or pass; two passes begin the scoring."""
    command = cmd.Pass() if point is None else cmd.Play(point)
    after = before
    for event in decide(before, Seat.of(color), command, lambda: Color.BLACK):
        after = apply(after, event)
    return after


class FakeSeatGame:
    """A `StoredSeat` without a store, and its `service`; `log` lists the calls that changed it."""

    def __init__(self, begun: Game, color: Color) -> None:
        self.game, self.color, self.number = begun, color, begun.id
        self.service = self
        self.pending: Move | None = None
        self.log: list[str] = []
        self.causes: list[str] = []
        """The cause of each event; "" if none was given."""
        self.events: list[ev.Event] = []
        self.headlines: list[GameSummary] = []
        self.trouble: Exception | None = None
        self.now = START
        self.paused = ""
        self._news = asyncio.Condition()
        self.waiting = 0
        self.programs = self.watchers = 0

    async def view(self) -> SeatView:
        return SeatView(self.game, self.color, self.now, self.paused)

    async def save_pending(self, pending: Move | None, revision: int) -> None:
        self._check(revision if pending else self.game.revisions.position)
        self.pending = pending
        self.log.append(f"pending {pending.point or 'pass'}" if pending else "taken back")

    async def release(self, point: Point | None, revision: int, cause: str) -> None:
        self._check(revision)
        self.pending = None
        self.causes.append(cause)
        await self.change(moved(self.game, self.color, point))
        self.log.append(f"released {point or 'pass'}")

    async def act(self, command: cmd.Action, seen: Revisions, cause: str) -> ActEffect:
        """Carry out a command, once for each cause."""
        if self.trouble is not None:
            raise self.trouble
        before = self.game
        if cause and cause in self.causes:
            return ActEffect(before, before)
        check_fresh(before, (command,), seen)
        await self.do(command, cause=cause)
        return ActEffect(before, self.game)

    async def do(self, command: cmd.Action, color: Color | None = None, cause: str = "") -> None:
        """Carry out a command of a seat, by default this one."""
        after = self.game
        for event in decide(after, Seat.of(color or self.color), command, lambda: Color.BLACK):
            after = apply(after, event)
            self.events.append(event)
            self.causes.append(cause)
        await self.change(after)

    async def analyze(
        self, line: str, position: Position, _komi: float, listener: Listener
    ) -> None:
        """Send the command and the number of moves, then wait for the end."""
        if self.trouble is not None:
            raise self.trouble
        await listener.tell(f"info {line} after {position.move_number} moves")
        await listener.wait_for_end()

    async def estimate(self, game: Game) -> ScoreEstimate:
        """An estimate whose lead is the number of moves."""
        if self.trouble is not None:
            raise self.trouble
        return ScoreEstimate(game.move_number, 4.0, ())

    async def games(self, _address: str) -> Sequence[GameSummary]:
        """The player's games, as set by the test; by default this one."""
        return self.headlines or [summary_of(self.game, self.now)]

    async def wait_for_change(self, revision: int) -> None:
        async with self._news:
            self.waiting += 1
            try:
                await self._news.wait_for(lambda: self.game.revisions.position != revision)
            finally:
                self.waiting -= 1

    async def change(self, after: Game) -> None:
        """Replace the game, and wake waiting sessions."""
        async with self._news:
            self.game = after
            self._news.notify_all()

    @asynccontextmanager
    async def occupy(self) -> AsyncIterator[None]:
        self.programs += 1
        try:
            yield
        finally:
            self.programs -= 1

    @contextmanager
    def watching(self) -> Iterator[None]:
        self.watchers += 1
        try:
            yield
        finally:
            self.watchers -= 1

    async def mail(self, words: str) -> None:
        """Play moves such as "w E5" by letter."""
        arguments = tuple(words.split())
        for at in range(0, len(arguments), 2):
            color, point = read_color(arguments, at), read_vertex(arguments, at + 1)
            await self.change(moved(self.game, color, point))

    async def end(self, result: str, why: str = "") -> None:
        counted = result[-1] not in "RTd"  # by resignation, time; void
        revisions = self.game.revisions._replace(position=self.game.revisions.position + 1)
        over = replace(self.game, phase=Phase.FINISHED, result=result, why=why, revisions=revisions)
        await self.change(replace(over, counted=counted))

    def _check(self, revision: int) -> None:
        if self.trouble is not None:
            raise self.trouble
        if revision != self.game.revisions.position:
            raise Stale("The game has gone on.")


async def settle() -> None:
    for _ in range(50):
        await asyncio.sleep(0)


class Controller:
    """A scripted GUI at a seat, with its own clock."""

    def __init__(self, seat_game: FakeSeatGame, name: str = "") -> None:
        self.seat, self.lines = seat_game, ConnectionLines()
        self._clock = HandClock(START)
        self.session = SeatSession(cast(StoredSeat, seat_game), self.lines, self._send, name=name)
        self.session.report = self._report
        self.faults: list[Exception] = []
        self.sent: list[bytes] = []
        self._serving = asyncio.create_task(self.session.converse(QUIET_SECONDS, self._sleep))

    async def say(self, *lines: str) -> list[str]:
        """Send lines together; returns the responses that come without time passing."""
        before = len(self.sent)
        self.lines.feed("".join(f"{line}\n" for line in lines).encode())
        await settle()
        return [response.decode().strip() for response in self.sent[before:]]

    async def ask(self, line: str) -> str:
        """Send a line; returns its response, or "" if none has come yet."""
        return "\n".join(await self.say(line))

    async def pass_time(self, seconds: float) -> None:
        """Advance the clock, and let waiting tasks run."""
        await settle()
        self._clock.advance(seconds)
        await settle()

    async def hang_up(self) -> None:
        """Close the input, and wait for the end of the session."""
        self.lines.end()
        await self._serving

    async def _sleep(self, seconds: float) -> None:
        await self._clock.wait(asyncio.Event(), seconds)

    async def _send(self, data: bytes) -> None:
        if self.sent and not self.sent[-1].endswith(b"\n\n"):
            data = self.sent.pop() + data
        self.sent.append(data)

    def _report(self, fault: Exception) -> None:
        self.faults.append(fault)
