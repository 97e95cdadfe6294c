"""Checks of a letter's author, by DMARC or by its envelope. Raises nothing."""

import re
from collections.abc import Sequence
from enum import Enum, auto

from godaemon.errors import Unreadable
from mailgate.address import normal_domain

MAX_FIELD = 20_000
"""Characters of an Authentication-Results field that are read; a longer one is a failure."""
_SIGNATURE = re.compile(rb"(?im)^dkim-signature[ \t]*+:(.*(?:\n[ \t].*)*+)")


class Verdict(Enum):
    """The verdict of our own mail server on the author of a letter, by DMARC (RFC 7489)."""

    PASS = auto()
    FAIL = auto()
    NONE = auto()  # none, or unknown: no policy, trouble with DNS


def dmarc_verdict(
    results: Sequence[str], authserv_id: str, author: str, *, several: bool = False
) -> Verdict:
    """The verdict of our own mail server on whether a letter is from the domain in its From.

    `results` are its Authentication-Results (RFC 8601), the topmost first. Only the topmost one of
    our server (`authserv_id`; "" for none) counts: it was added last, and those below it may have
    come with the letter. A failure counts beside a pass, and whatever the domain's policy is. A
    field without a clear end is a failure, because our server would not write one. A From with
    `several` authors cannot pass (RFC 7489, 6.6.1).

    >>> results = ["mx.example; dmarc=pass header.from=example.org"]
    >>> dmarc_verdict(results, "mx.example", "bob@example.org")
    <Verdict.PASS: 1>
    >>> dmarc_verdict(results, "other.example", "bob@example.org")
    <Verdict.NONE: 3>
    """
    ours = [one for one in results if authserv_id and _is_of(one, authserv_id)]
    if not ours:
        return Verdict.NONE
    plain, has_ends = _strip_comments(ours[0])
    found = {_read_verdict(result, author) for result in plain.split(";")[1:]}
    if not has_ends or len(ours[0]) >= MAX_FIELD or Verdict.FAIL in found:
        return Verdict.FAIL
    if Verdict.PASS in found:
        return Verdict.NONE if several else Verdict.PASS
    return Verdict.FAIL if several else Verdict.NONE


def _is_of(field: str, authserv_id: str) -> bool:
    """True if the field names our server, which must remove forged fields."""
    server = [*field.partition(";")[0].split(), ""][0]
    return server.isascii() and server.lower() == authserv_id.lower()


def _read_verdict(result: str, author: str) -> Verdict:
    """The verdict of one result; a pass counts only for the author's own domain."""
    method, *properties = re.sub(r"\s*([=/])\s*", r"\1", result.strip().casefold()).split() or [""]
    found = re.fullmatch(r"dmarc(?:/\d+)?=(pass|fail)", method)
    if found is None or found[1] == "fail":
        return Verdict.FAIL if found else Verdict.NONE
    values = [one.partition("=")[2] for one in properties if one.startswith("header.from=")]
    domains = {_normalize(one.strip('"').rpartition("@")[2]) for one in values}
    return Verdict.PASS if domains == {_normalize(author.rpartition("@")[2])} else Verdict.NONE


def _normalize(text: str) -> str:
    """The domain in normal form; anything else unchanged."""
    try:
        return normal_domain(text)
    except Unreadable:
        return text.casefold()


def _strip_comments(field: str) -> tuple[str, bool]:
    """A field without its nested comments and quotes, and whether each of them has an end."""
    marks, depth, quoted, escaped = [], 0, False, False
    for mark in field:
        if escaped:
            escaped = False
        elif mark == "\\" and (depth or quoted):
            escaped = True
        elif mark == '"' and not depth:
            quoted = not quoted
        elif quoted:
            marks.append(mark if mark not in "; \t\r\n=" else "_")
        elif mark == "(":
            depth += 1
        elif mark == ")" and depth:
            depth -= 1
            marks.append(" ")
        elif not depth:
            marks.append(mark)
    return "".join(marks), not (depth or quoted)


def signed_fields(raw: bytes) -> list[str]:
    """The fields of To and Cc that all signatures cover, with Date (RFC 6376, 3.5)."""
    signatures = ["".join(one.decode("latin-1").lower().split()) for one in _SIGNATURE.findall(raw)]
    signed = [":".join(re.findall(r"(?:^|;)h=([^;]*)", one)).split(":") for one in signatures]
    return [name for name in ("to", "cc") if all({name, "date"} <= {*one} for one in signed)]


def is_aligned(author: str, envelope_sender: str) -> bool:
    """True if From and envelope are, or may be, of one organisation (RFC 7489, 3.1: relaxed).

    >>> is_aligned("bob@example.org", "bounces@mail.example.org")
    True
    >>> is_aligned("bob@example.org", "eve@example.com")
    False
    """
    one, other = (address.rpartition("@")[2].casefold() for address in (author, envelope_sender))
    within = f".{one}".endswith(f".{other}") or f".{other}".endswith(f".{one}")
    return bool(one and other) and within
