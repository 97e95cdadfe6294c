"""The line ends of a letter, made what RFC 5321 has them be. Pure; raises nothing."""

from __future__ import annotations

import re

_LINE_END = re.compile(rb"\r\n|\r|\n")
_BARE = re.compile(rb"\r(?!\n)|(?<!\r)\n")


def crlf_only(raw: bytes) -> bytes:
    r"""A letter in which every line ends in CR LF, as RFC 5321, 2.3.8 has it.

    A bare CR or LF among the header fields becomes a space: servers before us saw one field there,
    and may have judged it as one. In the body it ends a line. A letter without a single empty line
    that ends in CR LF comes from a program that knows no CR LF: all its lines end as it meant.

    >>> crlf_only(b"Subject: a\nX: b\r\n\r\nD4\nE5\r\n")
    b'Subject: a X: b\r\n\r\nD4\r\nE5\r\n'
    """
    if not _BARE.search(raw):
        return raw
    head, gap, body = raw.partition(b"\r\n\r\n")
    if not gap:
        return _LINE_END.sub(b"\r\n", raw)
    return _BARE.sub(b" ", head) + gap + _LINE_END.sub(b"\r\n", body)
