"""The number of examples of a property: many in CI, few where a person waits."""

from __future__ import annotations

from hypothesis import settings


def examples(thorough: int) -> int:
    """One of eight of them with HYPOTHESIS_PROFILE=ci, which has little time; else one in ten."""
    if settings.get_current_profile_name() == "ci":
        return max(5, thorough // 8)
    return max(5, thorough // 10)
