"""Checks that a letter is from whom it names as its author: by DMARC, or by its envelope.

Pure, and imports nothing of ours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence


def vouched(results: Sequence[str], authserv_id: str, author: str) -> bool:
    """True where our own mail server says that a letter is from the domain of its From.

    `results` are its Authentication-Results (RFC 8601), the topmost first. The topmost that is of
    our server (`authserv_id`; "" for none) counts alone: it is the one that was added last, and
    what stands below it may have come with the letter.

    >>> results = ["mx.example; dmarc=pass header.from=example.org"]
    >>> vouched(results, "mx.example", "bob@example.org")
    True
    >>> vouched(results, "other.example", "bob@example.org")
    False
    """
    if not authserv_id:
        return False
    for field in results:
        first, *found = _comments_out(field).split(";")
        named = first.split()
        if named and named[0].strip('"').casefold() == authserv_id.casefold():
            return any(_dmarc_pass(result, author) for result in found)
    return False


def _dmarc_pass(result: str, author: str) -> bool:
    """True where one result is a DMARC pass, for the author's own domain where it names one."""
    method, *properties = re.sub(r"\s*([=/])\s*", r"\1", result.strip().casefold()).split()[
        :20
    ] or [""]
    if not re.fullmatch(r"dmarc(?:/1)?=pass", method):
        return False
    named = [one.partition("=")[2] for one in properties if one.startswith("header.from=")]
    domain = author.rpartition("@")[2].casefold()
    return all(one.strip('"').rpartition("@")[2] == domain for one in named)


def _comments_out(field: str) -> str:
    """A field without its comments, which may nest, and without what is within quotes."""
    kept, depth, quoted, escaped = [], 0, False, False
    for mark in field:
        if escaped:
            escaped = False
        elif mark == "\\" and (depth or quoted):
            escaped = True
        elif mark == '"' and not depth:
            quoted = not quoted
        elif quoted:
            kept.append(mark if mark not in "; \t\r\n=" else "_")
        elif mark == "(":
            depth += 1
        elif mark == ")" and depth:
            depth -= 1
            kept.append(" ")
        elif not depth:
            kept.append(mark)
    return "".join(kept)


def aligned(author: str, envelope_sender: str) -> bool:
    """True where From and envelope are, or may be, of one organisation (RFC 7489, 3.1: relaxed).

    >>> aligned("bob@example.org", "bounces@mail.example.org")
    True
    >>> aligned("bob@example.org", "eve@example.com")
    False
    """
    one, other = (address.rpartition("@")[2].casefold() for address in (author, envelope_sender))
    return bool(one and other) and (
        one == other or one.endswith(f".{other}") or other.endswith(f".{one}")
    )
