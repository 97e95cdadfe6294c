"""The author of a letter: the mailbox in From; where several stand there, the one in Sender.

Pure; raises nothing. Comments, quotes and encoded words (RFC 5322, 3.2.2 and 3.4; RFC 2047) are a
mailbox's name at the most; where two programs could see two authors, there is none.
"""

from __future__ import annotations

import re

from godaemon.errors import Unreadable
from mailgate.address import Address, clean_name, parse_address
from mailgate.reading.mime import header_words

_PIECE = re.compile(
    r"=\?[^?\s]{1,60}\?[bqBQ]\?[^?]{0,900}\?=|\"(?:[^\"\\]|\\.)*+\"|<[^<>]*+>|[(),]|[^\"<(),]++|.",
    re.DOTALL,
)
"""An encoded word, whatever marks are in it; a quoted string, an angled address, a mark, text."""
_IN_COMMENT = re.compile(r"\\.|[()]|[^\\()]++|.", re.DOTALL)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*+)"', re.DOTALL)


def author(from_field: str, sender_field: str) -> tuple[Address | None, bool]:
    """Who wrote a letter, and whether From names several (RFC 5322, 3.6.2: then Sender decides).

    >>> author("Bob (at home) <bob@example.org>", "")
    (Address(address='bob@example.org', name='Bob'), False)
    >>> author("bob@example.org, al@example.org", "Al <al@example.org>")
    (Address(address='al@example.org', name='Al'), True)
    """
    found = _mailboxes(from_field)
    several = len(found) > 1
    if several:
        found = _mailboxes(sender_field)
    return (_address(found[0]) if len(found) == 1 else None), several


def addresses(*fields: str) -> tuple[str, ...]:
    """The addresses in fields that may name several, such as To."""
    mailboxes = (one for field in fields for one in _mailboxes(field))
    return tuple(found.address for found in map(_address, mailboxes) if found is not None)


def _mailboxes(value: str) -> list[list[str]]:
    """The pieces of each mailbox of a field; a comma before any address is one in a name."""
    found: list[list[str]] = [[]]
    at, addressed = 0, False
    while at < len(value) and (piece := _PIECE.match(value, at)):
        at, text = piece.end(), piece[0]
        if text == "(":
            at = _comment_end(value, at)
            text = value[piece.start() : at]
        if text == "," and addressed:
            found.append([])
            addressed = False
        else:
            found[-1].append(text)
            addressed |= "@" in text and text[0] not in '"('
    return [pieces for pieces in found if "".join(pieces).strip()]


def _comment_end(value: str, start: int) -> int:
    """Where a comment ends, in which others may nest."""
    depth = 1
    for piece in _IN_COMMENT.finditer(value, start):
        depth += {"(": 1, ")": -1}.get(piece[0], 0)
        if not depth:
            return piece.end()
    return len(value)


def _address(pieces: list[str]) -> Address | None:
    """The address that the pieces of a mailbox make, with its name cleaned; None for none."""
    written = "".join(one for one in pieces if one[0] != "(").strip()
    name, angle, _ = written.rpartition("<") if written.endswith(">") else ("", "", "")
    if "<" in _QUOTED.sub("", name):
        return None
    try:  # blanks may stand around the @ (RFC 5322, 3.4.1)
        found = parse_address("@".join(map(str.strip, written.removeprefix(name).split("@"))))
    except Unreadable:
        return None
    comments = [one[1:].removesuffix(")") for one in pieces if one[0] == "("]
    plain = _QUOTED.sub(r"\1", name) if angle else ""
    return Address(found.address, clean_name(header_words(plain.strip() or " ".join(comments))))
