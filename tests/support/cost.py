"""The cost of a function: its calls, its peak memory, and how its time grows.

Prefer calls and memory, as they do not depend on the machine's load. A pattern search is a single
call and needs CPU time: compare two texts of very different length, so that load does not matter.
"""

import math
import sys
import time
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

T = TypeVar("T")


def calls(work: Callable[[], object]) -> int:
    """The number of calls of Python and C functions."""
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
    """Peak allocation in bytes, without earlier allocations."""
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


LONGER = 16
"""Ratio of the lengths of the two texts."""
TOO_SHORT = 0.0005
"""Times below this many seconds are not compared."""
_MOST = LONGER * LONGER**0.5
_TRIES = 12


def _seconds(work: Callable[[T], object], text: T) -> float:
    """The CPU time of `work` in this thread."""
    began = time.thread_time()
    work(text)
    return time.thread_time() - began


def is_in_proportion(work: Callable[[T], object], short: T, long: T) -> bool:
    """True if the time of `work` is linear in its text; `long` is 16 times as long as `short`.

    Linear time grows by 16, quadratic time by 256; the limit is 64. Slow results are measured up
    to twelve times, and the fastest ones are compared.
    """
    least_long = least_short = math.inf
    for _ in range(_TRIES):
        least_long = min(least_long, _seconds(work, long))
        if least_long < TOO_SHORT:
            return True
        least_short = min(least_short, _seconds(work, short))
        if least_long < _MOST * least_short:
            return True
    return False
