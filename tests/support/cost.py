"""How much work a function does: its calls, its peak memory, and how its time grows.

Calls and memory do not depend on how busy the machine is. Time is given only as a ratio between two
inputs, in CPU time of this thread.
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
    """The most bytes allocated at one time, without those allocated before."""
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
"""Times below this, in seconds, are too short to compare."""


def seconds(work: Callable[[T], object], text: T) -> float:
    """The CPU time of this thread that `work` takes."""
    began = time.thread_time()
    work(text)
    return time.thread_time() - began


def times_as_long(work: Callable[[T], object], short: T, long: T) -> float:
    """How many times as long `long` takes; 0 if that is too short to measure.

    A large ratio is measured again, and the least time of each counts.
    """
    taken, least = seconds(work, long), seconds(work, short)
    for _ in range(5):
        if taken < TOO_LITTLE or taken < least * 8:
            break
        taken, least = min(taken, seconds(work, long)), min(least, seconds(work, short))
    return 0.0 if taken < TOO_LITTLE else taken / least
