"""A daemon's games and mail on a virtual clock: the real store, gateway, timers and outbox.

`House.open` and `close` are a start and a stop; between them `live_until` lets time go by. Sockets
are left out (letters come in by `take`, and go out by `deliver`), and threads: what they do is done
at once, which is quicker where many programs want the machine. `year_smtp.py` has both.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar

from godaemon.daemon.mail import count_lost_letter
from godaemon.daemon.timers import Timers
from godaemon.errors import Enough, Temporary
from godaemon.games.game_cache import GameCache
from godaemon.games.model import Game
from godaemon.games.running_clocks import RunningClocks
from godaemon.games.service import Chance, GameService
from godaemon.games.stored_values import Unit
from godaemon.rules.points import Color
from godaemon.storage.database import open_database, store_url
from godaemon.storage.event_log import pack_some
from godaemon.storage.writer import Committed, WriterThread
from godaemon.system.clock import CLOCK_FILE, Clock, TimeSeen
from mailgate.delivery.outbox_worker import OutboxWorker
from mailgate.handling.context import LetterOutcome
from mailgate.handling.dispatcher import Dispatcher
from mailgate.handling.intake import Intake
from mailgate.handling.player_games import send_digests
from mailgate.letters.compose import Composer
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.limits import Limits

T = TypeVar("T")
HandOver = Callable[[str, str, bytes, str], Awaitable[None]]
KEY = b"k" * 32
ADDRESS = "go@go.example"
LIMITS = Limits(10**6, 10**6, 10**6, 10**6, 10**6, 10**6, 10**6)
INVITATION_DAYS = 14
_LOOK = timedelta(minutes=9)
"""So often the moment is seen at least, or it would be an outage."""
_AGAIN = timedelta(minutes=30)
_AT_LEAST = timedelta(hours=6)
_OVER = timedelta(days=3)
"""What has been over for longer is packed at a start."""


class Machine:
    """The time of a machine: what truly passes, and by how much its clock is `wrong`."""

    def __init__(self, begin: datetime) -> None:
        self.begin, self.passed, self.wrong = begin, timedelta(), timedelta()
        self.alarms: list[_Alarm] = []
        self.waits = asyncio.Event()

    @property
    def now(self) -> datetime:
        """The true moment."""
        return self.begin + self.passed

    @property
    def idle(self) -> int:
        """How many wait for nothing but the clock."""
        return sum(not one.rung.done() and not one.event.is_set() for one in self.alarms)

    def ring(self) -> None:
        """Wake whose wait is over."""
        for one in self.alarms:
            if one.until <= self.passed and not one.rung.done():
                one.rung.set_result(None)


@dataclass(eq=False, slots=True)
class _Alarm:
    until: timedelta
    event: asyncio.Event
    rung: asyncio.Future[None]


class TurnedClock(Clock):
    """The daemon's own clock, on such a machine."""

    def __init__(self, machine: Machine) -> None:
        self._turned = machine
        super().__init__(
            lambda: machine.now + machine.wrong,
            lambda: machine.passed.total_seconds(),  # noqa: PLW0108 - as it is then
        )

    async def wait(self, event: asyncio.Event, seconds: float) -> bool:
        """Wait for an event, or until the machine rings."""
        machine, loop = self._turned, asyncio.get_running_loop()
        alarm = _Alarm(machine.passed + timedelta(seconds=seconds), event, loop.create_future())
        machine.alarms.append(alarm)
        came = asyncio.ensure_future(event.wait())
        machine.waits.set()
        both: list[asyncio.Future[Any]] = [alarm.rung, came]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            came.cancel()
            alarm.rung.cancel()
            machine.alarms.remove(alarm)
        return event.is_set()


@dataclass(frozen=True, slots=True)
class _Retry:
    retry_first: float = 300.0
    retry_limit: float = 4 * 3600.0
    give_up_days: int = 5


@dataclass(frozen=True, slots=True)
class WayOut:
    """A `Delivery` by calling somebody."""

    hand_over: HandOver

    async def deliver(self, recipient: str, sender: str, raw: bytes, uid: str) -> None:
        """Hand a letter over."""
        await self.hand_over(recipient, sender, raw, uid)

    async def close(self) -> None:
        """There is nothing to let go of."""


class Here(ThreadPoolExecutor):
    """Does what is meant for a thread at once."""

    def submit(self, fn: Callable[..., T], /, *args: object, **named: object) -> Future[T]:
        """Do it."""
        done = Future[T]()
        try:
            done.set_result(fn(*args, **named))
        except Exception as fault:  # noqa: BLE001 - it is whose who waits
            done.set_exception(fault)
        return done


class WriterHere(WriterThread):
    """The writer without a thread of its own."""

    closed = False

    def start(self) -> Self:
        """There is none to start."""
        return self

    def close(self, timeout: float | None = None) -> None:
        """Take no more work."""
        del timeout
        self.closed = True

    def _enqueue(self, job: Any) -> None:  # noqa: ANN401 - its own
        if self.closed:
            raise Temporary("The writer is closed.")
        job.begin()
        self._run_jobs([job])


class House:
    """The daemon; `hand_over` is the next hop for its letters, `changed` hears of grown logs."""

    waits = 4
    """So many wait for the clock while all is quiet: the outbox, and three timers."""

    def __init__(
        self,
        folder: Path,
        machine: Machine,
        luck: random.Random,
        hand_over: HandOver,
        changed: Callable[[Iterable[int]], None],
    ) -> None:
        self.folder, self.machine, self.luck = folder, machine, luck
        self._hand_over, self._changed = hand_over, changed
        self._tasks: list[asyncio.Task[None]] = []
        self.starts = 0
        self._rung = machine.now
        self.is_open = False

    # -- start and stop ------------------------------------------------------------------------
    async def open(self) -> None:
        """Start, in the daemon's order."""
        loop = asyncio.get_running_loop()
        loop.set_default_executor(Here())
        self._database = open_database(store_url(self.folder))
        self.writer: WriterThread = WriterHere(self._database).start()
        self.cache = GameCache()
        self.writer.on_rollback.append(self.cache.drop)
        self.clock, self.seen = TurnedClock(self.machine), TimeSeen(self.folder / CLOCK_FILE)
        clock, seen, games = self.clock, self.seen, self.games
        await self.writer.run(lambda unit: unit.outbox.end_leases(clock.now()))
        await self._pack()
        self._intake = Intake(
            self.writer, Dispatcher(lambda: (KEY,), ADDRESS, games, lambda: 10**6), clock.now
        )
        self.composer = Composer(KEY, ADDRESS, "Go by mail", invitation_days=INVITATION_DAYS)
        self._outbox = OutboxWorker(
            self.writer,
            self.composer,
            WayOut(self._hand_over),
            clock,
            retry=_Retry(),
            on_lost=partial(count_lost_letter, games),
            on_sent=lambda unit, notice: RunningClocks(games(unit)).start_clocks(notice),
            cache=self.cache,
            in_grace=seen.is_in_grace,
        )

        def _tell(news: Committed) -> None:
            self._changed(news.games)
            if news.outbox:
                loop.call_soon_threadsafe(self._outbox.notify)

        self.writer.on_commit.append(_tell)
        timers = Timers(self.writer, games, clock, seen)
        work: tuple[Coroutine[Any, Any, None], ...] = (
            self._outbox.run(),
            timers.expire_proposals(lambda: INVITATION_DAYS),
            timers.ring_clocks(),
            timers.send_daily(send_digests),
        )
        self._tasks = [asyncio.create_task(one) for one in work]
        assert len(self._tasks) == self.waits
        self._sight = sqlite3.connect(f"file:{self.folder}/godaemon.db?mode=ro", uri=True)
        self.starts, self.is_open = self.starts + 1, True
        await self.quiet()

    async def close(self, *, abruptly: bool = False) -> None:
        """Stop; abruptly: whatever is in hand is left as it is."""
        self.is_open = False
        await self._outbox.close(0.0 if abruptly else 10.0)
        for task in self._tasks:
            task.cancel()
        for done in await asyncio.gather(*self._tasks, return_exceptions=True):
            if isinstance(done, Exception):
                raise done
        self._sight.close()
        self.writer.close()
        self._database.close()

    async def _pack(self) -> None:
        """Pack the logs of what has been over for some days, so that late words come upon them."""
        before = self.clock.now() - _OVER
        after: int | None = 0
        while after is not None:
            after = await self.look(partial(_pack_some, before, after))

    # -- what it does --------------------------------------------------------------------------
    def games(self, unit: Unit) -> GameService:
        """The games as one transaction sees them."""
        chance = Chance(
            lambda: self.luck.choice(list(Color)), lambda: f"{self.luck.getrandbits(64):016x}"
        )
        return GameService(
            unit, self.cache, self.clock.now(), chance, LIMITS, lost=self.seen.lost_time
        )

    async def look(self, work: Callable[[Unit], T]) -> T:
        """What is found in the store."""
        return await self.writer.run(work)

    async def game(self, number: int) -> Game:
        """A game as it stands."""
        return await self.look(lambda unit: self.games(unit).game(number))

    async def take(self, inbound: InboundLetter) -> LetterOutcome:
        """Take a letter, as an SMTP listener does; raises `Enough` and `Temporary`."""
        return await self._intake.take(inbound)

    # -- time ----------------------------------------------------------------------------------
    async def quiet(self) -> None:
        """Wait until all that is due has been done."""
        machine = self.machine
        while True:
            letters = [one for one in asyncio.all_tasks() if one.get_name().startswith("letter ")]
            if letters:
                await asyncio.wait(letters)
            elif broken := [one for one in self._tasks if one.done()]:
                broken[0].result()
            elif machine.idle >= self.waits:
                return
            else:
                machine.waits.clear()
                if machine.idle < self.waits:
                    await machine.waits.wait()

    async def live_until(self, moment: datetime) -> None:
        """Let time go by, from one alarm to the next, all that is due done."""
        machine = self.machine
        while machine.now < moment:
            due = self._next_due()
            if due <= self._rung:  # it has its reasons: grace, or a start
                due = self._rung + _AGAIN
            due = max(due, machine.now)
            goal = min(moment, due)
            while machine.now + _LOOK < goal:
                machine.passed += _LOOK
                self._see(self.clock.now())
            machine.passed += goal - machine.now
            self.seen.is_in_grace(self.clock.now())
            if goal == due:
                self._rung = goal
                machine.ring()
                await self.quiet()

    def _see(self, now: datetime) -> None:
        """See a moment, as the timers do; without writing it down where nothing has jumped."""
        if self.seen.last is None or abs(now - self.seen.last) > _LOOK + timedelta(seconds=1):
            self.seen.is_in_grace(now)
        else:
            self.seen.last = now

    def _next_due(self) -> datetime:
        """When something is due by itself, or in some hours."""
        found = [self._rung + _AT_LEAST]
        for query in (
            "SELECT min(alarm) FROM game WHERE alarm IS NOT NULL",
            "SELECT min(digest_due) FROM profile",
            "SELECT min(due) FROM watcher",
            "SELECT min(due_at) FROM outbox WHERE status = 'waiting'",
        ):
            (when,) = self._sight.execute(query).fetchone()
            if when:
                found.append(datetime.fromisoformat(when).replace(tzinfo=UTC))
        return min(found) + timedelta(seconds=1)


def _pack_some(before: datetime, after: int, unit: Unit) -> int | None:
    return pack_some(unit.connection, before, after)[1]


async def brought(house: House, inbound: InboundLetter) -> LetterOutcome | None:
    """What became of a letter; None where its server is to bring it again."""
    with suppress(Enough, Temporary):
        return await house.take(inbound)
    return None


def rows(folder: Path, query: str) -> list[tuple[Any, ...]]:
    """What a query finds in a store that is closed."""
    with closing(sqlite3.connect(folder / "godaemon.db")) as database:
        return database.execute(query).fetchall()
