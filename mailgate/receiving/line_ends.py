"""The line ends of a letter, made what RFC 5321 has them be. Pure; raises nothing."""

from __future__ import annotations

import re

_BARE = re.compile(rb"\r(?!\n)|(?<!\r)\n")


def crlf_only(raw: bytes) -> bytes:
    r"""A letter in which every line ends in CR LF, as RFC 5321, 2.3.8 has it.

    A bare CR or LF among the header fields becomes a space: servers before us saw one field there,
    and may have judged it as one. In the body it ends a line. A letter without a single empty line
    that ends in CR LF comes from a program that knows no CR LF: all its lines end as it meant.

    >>> crlf_only(b"Subject: a\nX: b\r\n\r\nD4\nE5\r\n")
    b'Subject: a X: b\r\n\r\nD4\r\nE5\r\n'
    """
    # Counted and replaced, not searched for: nobody else is served while a megabyte is looked at.
    if raw.count(b"\r\n") == raw.count(b"\r") == raw.count(b"\n"):
        return raw
    head, gap, body = raw.partition(b"\r\n\r\n")
    return _BARE.sub(b" ", head) + gap + _ended(body) if gap else _ended(raw)


def _ended(lines: bytes) -> bytes:
    return lines.replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\n", b"\r\n")
