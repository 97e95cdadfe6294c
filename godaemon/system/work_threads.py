"""The event loop's pool of threads for blocking work; it starts all threads at once.

The standard pool starts threads on demand, and raises if the system cannot start one, although the
work is queued and will be done later. The retry of an email would then send it twice.
"""

import os
import threading
from concurrent.futures import ThreadPoolExecutor

COUNT = min(32, (os.cpu_count() or 1) + 4)
"""The number of threads that asyncio would start."""
_TIMEOUT = 10.0


def work_threads(count: int = COUNT) -> ThreadPoolExecutor:
    pool, barrier = ThreadPoolExecutor(count, "work"), threading.Barrier(count)
    for _ in range(count):
        pool.submit(barrier.wait, _TIMEOUT)
    return pool
