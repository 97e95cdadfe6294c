"""The core of a daemon, which all parts need: settings, clock, store, keys, games.

May import every room but the command line. Opening raises `ConfigError`, `Corrupt`, `Temporary`.
"""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from godaemon.config.settings import Settings
from godaemon.daemon.engine_roster import roster_of
from godaemon.games.game_cache import GameCache
from godaemon.games.service import GameService, Randomness
from godaemon.games.stored_values import Unit
from godaemon.rules.points import Color
from godaemon.storage.identity import open_store
from godaemon.storage.several_daemons import Holder
from godaemon.storage.writer import WriterThread
from godaemon.system.clock import Clock
from godaemon.system.outages_and_pauses import CLOCK_FILE, TimeSeen
from godaemon.system.passed_sockets import NONE_PASSED, PassedSockets
from godaemon.system.signing_keys import SigningKeys, read_key
from godaemon.system.systemd import notify


@dataclass(frozen=True, slots=True)
class Startup:
    """The arguments of a daemon: settings, environment, clock."""

    settings: Settings
    reread: Callable[[], Settings]
    """Reads the configuration again; raises `ConfigError`."""
    environ: Mapping[str, str]
    clock: Clock
    passed: PassedSockets = NONE_PASSED


class Deadline:
    """The moment by which work in progress must be finished; in the past until it is set."""

    def __init__(self) -> None:
        self._at = 0.0

    def set(self, seconds: float) -> None:
        """Put the moment some seconds from now."""
        self._at = asyncio.get_running_loop().time() + seconds

    async def close_in_time(self, close: Callable[[float], Awaitable[None]]) -> None:
        """Close a part, which gets the seconds that are left."""
        await close(max(0.1, self._at - asyncio.get_running_loop().time()))


class Core:
    """The objects that all other parts need."""

    def __init__(
        self,
        startup: Startup,
        stack: AsyncExitStack,
        deadline: Deadline,
        writer: WriterThread,
        holder: Holder,
        cache: GameCache,
    ) -> None:
        self.startup, self.stack, self.deadline = startup, stack, deadline
        self.writer, self.holder, self.cache = writer, holder, cache
        self.settings = startup.settings
        """The settings at the start."""
        self.live = startup.settings
        """The settings in force; a reload replaces them."""
        self.reload_refused = ""
        """Why the last reload was refused, or ""."""
        self.clock, self.state = startup.clock, startup.settings.state_directory
        self.began = self.clock.now()
        self.seen = TimeSeen(self.state / CLOCK_FILE)
        self.engines = roster_of(self.settings.engines, startup.environ, self.state)
        self.notify = partial(notify, startup.environ.get("NOTIFY_SOCKET", ""))
        self.keys = SigningKeys(
            self.state, self.clock.now, lambda: timedelta(days=self.live.mail.key_grace_days)
        )
        self.randomness = Randomness(
            lambda: secrets.choice(list(Color)), lambda: secrets.token_hex(8)
        )
        self.is_watched: Callable[[int, Color], bool] = lambda _game, _color: False
        """Returns whether a program in a colour's seat waits; set when the seats are opened."""

    def addresses(self) -> tuple[str, ...]:
        """Our present addresses, the main one first."""
        return (self.settings.mail.address, *(one.address for one in self.live.mail.addresses))

    def games(self, unit: Unit) -> GameService:
        """The service for games in one transaction, with the present time and limits."""
        return GameService(
            unit,
            self.cache,
            self.clock.now(),
            self.randomness,
            self.live.mail.limits,
            self.engines.roster,
            self.is_watched,
            self.seen.lost_time,
        )


async def open_core(startup: Startup, stack: AsyncExitStack, deadline: Deadline) -> Core:
    """Open the store, the holder of its locks, and its writer.

    A rollback drops games from the cache. Ends the leases of this folder's last daemon.
    """
    settings, cache = startup.settings, GameCache()
    url, state, key = settings.database_url, settings.state_directory, settings.mail.token_key
    first = read_key(key.path(startup.environ)) if key is not None else b""
    database = await asyncio.to_thread(partial(open_store, url, state, first_key=first))
    stack.callback(database.close)
    holder = stack.enter_context(contextlib.closing(Holder(url)))
    await asyncio.to_thread(holder.open)
    writer = WriterThread(database, holder.id).start()
    stack.push_async_callback(asyncio.to_thread, writer.close)
    writer.on_rollback.append(cache.drop)
    await stack.enter_async_context(run_beside(holder.watch_others(startup.clock)))
    await writer.run(lambda unit: unit.outbox.end_leases(startup.clock.now()))
    return Core(startup, stack, deadline, writer, holder, cache)


@asynccontextmanager
async def run_beside(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run a coroutine during the body, then cancel it; raises its exception.

    A single exception is raised without a group, so that the terminal shows its sentence.
    """
    try:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(work)
            yield
            task.cancel()
    except BaseExceptionGroup as several:
        if len(several.exceptions) > 1:
            raise
        raise several.exceptions[0] from several.exceptions[0].__cause__


def call_soon(loop: asyncio.AbstractEventLoop, call: Callable[[], object]) -> None:
    """Call a function on the loop, unless the loop is closed."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(call)
