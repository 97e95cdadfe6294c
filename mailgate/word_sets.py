"""Sets of words, written as one text. Pure."""

from __future__ import annotations


def words_of(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())
