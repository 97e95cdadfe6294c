"""Wait for a condition with a timeout: `until` in a thread, `come` in an event loop.

`until` polls less often the longer it waits: a check may query a daemon. Any other wait of a test
takes `PATIENCE` as its timeout.
"""

import asyncio
import threading
import time
from collections.abc import Callable

PATIENCE = 180.0
"""Seconds to wait for anything that must come: a busy machine may be twenty times slower."""


def until(condition: Callable[[], bool], description: str, seconds: float = PATIENCE) -> None:
    """Wait until a condition holds; a timeout raises `AssertionError` with the description."""
    began = time.monotonic()
    pause = threading.Event()
    while not condition():
        waited = time.monotonic() - began
        if waited > seconds:
            raise AssertionError(f"waited {seconds:g} s in vain: {description}")
        pause.wait(min(0.1, 0.01 + waited / 10))


async def come(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until a condition holds; raises `TimeoutError`."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(0.005)
