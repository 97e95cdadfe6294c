"""How much work a function does: its calls, the memory it had at once, and how its time grows.

Calls and memory are the same for the same input, on a busy machine too. Of time only the ratio of
two texts is told, of the CPU that one thread has had.
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

T = TypeVar("T")


def calls(work: Callable[[], object]) -> int:
    """How many functions were called, of Python and of C."""
    count = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def peak(work: Callable[[], object]) -> int:
    """How many bytes were in use at once, beyond what was before."""
    tracing = tracemalloc.is_tracing()
    if not tracing:
        tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        work()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        if not tracing:
            tracemalloc.stop()


TOO_LITTLE = 0.0005
"""Seconds that are too few to be compared."""


def seconds(work: Callable[[T], object], text: T) -> float:
    """Of this thread's CPU."""
    began = time.thread_time()
    work(text)
    return time.thread_time() - began


def times_as_long(work: Callable[[T], object], short: T, long: T) -> float:
    """How many times as long the second takes; 0 where that is too little to be told.

    What seems to be much is tried again, and the least of each counts.
    """
    taken, least = seconds(work, long), seconds(work, short)
    for _ in range(5):
        if taken < TOO_LITTLE or taken < least * 8:
            break
        taken, least = min(taken, seconds(work, long)), min(least, seconds(work, short))
    return 0.0 if taken < TOO_LITTLE else taken / least
