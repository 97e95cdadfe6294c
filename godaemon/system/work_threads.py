"""The threads on which the event loop has work done that would hold it up: there from the start.

A pool that starts them one by one raises where the system has none to give just then, although the
work is in its queue and is done later all the same: a letter handed over so would be handed over
again.
"""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor

COUNT = min(32, (os.cpu_count() or 1) + 4)
"""As many as asyncio would start."""
_PATIENCE = 10.0


def work_threads(count: int = COUNT) -> ThreadPoolExecutor:
    """A pool with all its threads started."""
    pool, together = ThreadPoolExecutor(count, "work"), threading.Barrier(count)
    for _ in range(count):
        pool.submit(together.wait, _PATIENCE)
    return pool
