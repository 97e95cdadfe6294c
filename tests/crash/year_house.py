"""A whole daemon on a virtual clock, with letters in and out by SMTP on loopback.

`House.open` starts and `close` stops it; `live_until` lets time pass. `hand_over` receives the
daemon's letters.
"""

import asyncio
import re
import sqlite3
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AsyncExitStack, closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from aiosmtpd.smtp import Envelope
from aiosmtplib import SMTP, SMTPException

from godaemon.config.loading import parse
from godaemon.daemon import app
from godaemon.daemon.core import Core, Deadline, Startup, open_core
from godaemon.errors import Enough, PutOff, Temporary, Undeliverable
from godaemon.games.model import Game
from godaemon.games.service import GameService
from godaemon.games.stored_values import Unit
from godaemon.storage.packed_logs import pack_some
from godaemon.system.clock import Clock
from mailgate.handling.context import LetterOutcome
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.daemon import free_port
from tests.support.next_hop import NextHop

T = TypeVar("T")
HandOver = Callable[[str, str, bytes, str], Awaitable[None]]
ADDRESS = "go@go.example"
_LOOK = timedelta(minutes=9)
"""Maximum time between two sightings of the clock; more would be an outage."""
_AGAIN = timedelta(minutes=30)
_AT_LEAST = timedelta(hours=6)
_OVER = timedelta(days=3)
"""Age of finished games whose logs are packed at a start."""
_CONFIG = """
state_directory = "{folder}"
[mail]
address = "{address}"
remember_days = 3000
[mail.smtp]
listen = "127.0.0.1:{port}"
letters_per_minute = 1000000
[mail.outgoing]
smarthost = "smtp://127.0.0.1:{hop}"
retry_first = 300
retry_limit = 14400
[mail.limits]
confirmations_per_sender = 100000
invitations_per_sender = 100000
invitations_per_address = 100000
open_challenges = 1000
strangers_per_sender = 100000
letters_per_stranger = 100000
strangers_per_domain = 100000
strangers_per_network = 100000
strangers_in_all = 100000
[gtp]
socket = "{folder}/gtp.sock"
[control]
socket = "{folder}/control.sock"
"""
_UID = re.compile(rb"(?im)^Message-ID:\s*<[^@>]*?([0-9a-f]{16})@")


class Machine:
    """A machine's time: the time that `passed`, and the error of its clock in `wrong`."""

    def __init__(self, begin: datetime) -> None:
        self.begin, self.passed, self.wrong = begin, timedelta(), timedelta()
        self.alarms: list[_Alarm] = []
        self.waits = asyncio.Event()

    @property
    def now(self) -> datetime:
        return self.begin + self.passed

    @property
    def idle(self) -> int:
        """Number of tasks that wait only for the clock."""
        return sum(not one.rung.done() and not one.event.is_set() for one in self.alarms)

    def ring(self) -> None:
        """Wake the waits that are over."""
        for one in self.alarms:
            if one.until <= self.passed and not one.rung.done():
                one.rung.set_result(None)


@dataclass(eq=False, slots=True)
class _Alarm:
    until: timedelta
    event: asyncio.Event
    rung: asyncio.Future[None]


class TurnedClock(Clock):
    """The daemon's clock on a `Machine`."""

    def __init__(self, machine: Machine) -> None:
        self._turned = machine
        super().__init__(
            lambda: machine.now + machine.wrong,
            lambda: machine.passed.total_seconds(),  # noqa: PLW0108 - reads `passed` later
        )

    async def wait(self, event: asyncio.Event, seconds: float) -> bool:
        """Wait for an event with a timeout; returns whether it is set."""
        machine, loop = self._turned, asyncio.get_running_loop()
        alarm = _Alarm(machine.passed + timedelta(seconds=seconds), event, loop.create_future())
        machine.alarms.append(alarm)
        waiting = asyncio.ensure_future(event.wait())
        machine.waits.set()
        both: list[asyncio.Future[Any]] = [alarm.rung, waiting]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
            alarm.rung.cancel()
            machine.alarms.remove(alarm)
        return event.is_set()


class House:
    """A daemon in this process; calls `changed` with the games whose logs have grown."""

    waits = 8
    """Number of tasks that wait for the clock while nothing is due."""

    def __init__(
        self,
        folder: Path,
        machine: Machine,
        hand_over: HandOver,
        changed: Callable[[Iterable[int]], None],
    ) -> None:
        self.folder, self.machine = folder, machine
        self._hand_over, self._changed = hand_over, changed
        self._tasks: list[asyncio.Task[None]] = []
        self.starts = 0
        self._rung = machine.now
        self.is_open = False

    # -- start and stop ------------------------------------------------------------------------
    async def open(self) -> None:
        """Start it, and wait until it takes letters."""
        self.clock, self._deadline = TurnedClock(self.machine), Deadline()
        self._stop, self._hop, self._port = asyncio.Event(), _Servers(self._hand_over), free_port()
        await self._hop.start()
        names = {"folder": self.folder, "address": ADDRESS}
        settings = parse(_CONFIG.format(**names, port=self._port, hop=self._hop.port), "", {})
        opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        startup = Startup(settings, lambda: settings, {}, self.clock)
        task = asyncio.create_task(self._serve(startup, opened))
        await asyncio.wait([task, opened], return_when=asyncio.FIRST_COMPLETED)
        self._tasks = [task]
        self._sight = sqlite3.connect(f"file:{self.folder}/godaemon.db?mode=ro", uri=True)
        self.starts, self.is_open = self.starts + 1, True
        await self._pack()
        await self.quiet()

    async def _serve(self, startup: Startup, opened: asyncio.Future[None]) -> None:
        async with AsyncExitStack() as stack:
            setattr(app, "open_core", self._open_core)  # noqa: B010 - to get the core
            try:
                await app.open_daemon(startup, stack, self._deadline)
            finally:
                setattr(app, "open_core", open_core)  # noqa: B010
            opened.set_result(None)
            await self._stop.wait()
            self._deadline.set(10.0)

    async def _open_core(self, startup: Startup, stack: AsyncExitStack, deadline: Deadline) -> Core:
        self._core = found = await open_core(startup, stack, deadline)
        self.writer, self.seen = found.writer, found.seen
        self.writer.on_commit.append(lambda news: self._changed(news.games))
        return found

    async def close(self, *, abruptly: bool = False) -> None:
        """Stop it, gracefully or abruptly."""
        self.is_open = False
        (task,) = self._tasks
        self._stop.set()
        if abruptly:
            task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        self._sight.close()
        await self._hop.stop()

    def games(self, unit: Unit) -> GameService:
        return self._core.games(unit)

    async def take(self, inbound: InboundLetter) -> LetterOutcome:
        """Send a letter to it by SMTP; raises `Temporary` to retry later."""
        try:
            async with SMTP(hostname="127.0.0.1", port=self._port) as server:
                await server.sendmail(inbound.sender, [inbound.recipient], inbound.raw)
        except SMTPException as refusal:
            raise Temporary("It was not taken.", detail=str(refusal)) from refusal
        return LetterOutcome("taken")

    async def _pack(self) -> None:
        """Pack the logs of finished games, so that late letters meet packed logs."""
        before = self.clock.now() - _OVER
        after: int | None = 0
        while after is not None:
            after = await self.look(partial(_pack_some, before, after))

    async def look(self, work: Callable[[Unit], T]) -> T:
        return await self.writer.run(work)

    async def game(self, number: int) -> Game:
        return await self.look(lambda unit: self.games(unit).game(number))

    # -- time ----------------------------------------------------------------------------------
    async def quiet(self) -> None:
        """Wait until nothing is due."""
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
        """Let time pass from alarm to alarm; waits for all due work."""
        machine = self.machine
        while machine.now < moment:
            due = self._next_due()
            if due <= self._rung:  # postponed by grace time or a start
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
        """Note the current time, as the timers do; writes to disk only after a jump."""
        if self.seen.last is None or abs(now - self.seen.last) > _LOOK + timedelta(seconds=1):
            self.seen.is_in_grace(now)
        else:
            self.seen.last = now

    def _next_due(self) -> datetime:
        """The time of the next due work, at most six hours away."""
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
    """Send a letter; None to retry later."""
    with suppress(Enough, Temporary):
        return await house.take(inbound)
    return None


def rows(folder: Path, query: str) -> list[tuple[Any, ...]]:
    """The rows of a query on a closed store."""
    with closing(sqlite3.connect(folder / "godaemon.db")) as database:
        return database.execute(query).fetchall()


class _Servers(NextHop):
    """The mail servers of all others; each letter has one recipient, as the daemon sends them."""

    def __init__(self, hand_over: HandOver) -> None:
        super().__init__()
        self._hand_over = hand_over

    async def handle_DATA(  # noqa: N802 - the protocol's verb
        self, _server: object, _session: object, envelope: Envelope
    ) -> str:
        """As the reader's own server answers."""
        (recipient,), raw = envelope.rcpt_tos, envelope.content
        assert isinstance(raw, bytes)
        found = _UID.search(raw)
        assert found is not None
        sender = (envelope.mail_from or "").strip("<>")
        try:
            await self._hand_over(recipient, sender, raw, found[1].decode())
        except Undeliverable:
            return "550 5.1.1 There is no such mailbox"
        except PutOff:
            return "452 4.2.2 The mailbox is full"
        return "250 2.0.0 OK"
