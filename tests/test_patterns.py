"""No regular expression of the product takes more than linear time.

Most of them match strangers' text. An ambiguous pattern such as `(a+)+` takes exponential time, one
that restarts at each character, such as `a.*b` without a `b`, quadratic time. Each is tried with
the methods that the product calls, on runs of its own separators and words.
"""

import ast
import importlib
import inspect
import pkgutil
import re
import signal
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import product
from types import ModuleType

import pytest

from tests.support.cost import LONGER, is_in_proportion

LANGUAGE = "mailgate.language."
ROOMS = (
    *(pytest.param(room, marks=pytest.mark.slow) for room in ("mailgate", LANGUAGE)),
    *("godaemon", "gtp"),
)
METHODS = {"search", "match", "fullmatch", "sub", "split", "findall", "finditer"}
AnyPattern = re.Pattern[str] | re.Pattern[bytes]
SHORT = 125
"""Marks of the shorter text."""
LONGEST_PATTERN = 200
"""Marks of a pattern that somebody can read."""
LONGEST = 5.0
"""Seconds of CPU after which a pattern is not waited for."""


def modules(room: str) -> Iterator[ModuleType]:
    """The modules of a room, but for programs; those of the language are apart."""
    package = room.rstrip(".")
    for found in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
        apart = found.name.startswith(LANGUAGE) and room != LANGUAGE
        if not apart and "__main__" not in found.name:
            yield importlib.import_module(found.name)


def called(module: ModuleType) -> dict[str, set[str]]:
    """The methods of patterns that a module calls, by the name that it calls them by."""
    methods = defaultdict[str, set[str]](set)
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            methods[node.value.id] |= {node.attr} & METHODS
    return methods


def within(value: object) -> Iterator[AnyPattern]:
    """The patterns that something is, or is made of."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, tuple | list | dict):
        for one in (*value, *value.values()) if isinstance(value, dict) else value:
            yield from within(one)


def patterns(room: str) -> Iterator[tuple[str, AnyPattern, set[str]]]:
    """The patterns that the modules of a room have made: a place, and the methods that are called.

    One whose calls are not seen, as of a pattern in a table, may be searched for.
    """
    found = dict[int, tuple[str, AnyPattern]]()
    methods = defaultdict[int, set[str]](set)
    for module in modules(room):
        by = called(module)
        for name, value in list(vars(module).items()):
            for one in within(value):
                found.setdefault(id(one), (f"{module.__name__}.{name}", one))
                methods[id(one)] |= by[name]
    for key, (place, one) in found.items():
        yield place, one, methods[key] or {"search"}


def pumped(pattern: str) -> Iterator[Callable[[int], str]]:
    """Texts of any length: a piece again and again, behind a beginning, before an end.

    A piece is a mark or a word of the pattern's own, alone or behind another mark.
    """
    marks = ["a", "1", " ", ",", ":", *sorted(set(re.findall(r"[^\w\s\\?*|]", pattern)))[:12]]
    words = [f"{word} " for word in sorted(set(re.findall(r"[^\W\d_A-Z]{2,}", pattern)))]
    pairs = ["".join(pair) for pair in product(("a", "1"), marks[2:])]
    blanks = [f"{mark} " for mark in marks]
    for piece in dict.fromkeys((*marks, *pairs, *blanks, *words)):
        for head in ("", "x", "x:") if piece in marks else ("",):
            yield (
                lambda length, piece=piece, head=head: (  # type: ignore[misc]
                    (head + piece * (length // len(piece) + 1))[:length] + "\1!"
                )
            )


def reader(pattern: AnyPattern, method: str) -> Callable[[str], object]:
    """A function that applies a method of a pattern to a whole text."""
    call = getattr(pattern, method)
    if isinstance(pattern.pattern, bytes):
        encoded = call
        call = lambda *texts: encoded(*(one.encode("latin-1", "replace") for one in texts))  # noqa: E731
    if method == "sub":
        return lambda text: call("", text)
    return (lambda text: list(call(text))) if method == "finditer" else call


@pytest.mark.parametrize("room", ROOMS)
def test_patterns_take_linear_time(room: str) -> None:
    """On runs of their own marks and words, as an attacker would try."""
    slow = list[str]()

    def time_out(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, time_out)
    try:
        for place, pattern, methods in patterns(room):
            shown = pattern.pattern
            own = shown if isinstance(shown, str) else shown.decode("latin-1")
            for method, text in product(sorted(methods), pumped(own)):
                signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
                try:
                    texts = text(SHORT), text(SHORT * LONGER)
                    too_slow = not is_in_proportion(reader(pattern, method), *texts)
                except TimeoutError:
                    too_slow = True
                if too_slow:
                    slow.append(f"{place}.{method} of {text(20)!r}")
                    break
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    assert not slow, "\n".join(slow)


def test_patterns_are_short() -> None:
    """None has more than 200 characters: phrases are data, in `words/`."""
    found = patterns("mailgate")
    assert [place for place, one, _ in found if len(one.pattern) > LONGEST_PATTERN] == []
