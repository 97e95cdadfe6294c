"""The computer from which a mail server of ours got a letter, by its Received field. Pure.

A server that brings us a letter puts its own field on top (RFC 5321, 4.4), so that one alone is
read: all below may have come with the letter. Raises nothing.
"""

from __future__ import annotations

import ipaddress
import re

_MOST = 8192
_FIELD = re.compile(rb"(?:^|\r\n)Received:((?:[^\r]|\r\n[ \t])*)", re.IGNORECASE)
_FROM = re.compile(r"\s*from\s+(\S+)\s*(?:\(([^()]*))?", re.IGNORECASE)
_SAID = re.compile(r"(?i)helo=\S*")
"""What the client calls itself, where Exim writes it."""
_LITERAL = re.compile(r"\[(?:ipv6:)?([0-9a-f.:]+)\]", re.IGNORECASE)


def client_of(raw: bytes) -> str:
    """The address in the topmost Received of a letter; "" where there is none to be believed.

    >>> client_of(b"Received: from [9.9.9.9] (mx.example [192.0.2.7]) by go.example; now")
    '192.0.2.7'
    """
    head = raw[:_MOST].partition(b"\r\n\r\n")[0]
    field = _FIELD.search(head)
    found = _FROM.match(field[1].decode("ascii", "replace")) if field else None
    if found is None:
        return ""
    comment = _SAID.sub("", found[2] or "")
    # In the comment stands what the server saw; before it, with Postfix, what the client said.
    literals = _LITERAL.findall(comment) or _plain(comment) or _LITERAL.findall(found[1])
    return _address(literals[-1]) if literals else ""


def _plain(comment: str) -> list[str]:
    """An address without brackets, as Exchange writes it."""
    return [word for word in comment.split() if _address(word)]


def _address(text: str) -> str:
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        return ""
