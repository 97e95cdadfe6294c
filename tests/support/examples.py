"""The number of examples of a property or rows of a table to try: more in CI."""

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import settings

T = TypeVar("T")


def examples(thorough: int) -> int:
    """An eighth of `thorough` with HYPOTHESIS_PROFILE=ci, else a tenth; at least 5."""
    if settings.get_current_profile_name() == "ci":
        return max(5, thorough // 8)
    return max(5, thorough // 10)


def some(items: Sequence[T], share: int, begin: int = 0) -> Sequence[T]:
    """All items with HYPOTHESIS_PROFILE=ci; else every `share`th, from index `begin`."""
    if settings.get_current_profile_name() == "ci":
        return items
    return items[begin % share :: share]
