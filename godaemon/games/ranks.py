"""Ranks as players state them: `5k`, `2d`, and what they say of themselves beside. Pure.

>>> rank_of("5 kyu, Berlin"), within("6k", "8k-5k"), within("1d", "8k-5k"), within("", "8k-5k")
('5k', True, False, False)
"""

from __future__ import annotations

import re

from godaemon.texts.catalogue import told

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
    weak, strong = sorted((strength(low), strength(high or low))) if span else (0, 0)
    return not span or (bool(rank) and weak <= strength(rank) <= strong)


def in_words(rank: str) -> str:
    """`5 kyu`, `2 dan`."""
    return told("kyu" if rank[-1] == "k" else "dan", rank=rank[:-1])


def strength(rank: str) -> int:
    """A rank as a number of stones: 0 for 1 dan, -1 for 1 kyu."""
    number = int(rank[:-1])
    return -number if rank[-1] == "k" else number - 1


def rank_at(stones: int) -> str:
    """The rank of a strength, from 30 kyu to 9 dan.

    >>> rank_at(strength("5k")), rank_at(12), rank_at(-44)
    ('5k', '9d', '30k')
    """
    return f"{min(stones, 8) + 1}d" if stones >= 0 else f"{min(-stones, 30)}k"
