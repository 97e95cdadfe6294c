"""The timers of a daemon: its background jobs. An exception ends only one round."""

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import TypeVar

import structlog

from godaemon.daemon.core import Core
from godaemon.errors import ConfigError, GodaemonError, Temporary
from godaemon.games import running_clocks
from godaemon.games.forgetting import Forgetting, forget_due
from godaemon.games.running_clocks import BATCH
from godaemon.games.service import GameService
from godaemon.storage import deletion, sqlite_file
from godaemon.system.systemd import watchdog_interval
from mailgate.handling.daily_email import send_daily_emails

T = TypeVar("T")
_EXPIRY_INTERVAL = 60.0
_DAILY_EMAILS_INTERVAL = 60.0
_FORGET_INTERVAL = 10.0
_CLOCKS_INTERVAL = 15.0
_CLOCK_DELAY = timedelta(minutes=15)
"""No game ends so soon after a start, so that delayed emails can arrive first."""
_PROGRAMS_INTERVAL = 30.0

_log = structlog.get_logger("godaemon")


async def expire_proposals(core: Core) -> None:
    """End unanswered proposals; not during a grace period."""
    while True:
        count, age = 0, timedelta(days=core.live.mail.invitation_days)
        expire = partial(running_clocks.expire_proposals, older_than=age)
        with one_round("invitation.not-expired"):
            count = 0 if _is_in_grace(core) else len(await _run(core, expire))
            if count:
                _log.info("invitation.expired", count=count)
        await core.clock.sleep(0.0 if count == BATCH else _EXPIRY_INTERVAL)


async def send_daily(core: Core) -> None:
    """Queue the daily emails at each player's hour; none during a grace period."""
    while True:
        more = False
        with one_round("outbox.digest-not-owed"):
            more = not _is_in_grace(core) and await _run(core, send_daily_emails)
        await core.clock.sleep(0.0 if more else _DAILY_EMAILS_INTERVAL)


async def tell_of_silent_programs(core: Core) -> None:
    """Email players whose Go program does not answer a move or a pass."""
    while True:
        await core.clock.sleep(_PROGRAMS_INTERVAL)
        with one_round("gtp.kept"):
            await _run(core, GameService.queue_unanswered_notices)


async def check_clocks(core: Core, receiving: Callable[[], bool] = lambda: True) -> None:
    """Remind players and end games by their clocks.

    It pauses while no email can come in, for `_CLOCK_DELAY` after the start, and while the
    operator has stopped all clocks. After such a stop, and after the machine's clock was set
    back, it checks every running clock.
    """
    seen = core.seen
    last_look = core.clock.now()
    were_paused = False
    begin = last_look + _CLOCK_DELAY
    while True:
        rung, now = 0, core.clock.now()
        seen.is_in_grace(now)
        begin = min(begin, now + _CLOCK_DELAY)  # the clock may have been ahead at the start
        paused, can_receive = seen.current_pause(now) is not None, receiving()
        if not can_receive:
            seen.record_outage(last_look, now)
        with one_round("clock.not-checked"):
            if seen.set_back or (were_paused and not paused):
                await core.writer.run(lambda unit: unit.games.make_all_alarms_due(now))  # noqa: B023 - at once
                seen.set_back = were_paused = False
            if can_receive and now >= begin and not paused:
                due = await _run(core, running_clocks.due_games)
                await asyncio.gather(*(_check_one(core, number) for number in due))
                if rung := len(due):
                    _log.info("clock.checked", count=rung)
        last_look, were_paused = now, were_paused or paused
        await core.clock.sleep(0.0 if rung == BATCH else _CLOCKS_INTERVAL)


async def _check_one(core: Core, number: int) -> None:
    try:
        await _run(core, lambda games: running_clocks.act_on_alarm(games, number))
    except Temporary:
        raise
    except Exception:  # noqa: BLE001 - one game must not stop the clocks of others
        _log.exception("clock.not-checked", game=number)
        await _run(core, lambda games: running_clocks.postpone_alarm(games, number))


async def forget_players(core: Core) -> None:
    """Forget players who have confirmed it; then empty SQLite's write-ahead log.

    The log is also emptied at the start, because the last daemon may have been killed first.
    """
    store, progress = core.writer.file, Forgetting()
    is_log_empty = store is None
    while True:
        seconds = _FORGET_INTERVAL
        with one_round("player.not-forgotten"):
            count, progress = await _run(core, lambda games: forget_due(games, progress))  # noqa: B023
            seconds = 0.0 if progress.address else seconds
            if count:
                _log.info("player.forgotten", count=count)
                is_log_empty = store is None
        if store is not None and not is_log_empty:
            is_log_empty = await asyncio.to_thread(sqlite_file.checkpoint_log, store)
        await core.clock.sleep(seconds)


async def _run(core: Core, work: Callable[[GameService], T]) -> T:
    return await core.writer.run(lambda unit: work(core.games(unit)))


def _is_in_grace(core: Core) -> bool:
    return core.seen.is_in_grace(core.clock.now())


async def feed_watchdog(core: Core) -> None:
    """Feed systemd's watchdog while the event loop runs and the writer is not stuck."""
    interval = watchdog_interval(core.startup.environ, os.getpid())
    while interval is not None:
        if core.writer.is_alive(interval * 2):
            core.notify(WATCHDOG=1)
        await core.clock.sleep(interval)


@contextmanager
def one_round(event: str) -> Iterator[None]:
    """Log an exception of the body as `event`; only a `ConfigError`, which is fatal, is raised."""
    try:
        yield
    except ConfigError:
        raise
    except GodaemonError as trouble:
        _log.warning(event, detail=trouble.detail or trouble.public)
    except Exception:  # noqa: BLE001 - a bug of ours must not end the job
        _log.exception(event)


_FIRST = 600.0
_DAILY = 86400.0
_STEP_PAUSE = 0.05
"""Seconds between two steps, so that others can write."""


async def prune_daily(core: Core) -> None:
    """Prune `_FIRST` seconds after the start, then daily; not during a grace period."""
    await core.clock.sleep(_FIRST)
    while True:
        with one_round("store.not-pruned"):
            if not _is_in_grace(core):
                await prune(core)
        await core.clock.sleep(_DAILY)


async def prune(core: Core) -> int:
    """Prune now; returns the number of rows deleted."""
    days = timedelta(days=core.live.mail.remember_days)
    total, before = 0, core.clock.now() - days
    while count := await core.writer.run(lambda unit: deletion.prune(unit.connection, before)):
        total += count
        await core.clock.sleep(_STEP_PAUSE)
    packed = 0
    after: int | None = 0
    while after is not None:
        some, after = await core.writer.run(
            lambda unit: unit.games.pack_old(before, after)  # noqa: B023 - at once
        )
        packed += some
        await core.clock.sleep(_STEP_PAUSE)
    if (store := core.writer.file) is not None:
        while await asyncio.to_thread(sqlite_file.release_pages, store):
            await core.clock.sleep(_STEP_PAUSE)
        await asyncio.to_thread(sqlite_file.optimize, store)
    _log.info("store.pruned", count=total, packed=packed)
    return total
