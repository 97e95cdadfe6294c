"""The commit hooks, which report each COMMIT to the parts of the daemon."""

import asyncio
import contextlib
from collections.abc import Callable
from functools import partial

from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import BeforeCommit, Committed
from mailgate.delivery.outbox_worker import OutboxWorker


def commit_hook(
    loop: asyncio.AbstractEventLoop, *listeners: Callable[[Committed], object]
) -> Callable[[Committed], None]:
    """The hook for the writer after each COMMIT; it calls the listeners on the event loop."""

    def _tell_listeners(news: Committed) -> None:
        for listener in listeners:  # one call each, so that a failing one does not stop the others
            call_soon(loop, partial(listener, news))

    return _tell_listeners


def claim_hook(loop: asyncio.AbstractEventLoop, outbox: OutboxWorker) -> BeforeCommit:
    """The hook that claims a transaction's notices before COMMIT, to send them after it."""

    def _claim_notices(unit: Unit, news: Committed) -> Callable[[], None] | None:
        if not news.outbox:
            return None
        return partial(call_soon, loop, outbox.claim_queued(unit))

    return _claim_notices


def call_soon(loop: asyncio.AbstractEventLoop, call: Callable[[], object]) -> None:
    """Call a function on the loop, unless the loop is closed."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(call)
