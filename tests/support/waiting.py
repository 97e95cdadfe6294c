"""Waiting for a condition, with a limit."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


def until(true: Callable[[], bool], what: str, seconds: float = 30.0) -> None:
    """Return once a condition holds; fail with its description where it does not in time."""
    limit = time.monotonic() + seconds
    pause = threading.Event()
    while not true():
        if time.monotonic() > limit:
            raise AssertionError(f"waited {seconds:g} s in vain: {what}")
        pause.wait(0.01)
