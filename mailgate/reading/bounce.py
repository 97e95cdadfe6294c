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
from mailgate.reading.program_phrases import phrases

MOST = 256 * 1024
"""How much of a report is read, in bytes; what it tells stands before the letter it repeats."""


_STATUS = re.compile(r"(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)")
_GONE = re.compile(r"5\.(?:1\.(?:[1236]|10|351)|2\.1|4\.(?:[14]|310))")
"""Status codes (RFC 3463) for a missing mailbox or domain; Exchange Online uses 5.4.1 for both."""
_NOBODY = phrases("nobody", before=r"\b", after=r"\b")
"""How servers say that a mailbox or a domain does not exist."""
_US = phrases("us", before=r"\b", after=r"\b")
"""How servers refuse the sender, or the letter itself."""
_FULL = re.compile(
    r"(?i)(?<![\d.])(?:4\.\d+|5\.(?:2\.[23]|[36]\.))|\b(?:full|quota|storage|timed out|large)\b"
)
"""How servers say that a mailbox is full, or that they cannot take this letter, or none now."""
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


def is_hard(status: str, words: str = "") -> bool:
    """True if a status code (RFC 3463) or the server's words say that the mailbox does not exist.

    False for a refusal of the sender or of the letter, and for one without a reason.

    >>> is_hard("5.1.1"), is_hard("", "550 unknown user"), is_hard("5.1.0", "550 sender rejected")
    (True, True, False)
    """
    if status.startswith("4") or any(_US.found(words)):
        return False
    return bool(_GONE.fullmatch(status)) or any(_NOBODY.found(words))


def refuses_us(said: str) -> bool:
    """True if a server refused the letter for good, and not for the state of the mailbox."""
    return not (is_hard(_code(said), said) or _FULL.search(said))


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
            return _told(report, failed[0]) if failed else None
        from flufl.bounce import all_failures  # noqa: PLC0415 - only bounces need it, and it is slow

        _, lasting = all_failures(report)
        return _judged("", _below_address(report)) if lasting else None
    except Exception:  # noqa: BLE001 - dozens of forms are tried on what a stranger wrote
        return None


def _failed(fields: Message) -> bool:
    # OpenSMTPD writes "error".
    return str(fields["Action"]).strip().lower().startswith(("fail", "error"))


def _told(report: Message, fields: Message) -> Failure:
    """What a report (RFC 3464, 2.3) says of a recipient."""
    words = str(fields.get("Diagnostic-Code", "")).partition(";")[2] or _below_address(report)
    return _judged(_code(str(fields.get("Status", ""))), words)


def _below_address(report: Message) -> str:
    """The text below the first address of a report: qmail (QSBMF), Yahoo and Exim explain there."""
    text = next((mime.part_text(one) for one in mime.parts(report)), "")
    before = re.split(r"(?m)^--- ?(?:Below|Original|-{3})", text)[0][:4000]
    start = re.search(r"(?m)^\s*<?[^<>@\s]+@[^<>\s:]+>?:?(?=\s)", before)
    return before[start.end() :] if start else ""


def _judged(status: str, words: str) -> Failure:
    """By the server's own words where they say more than the report: Exim's is always 5.0.0."""
    said = _code(words)
    if not status or (said and status.endswith(".0.0")):
        status = said
    told = one_line(words[:600])[:200] or status or "refused for good"
    return Failure(is_hard(status, words[:600]), told)


def _code(text: str) -> str:
    """The enhanced status code in a text, else ""."""
    found = _STATUS.search(text)
    return found[0] if found else ""


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
