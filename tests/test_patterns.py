"""The patterns of the rooms that read what strangers write: none has many ways to read one text.

A pattern that has, as `(a+)+` reads each `aa`, takes twice as long with each mark more. What takes
as long as the square of a text is for its reader to bound, and has a test where that is done.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import signal
from collections.abc import Iterator
from itertools import product

import pytest

from mailgate.late_patterns import LatePattern

ROOMS = ("mailgate", "godaemon.records", "godaemon.games", "godaemon.rules", "gtp")
LONG = 60
"""Marks: at least thirty times a choice, where there is one."""
SECONDS = 2.0
"""Of CPU; all texts of a pattern need some thousandths of one."""


def patterns(room: str) -> dict[re.Pattern[str] | LatePattern, str]:
    """The patterns that the modules of a room have made, each with its place."""
    found = {}
    for module in pkgutil.walk_packages(importlib.import_module(room).__path__, f"{room}."):
        if not module.name.endswith("__main__"):
            for name, value in vars(importlib.import_module(module.name)).items():
                for one in value if isinstance(value, tuple | list) else (value,):
                    if isinstance(one, re.Pattern | LatePattern) and isinstance(one.pattern, str):
                        found[one] = f"{module.name}.{name}"
    return found


def pumped(pattern: re.Pattern[str] | LatePattern) -> Iterator[str]:
    """Texts of one piece, again and again, and of an end that does not fit.

    A piece is two of the marks that stand in the pattern, or of those that classes of it may mean,
    or is a word of it, or words of which it has each alone, too.
    """
    marks = ["a", "A", "1", " ", *sorted(set(re.findall(r"[^\w\s\\?*|:]", pattern.pattern)))[:8]]
    words = sorted(set(re.findall(r"[a-z]{2,}", pattern.pattern)))[:8]
    for piece in (*map("".join, product(marks, repeat=2)), *words, *(f"{one} " for one in words)):
        yield piece * (LONG // len(piece)) + "ab\0"
    alone = set(re.findall(r"(?<=[|:(])[a-z']+(?=[|)])", pattern.pattern))
    for phrase in sorted(set(re.findall(r"[a-z']+(?: [a-z']+)+", pattern.pattern))):
        if alone.issuperset(phrase.split()):  # `oh dear`, among `oh` and `dear`
            yield f"{phrase} " * (LONG // 2) + "ab\0"


@pytest.mark.parametrize("room", ROOMS)
def test_no_pattern_has_many_ways_to_read_one_text(room: str) -> None:
    """Not of its own marks, which are those that somebody would try."""
    at = ["nothing"]

    def late(*_: object) -> None:
        raise AssertionError(at[0])

    before = signal.signal(signal.SIGVTALRM, late)
    try:
        for pattern, place in patterns(room).items():
            signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
            for text in pumped(pattern):
                at[0] = f"{place} takes long to read {text!r}"
                pattern.search(text)
                pattern.fullmatch(text)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
