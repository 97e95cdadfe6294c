"""Regular expressions that are compiled when they are first used.

Those of the rooms that read letters take a fifth of a second of CPU together, which no start of a
daemon has to wait for. Pure.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any, cast


class LatePattern:
    """A regular expression that is not compiled yet."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern, self._flags = pattern, flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self._flags)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a compiled one has
        """Something of the compiled one's, which is found at once from then on."""
        found = getattr(self._compiled, name)
        setattr(self, name, found)
        return found


def late(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` gives, as far as its methods go."""
    return cast("re.Pattern[str]", LatePattern(pattern, flags))
