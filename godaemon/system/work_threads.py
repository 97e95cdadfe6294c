"""The threads on which the event loop has work done that would hold it up: there from the start.

A pool that starts them one by one raises where the system has none to give just then, although the
work is in its queue and is done later all the same: a letter handed over so would be handed over
again. And a program whose watching thread cannot start is left to itself, with half a letter.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

COUNT = min(32, (os.cpu_count() or 1) + 4)
"""As many as asyncio would start."""
_PATIENCE = 10.0


def install(loop: asyncio.AbstractEventLoop) -> None:
    """Have a loop begin no thread later on, neither for work nor to wait for a program's end."""
    loop.set_default_executor(work_threads())
    if sys.version_info < (3, 12) and _has_pidfd():  # later ones do so by themselves
        watcher = asyncio.PidfdChildWatcher()
        watcher.attach_loop(loop)
        asyncio.set_child_watcher(watcher)


def _has_pidfd() -> bool:
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):
        return False
    return True


def work_threads(count: int = COUNT) -> ThreadPoolExecutor:
    """A pool whose every thread runs."""
    pool, together = ThreadPoolExecutor(count, "work"), threading.Barrier(count)
    for _ in range(count):
        pool.submit(together.wait, _PATIENCE)
    return pool
