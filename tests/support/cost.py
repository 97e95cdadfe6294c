"""How much work a function does: its calls, its peak memory, and how its time grows.

Calls and memory do not depend on how busy the machine is: count these wherever they show the same.
The search of a pattern is a single call, and needs a clock: the CPU time of this thread, for two
texts of which one is so much longer that a busy machine makes no difference.
"""

from __future__ import annotations

import math
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


LONGER = 16
"""How many times as long the longer text is that a growth is measured with."""
TOO_LITTLE = 0.0005
"""Times below this, in seconds, are too short to compare."""
_MOST = LONGER * LONGER**0.5
_TRIES = 12


def _seconds(work: Callable[[T], object], text: T) -> float:
    """The CPU time of this thread that `work` takes."""
    began = time.thread_time()
    work(text)
    return time.thread_time() - began


def is_in_proportion(work: Callable[[T], object], short: T, long: T) -> bool:
    """True if `work` takes time in proportion to its text; `long` is 16 times as much as `short`.

    It takes 16 times as long in proportion, 256 times as the square of the text; the limit is 64.
    Longer times are measured again, and the least count: one of a dozen tries meets no other load.
    """
    least_long = least_short = math.inf
    for _ in range(_TRIES):
        least_long = min(least_long, _seconds(work, long))
        if least_long < TOO_LITTLE:
            return True
        least_short = min(least_short, _seconds(work, short))
        if least_long < _MOST * least_short:
            return True
    return False
