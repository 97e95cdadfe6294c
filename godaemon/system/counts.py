"""This process's counters for monitoring, by name and labels.

Imports nothing of ours, so that every room can count in one line where something happens. The
module that shows the numbers (`godaemon.daemon.metrics`) is loaded only if it is configured.
"""

from __future__ import annotations

from collections import Counter

COUNTS: Counter[tuple[str, ...]] = Counter()
"""The counters, by name and label values."""


def count(name: str, *labels: str) -> None:
    """Add one; each of the `labels` has few values, none of which names a person."""
    COUNTS[name, *labels] += 1
