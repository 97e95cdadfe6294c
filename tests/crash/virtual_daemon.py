"""A whole daemon in this process, on a virtual clock, with letters in and out by SMTP.

`open` and `close` start and stop it, `live_until` lets time pass. `deliver` gets its letters.
"""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from aiosmtpd.smtp import Envelope
from aiosmtplib import SMTP, SMTPException

from godaemon.config.loading import parse
from godaemon.daemon import app
from godaemon.daemon.core import Core, Deadline, Startup, open_core
from godaemon.games.stored_values import Unit
from tests.crash.soak import EXTRA
from tests.support.daemon import free_port
from tests.support.hand_clock import HandClock
from tests.support.next_hop import NextHop

T = TypeVar("T")
Deliver = Callable[[str, bytes], Awaitable[None]]
ADDRESS = "go@go.example"
_LOOK = timedelta(minutes=9)
"""Maximum time between two sightings of the clock; more would be an outage."""
_AGAIN = timedelta(minutes=30)
_AT_LEAST = timedelta(hours=6)
_TASKS = 8
"""Number of tasks that wait for the clock while nothing is due."""
_CONFIG = """
state_directory = "{folder}"
[mail]
address = "{address}"
remember_days = 30
[mail.smtp]
listen = "127.0.0.1:{port}"
letters_per_minute = 1000000
[mail.outgoing]
smarthost = "smtp://127.0.0.1:{hop}"
[gtp]
socket = "{folder}/gtp.sock"
[control]
socket = "{folder}/control.sock"
"""
_DUE = (
    "SELECT min(alarm) FROM game WHERE alarm IS NOT NULL",
    "SELECT min(digest_due) FROM profile",
    "SELECT min(due_at) FROM outbox WHERE status = 'waiting'",
)


class VirtualClock(HandClock):
    """A clock with an event for each new wait."""

    def __init__(self, now: datetime) -> None:
        super().__init__(now)
        self.has_wait = asyncio.Event()

    async def wait(self, event: asyncio.Event, seconds: float) -> bool:
        self.has_wait.set()
        return await super().wait(event, seconds)


class VirtualDaemon:
    """A daemon; `changed` has the games whose logs have grown."""

    def __init__(self, folder: Path, begin: datetime, deliver: Deliver) -> None:
        self.folder, self.clock = folder, VirtualClock(begin)
        self.wrong = timedelta()
        """The error of the clock."""
        self.changed: set[int] = set()
        self.is_open = False
        self._hop = _Readers(deliver)
        self._rung = begin

    # -- start and stop ------------------------------------------------------------------------
    async def open(self) -> None:
        """Start it, and wait until it takes letters."""
        await self._hop.start()
        self._stop, self._port = asyncio.Event(), free_port()
        places = {"folder": self.folder, "port": self._port, "hop": self._hop.port}
        settings = parse(_CONFIG.format(address=ADDRESS, **places) + EXTRA, "", {})
        startup = Startup(settings, lambda: settings, {}, self.clock)
        opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._serve(startup, opened))
        await asyncio.wait([self._task, opened], return_when=asyncio.FIRST_COMPLETED)
        self._sight = sqlite3.connect(f"file:{self.folder}/godaemon.db?mode=ro", uri=True)
        self.is_open = True
        await self.quiet()

    async def _serve(self, startup: Startup, opened: asyncio.Future[None]) -> None:
        deadline = Deadline()
        async with AsyncExitStack() as stack:
            setattr(app, "open_core", self._open_core)  # noqa: B010 - to get the core
            try:
                await app.open_daemon(startup, stack, deadline)
            finally:
                setattr(app, "open_core", open_core)  # noqa: B010
            opened.set_result(None)
            await self._stop.wait()
            deadline.set(10.0)

    async def _open_core(self, startup: Startup, stack: AsyncExitStack, deadline: Deadline) -> Core:
        self.core = await open_core(startup, stack, deadline)
        self.core.writer.on_commit.append(lambda news: self.changed.update(news.games))
        return self.core

    async def close(self, *, abruptly: bool = False) -> None:
        """Stop it, gracefully or abruptly."""
        self.is_open = False
        self._stop.set()
        if abruptly:
            self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        self._sight.close()
        await self._hop.stop()

    async def take(self, sender: str, recipient: str, raw: bytes) -> bool:
        """Send a letter to it; False if it must be sent again later."""
        try:
            async with SMTP(hostname="127.0.0.1", port=self._port) as server:
                await server.sendmail(sender, [recipient], raw)
        except SMTPException:
            return False
        return True

    async def look(self, work: Callable[[Unit], T]) -> T:
        return await self.core.writer.run(work)

    # -- time ----------------------------------------------------------------------------------
    @property
    def now(self) -> datetime:
        return self.clock.now() - self.wrong

    def set_error(self, wrong: timedelta) -> None:
        """Set the clock wrong, or right again."""
        self.clock.step((wrong - self.wrong).total_seconds())
        self.wrong = wrong

    async def quiet(self) -> None:
        """Wait until nothing is due."""
        while True:
            letters = [one for one in asyncio.all_tasks() if one.get_name().startswith("letter ")]
            if letters:
                await asyncio.wait(letters)
            elif self._task.done():
                self._task.result()
            elif self.clock.waits >= _TASKS:
                return
            else:
                self.clock.has_wait.clear()
                await self.clock.has_wait.wait()

    async def live_until(self, moment: datetime) -> None:
        """Let time pass from alarm to alarm; waits for all due work."""
        while self.is_open and self.now < moment:
            due = self._next_due()
            if due <= self._rung:  # postponed by grace time or a start
                due = self._rung + _AGAIN
            goal = min(moment, max(due, self.now))
            while self.now + _LOOK < goal:
                self._advance(_LOOK)
            self._advance(goal - self.now)
            self._rung = goal
            await self.quiet()
        self.clock.advance(max(moment - self.now, timedelta()).total_seconds())

    def _advance(self, time: timedelta) -> None:
        """Let time pass, and note it as the timers do; writes to disk only after a jump."""
        self.clock.advance(time.total_seconds())
        now, seen = self.clock.now(), self.core.seen
        if seen.last is None or abs(now - seen.last) > _LOOK + timedelta(seconds=1):
            seen.is_in_grace(now)
        else:
            seen.last = now

    def _next_due(self) -> datetime:
        """The time of the next due work, at most six hours away."""
        found = [self._rung + _AT_LEAST]
        for query in _DUE:
            (when,) = self._sight.execute(query).fetchone()
            if when:
                found.append(datetime.fromisoformat(when).replace(tzinfo=UTC))
        return min(found) + timedelta(seconds=1)


class _Readers(NextHop):
    """The readers' mail servers."""

    def __init__(self, deliver: Deliver) -> None:
        super().__init__()
        self._deliver = deliver

    async def handle_DATA(self, _server: object, _session: object, envelope: Envelope) -> str:  # noqa: N802
        """Deliver a letter to its only recipient."""
        (recipient,), raw = envelope.rcpt_tos, envelope.content
        assert isinstance(raw, bytes)
        await self._deliver(recipient, raw)
        return "250 2.0.0 OK"
