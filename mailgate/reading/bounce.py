"""Bounce reports: whether one of our letters was refused for good, for now, or not at all.

Pure; imports the parser of parts. RFC 3464 reports, and the forms that many servers have of their
own, are read with flufl.bounce; whose letter it was says the address to which it came, not its
text. Raises nothing: what cannot be read tells nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_string
from email.message import Message

from mailgate.address import one_line
from mailgate.reading import mime

MOST = 256 * 1024
"""How much of a report is read, in bytes; what it tells stands before the letter it repeats."""

_STATUS = re.compile(r"(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)")
_CODE = re.compile(r"(?<![\d.])([45]\d\d)(?=[ :-])")
_BASIC = {"422": "4.2.2", "452": "4.2.2", "552": "5.2.2"}
_PASSING = re.compile(r"5\.(?:1\.[78]|2\.[23]|3\.|4\.7|6\.|7\.)")
"""What is called permanent and still says nothing against the address: we were not believed, its
box is full, our letter is too long or in letters that a server does not know, or could not be
handed over for days. 5.4.1 is none: Exchange Online says it of people whom it does not have."""
_GLOBAL = "message/global-delivery-status"
_REPORTS = ("message/delivery-status", _GLOBAL)
"""RFC 3464, and RFC 6533 for addresses beyond ASCII."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A letter of ours that came back, and will not arrive any more."""

    hard: bool
    """Whether it says that nobody can be reached there."""
    said: str
    """In the words of the report, on one line."""


def is_hard(status: str) -> bool:
    """True where an enhanced status code (RFC 3463) says that there is no such mailbox."""
    return status.startswith("5.") and not _PASSING.match(status)


def failure(raw: bytes) -> Failure | None:
    """What a report says, or None for any other letter.

    That is an answering machine's, for example; or a report that a letter is late, has arrived, or
    has been passed on (RFC 3464, 2.3.3): none of them says that it will not arrive.
    """
    try:
        report = mime.parse_parts(raw[:MOST])
        blocks = list(_recipients(report))
        if blocks:
            failed = [one for one in blocks if _failed(one)]
            return _told(failed[0]) if failed else None
        from flufl.bounce import all_failures  # noqa: PLC0415 - only bounces need it, and it is slow

        _, lasting = all_failures(report)
        return _guessed(report) if lasting else None
    except Exception:  # noqa: BLE001 - dozens of forms are tried on what a stranger wrote
        return None


def _failed(fields: Message) -> bool:
    # OpenSMTPD writes "error".
    return str(fields["Action"]).strip().lower().startswith(("fail", "error"))


def _told(fields: Message) -> Failure:
    """What a report (RFC 3464, 2.3) says of a recipient."""
    status = str(fields.get("Status", ""))
    words = str(fields.get("Diagnostic-Code", "")).partition(";")[2] or status
    return _judged(_code(status), words)


def _guessed(report: Message) -> Failure:
    """The same of a report in words: qmail's, for example (QSBMF), or Yahoo's."""
    text = next((mime.part_text(one) for one in mime.parts(report)), "")
    before = re.split(r"(?m)^--- ?(?:Below|Original|-{5})", text)[0][:4000]
    start = re.search(r"<[^<>@\s]+@[^<>\s]+>:", before)
    return _judged("", before[start.end() :] if start else "")


def _judged(status: str, words: str) -> Failure:
    """By the server's own words where they say more than the report: Exim's is always 5.0.0."""
    said = _code(words)
    if not status or (said and status.endswith(".0.0")):
        status = said
    return Failure(not status or is_hard(status), one_line(words[:600])[:200] or "refused for good")


def _code(text: str) -> str:
    """The enhanced status code in a text, else what its plain one mostly means, else ""."""
    if found := _STATUS.search(text):
        return found[0]
    plain = _CODE.search(text)
    return _BASIC.get(plain[1], "") if plain else ""


def _recipients(report: Message) -> Iterator[Message]:
    """What a report says of each recipient: its blocks that have an action."""
    for part in report.walk():
        kind, said = part.get_content_type(), part.get_payload()
        if kind not in _REPORTS or not isinstance(said, list):
            continue
        blocks = [one for one in said if isinstance(one, Message)]
        if kind == _GLOBAL:  # the parser knows it for a letter only
            blocks = [
                message_from_string(text + "\n\n")
                for one in blocks
                for text in re.split(r"\n\n+", one.as_bytes().decode("utf-8", "replace"))
            ]
        yield from (one for one in blocks if "Action" in one)
