"""Words, written as one text: sets of them, and tables. Pure."""

from __future__ import annotations


def words_of(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


def letters_of(table: str) -> dict[str, str]:
    """The letter that stands for each word of a table, whose rows are a letter and words each.

    >>> letters_of("U day days | m move")
    {'day': 'U', 'days': 'U', 'move': 'm'}
    """
    rows = (row.split() for row in table.replace("|", "\n").strip().split("\n"))
    return {word: letter for letter, *words in rows for word in words}
