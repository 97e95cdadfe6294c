"""The commit hook: the parts that hear of each COMMIT, and what each of them hears."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from godaemon.daemon.engine_worker import EngineWorker
from godaemon.daemon.gtp_listener import GtpListeners
from godaemon.daemon.seat_service import SeatService
from godaemon.storage.writer import Committed
from mailgate.delivery.outbox_worker import OutboxWorker


def commit_hook(
    loop: asyncio.AbstractEventLoop,
    outbox: OutboxWorker,
    seats: SeatService,
    gtp: GtpListeners,
    engines: EngineWorker,
) -> Callable[[Committed], None]:
    """The hook for the writer, which calls it after each COMMIT on its own thread."""

    def hear(committed: Committed) -> None:
        if committed.outbox:
            outbox.notify()
        seats.changed(committed.games)
        gtp.rekeyed(committed.rekeyed)
        engines.changed(committed.games)

    def on_commit(committed: Committed) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is gone: nobody waits for news
            loop.call_soon_threadsafe(hear, committed)

    return on_commit
