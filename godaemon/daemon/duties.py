"""Runs the background jobs that only one of the daemons on a database server may run."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any

import structlog

from godaemon.storage.several_daemons import Holder, Lock

_log = structlog.get_logger("godaemon")


async def run_duties(holder: Holder, *duties: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run these jobs, forever, while this daemon holds the lock `Lock.DUTY`."""
    while True:
        with contextlib.suppress(TimeoutError):
            async with holder.exclusive(Lock.DUTY), asyncio.TaskGroup() as group:
                if holder.several:
                    _log.info("daemon.on-duty", holder=holder.id)
                for duty in duties:
                    group.create_task(duty())
        _log.warning("daemon.off-duty", holder=holder.id)
