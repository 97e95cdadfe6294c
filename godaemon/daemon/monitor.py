"""The measurements of a daemon, made every few seconds, and the checks of a running daemon."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import structlog

from godaemon.daemon import health
from godaemon.daemon.core import Core
from godaemon.daemon.health import (
    LOST,
    MANY,
    Check,
    Measured,
    Trouble,
    trouble,
    trouble_if,
)
from godaemon.daemon.mail import WatchedDelivery
from godaemon.errors import ConfigError, GodaemonError
from godaemon.games.bouncing_addresses import refusing_domains
from godaemon.games.stored_values import Unit, Writer
from godaemon.games.stranger_limits import used_up_quotas
from godaemon.storage import sqlite_file
from godaemon.storage.connections import LARGE
from godaemon.system import log_setup
from godaemon.system.clock import Clock
from mailgate.reading.bounce_reports import is_refusal_of_us
from mailgate.receiving.imap_fetcher import ImapFetcher

MEASURED_EVERY = 5.0
"""Seconds between two measurements."""
_log = structlog.get_logger("godaemon")


class Monitor:
    """Takes the measurements; `file` is the SQLite file, None for a server.

    `most_due` limits the emails due, `most_strangers` the emails to strangers in a day. `keep_key`
    writes the key file again if it is missing, and returns whether it did.
    """

    def __init__(
        self,
        writer: Writer,
        state: Path,
        file: Path | None,
        clock: Clock,
        most_due: int,
        most_strangers: Callable[[], int],
        keep_key: Callable[[], bool] = lambda: False,
    ) -> None:
        self._writer, self._state, self._file, self._clock = writer, state, file, clock
        self._most_due, self._most_strangers = most_due, most_strangers
        self._keep_key = keep_key
        self.measured = Measured(clock.now())

    def overload_reason(self) -> str:
        """Why no new emails are accepted, or ""."""
        return self.measured.overloaded

    async def measure(self) -> None:
        """Take all measurements; a fault of the store is measured too, not raised."""
        now = self._clock.now()
        try:
            found = await self._writer.run(lambda unit: self._measure_store(unit, now))
        except GodaemonError as fault:
            found = Measured(now, store=fault.public)
        except Exception as fault:  # noqa: BLE001 - reported as trouble
            found = Measured(now, store=f"The store cannot be read: {fault!r}.")
        if found.store_missing:
            self.measured = replace(found, overloaded=LOST)
            return
        await asyncio.to_thread(self._restore_key)
        free, wal = await asyncio.to_thread(self._measure_disk)
        paused = self.overload_reason() == MANY
        overloaded = health.overload_reason(found.due, free, self._most_due, already=paused)
        found = replace(found, disk_free=free, state=self._state, wal=wal)
        self.measured = replace(found, overloaded=overloaded)

    def _measure_store(self, unit: Unit, now: datetime) -> Measured:
        file = self._file
        unit.require_writable()
        due, oldest = unit.outbox.backlog(now)
        return Measured(
            *(now, due, oldest, unit.inbox.count_quarantined()),
            damaged=unit.games.damaged_games(),
            unwritten=unit.outbox.count_unwritten(),
            store_missing=file if file and sqlite_file.was_removed(file) else None,
            clocks=unit.games.count_running_clocks(),
            used_up_quotas=used_up_quotas(unit, self._most_strangers(), now),
            refusing=refusing_domains(unit, now, is_refusal_of_us),
        )

    def _restore_key(self) -> None:
        """Write the key file again if it was removed: this process still has the key."""
        with suppress(ConfigError):  # the disk may be full, or the folder missing
            if self._keep_key():
                _log.warning("store.key-written-again", detail="Its file had been removed.")

    def _measure_disk(self) -> tuple[int | None, int]:
        """The free bytes of the disk, and the size of SQLite's write-ahead log."""
        if self._file and sqlite_file.log_size(self._file) > LARGE:
            sqlite_file.fold_log(self._file)
        try:
            disk = os.statvfs(self._state)
        except OSError:
            return None, 0
        free = disk.f_bavail * disk.f_frsize
        return free, sqlite_file.log_size(self._file) if self._file else 0


def daemon_checks(
    core: Core, monitor: Monitor, way_out: WatchedDelivery, fetcher: ImapFetcher | None
) -> tuple[Check, ...]:
    """The checks of measurements, mailbox, delivery, configuration, log and clock."""
    clock, seen = core.clock, core.seen

    def _mailbox() -> list[Trouble]:
        why = fetcher.trouble if fetcher else None
        return trouble_if(why is not None, "mailbox-unreachable", why=why)

    def _way_out() -> list[Trouble]:
        since, place = way_out.blocked_since, core.settings.mail.outgoing.destination
        return [trouble("way-out-blocked", place=place, since=health.utc(since))] if since else []

    return (
        lambda: health.measured_troubles(monitor.measured),
        _mailbox,
        _way_out,
        lambda: trouble_if(core.reload_refused, "reload-refused", why=core.reload_refused),
        lambda: trouble_if(log_setup.lost_lines(), "log-lost", count=log_setup.lost_lines()),
        # The order matters: `clock.now` detects a jump.
        lambda: health.time_left_out(seen.gap_ended, clock.now()),
        lambda: health.clock_jumped(clock.jump),
        lambda: health.clocks_paused(seen.current_pause(clock.now())),
    )
