"""How much of a property or a table is tried: all in CI, less where a person waits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import settings

T = TypeVar("T")


def examples(thorough: int) -> int:
    """One of eight of them with HYPOTHESIS_PROFILE=ci, which has little time; else one in ten."""
    if settings.get_current_profile_name() == "ci":
        return max(5, thorough // 8)
    return max(5, thorough // 10)


def some(of: Sequence[T], share: int, begin: int = 0) -> Sequence[T]:
    """All of them with HYPOTHESIS_PROFILE=ci; else one in `share`, `begin` says which."""
    if settings.get_current_profile_name() == "ci":
        return of
    return of[begin % share :: share]
