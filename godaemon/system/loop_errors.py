"""The faults that an event loop itself reports, in our log's form. Raises nothing."""

from __future__ import annotations

import asyncio
from typing import Any

import structlog

_log = structlog.get_logger("godaemon")


def tell_fault(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """The handler that an event loop calls with a fault that nobody else handles."""
    message = str(context.get("message", ""))
    _log.error("loop.fault", detail=message, exc_info=context.get("exception"))
