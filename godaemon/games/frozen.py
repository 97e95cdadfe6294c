"""Frozen values with slots, made of one another, several times quicker than `dataclasses.replace`.

A game is read by applying hundreds of events: `tests.benchmarks.letters --moves 100` pays for this.
Nothing is checked: for values whose classes check nothing when they are made.
"""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")
_set = object.__setattr__


def changed(value: T, **changes: object) -> T:
    """Another value, which differs in so much."""
    kind = type(value)
    twin = object.__new__(kind)
    for name in kind.__slots__:  # type: ignore[attr-defined]
        _set(twin, name, changes[name] if name in changes else getattr(value, name))
    return twin


def change(value: object, **changes: object) -> None:
    """Change a value that nobody else has yet."""
    for name, new in changes.items():
        _set(value, name, new)
