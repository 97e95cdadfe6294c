"""The number of examples of a property: many in CI, few where a person waits."""

from __future__ import annotations

from hypothesis import settings


def examples(thorough: int) -> int:
    """As many as are said, with HYPOTHESIS_PROFILE=ci; otherwise one in ten, at least five."""
    if settings.get_current_profile_name() == "ci":
        return thorough
    return max(5, thorough // 10)
