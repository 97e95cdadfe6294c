"""The commit hooks: what each part hears of a COMMIT."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from functools import partial

from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import BeforeCommit, Committed
from mailgate.delivery.outbox_worker import OutboxWorker


def commit_hook(
    loop: asyncio.AbstractEventLoop, *hearers: Callable[[Committed], object]
) -> Callable[[Committed], None]:
    """The hook that the writer calls after each COMMIT, on its own thread."""

    def _tell_hearers(news: Committed) -> None:
        for hear in hearers:  # one call each, so that a failing one does not stop the others
            call_soon(loop, partial(hear, news))

    return _tell_hearers


def claim_hook(loop: asyncio.AbstractEventLoop, outbox: OutboxWorker) -> BeforeCommit:
    """The hook that claims a transaction's notices before COMMIT; the emails are sent after it."""

    def _claim_notices(unit: Unit, news: Committed) -> Callable[[], None] | None:
        if not news.outbox:
            return None
        return partial(call_soon, loop, outbox.claim_owed(unit))

    return _claim_notices


def call_soon(loop: asyncio.AbstractEventLoop, call: Callable[[], object]) -> None:
    """Call a function on the loop, unless the loop is closed."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(call)
