"""This process's counters for monitoring, by name and labels.

Imports nothing of ours, so that every room can use it. `godaemon.daemon.metrics` shows the
counters, if it is configured.
"""

from collections import Counter

COUNTS: Counter[tuple[str, ...]] = Counter()
"""The counters, by name and label values."""


def count(name: str, *labels: str) -> None:
    """Add one to a counter. Labels must have few values, and must not name people."""
    COUNTS[name, *labels] += 1
