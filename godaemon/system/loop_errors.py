"""The faults that asyncio itself reports, in our log's form, and no faster than anybody reads.

Where no file is left to open, asyncio tells of each connection that it could not accept, a hundred
times a second: one line a while is enough, or the log would fill the disk next. Imports asyncio;
raises nothing.
"""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable
from typing import Any

import structlog

EVERY = 60.0
"""Seconds between two lines about the same shortage."""

_SHORTAGES = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
_log = structlog.get_logger("godaemon")

Handler = Callable[[asyncio.AbstractEventLoop, dict[str, Any]], None]


def tell_faults() -> Handler:
    """The handler that an event loop calls with a fault that nobody else handles."""
    last: dict[int, float] = {}

    def _handler(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        fault = context.get("exception")
        if not (isinstance(fault, OSError) and fault.errno in _SHORTAGES):
            _log.error("loop.fault", detail=str(context.get("message", "")), exc_info=fault)
            return
        if loop.time() - last.get(fault.errno, -EVERY) >= EVERY:
            last[fault.errno] = loop.time()
            _log.error("loop.shortage", detail=f"{context.get('message', '')}: {fault.strerror}")

    return _handler
