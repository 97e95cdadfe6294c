"""Waiting for a condition, with a limit: `until` in a thread, `come` in a loop.

The longer it takes, the more seldom we look, as a look may be a question to a daemon.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable


def until(true: Callable[[], bool], what: str, seconds: float = 60.0) -> None:
    """Return once a condition holds; fail with its description where it does not in time."""
    began = time.monotonic()
    pause = threading.Event()
    while not true():
        waited = time.monotonic() - began
        if waited > seconds:
            raise AssertionError(f"waited {seconds:g} s in vain: {what}")
        pause.wait(min(0.1, 0.01 + waited / 10))


async def come(true: Callable[[], object], seconds: float = 60.0) -> None:
    """Return once a condition holds; TimeoutError where it does not in time."""
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110 - what it waits for tells of no event
            await asyncio.sleep(0.005)
