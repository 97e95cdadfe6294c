"""Ranks as players state them: `5k`, `2d`, and what they say of themselves beside. Pure.

>>> rank_of("5 kyu, Berlin"), within("6k", "8k-5k"), within("1d", "8k-5k"), within("", "8k-5k")
('5k', True, False, False)
"""

from __future__ import annotations

import re

_RANK = re.compile(r"(?i)([1-9]\d?) ?-?(k|d)(?:yu|an)?")


def read_rank(text: str) -> str:
    """A rank from 30 kyu to 9 dan, in short; "" for anything else.

    >>> read_rank("5 Kyu"), read_rank("2d"), read_rank("12 dan")
    ('5k', '2d', '')
    """
    found = _RANK.fullmatch(text.strip())
    if found is None:
        return ""
    number, kind = int(found[1]), found[2].casefold()
    return f"{number}{kind}" if number <= (30 if kind == "k" else 9) else ""


def rank_of(line: str) -> str:
    """The rank in what somebody says of themselves."""
    return read_rank(line.partition(",")[0])


def within(rank: str, span: str) -> bool:
    """True for a rank in a span of two, or where there is no span."""
    low, _, high = span.partition("-")
    weak, strong = sorted((_strength(low), _strength(high or low))) if span else (0, 0)
    return not span or (bool(rank) and weak <= _strength(rank) <= strong)


def in_words(rank: str) -> str:
    """`5 kyu`, `2 dan`."""
    return f"{rank[:-1]} {'kyu' if rank[-1] == 'k' else 'dan'}"


def _strength(rank: str) -> int:
    number = int(rank[:-1])
    return -number if rank[-1] == "k" else number - 1
