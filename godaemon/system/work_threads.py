"""The event loop's pool of threads for blocking work; all threads are started at once.

The standard pool starts threads on demand and raises if the system cannot start one, although the
work is already queued and will be done later. An email delivered by such work would be delivered
twice.
"""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor

COUNT = min(32, (os.cpu_count() or 1) + 4)
"""As many as asyncio would start."""
_TIMEOUT = 10.0


def work_threads(count: int = COUNT) -> ThreadPoolExecutor:
    """A pool with all its threads started."""
    pool, together = ThreadPoolExecutor(count, "work"), threading.Barrier(count)
    for _ in range(count):
        pool.submit(together.wait, _TIMEOUT)
    return pool
