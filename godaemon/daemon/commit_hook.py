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
    hearers: tuple[Callable[[Committed], object], ...] = (
        lambda news: outbox.notify() if news.outbox else None,
        lambda news: seats.changed(news.games),
        lambda news: gtp.rekeyed(news.rekeyed),
        lambda news: engines.changed(news.games),
    )

    def _on_commit(committed: Committed) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is gone: nobody waits for news
            for hear in hearers:  # each by itself: where one fails, the others hear all the same
                loop.call_soon_threadsafe(hear, committed)

    return _on_commit
