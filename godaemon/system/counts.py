"""The counts of what this process has done, by name and labels, for whoever watches it.

Imports nothing of ours: every room counts where the thing happens, in one line. What shows the
numbers (`godaemon.daemon.metrics`) is loaded only where somebody asks for them.
"""

from __future__ import annotations

from collections import Counter

COUNTS: Counter[tuple[str, ...]] = Counter()
"""By the name of what is counted, and the values of its labels."""


def count(name: str, *labels: str) -> None:
    """Count one more; `labels` have few values each, none of them a person's."""
    COUNTS[name, *labels] += 1
