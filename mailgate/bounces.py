"""What a letter says that tells us of one of ours: refused for good, for now, or not at all.

Pure; imports the parser of parts. RFC 3464 reports, and the forms that many servers have of their
own, are read with flufl.bounce; whose letter it was says the address to which it came, not its
text. Raises nothing: what cannot be read tells nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message

from flufl.bounce import all_failures

from mailgate import mime

__all__ = ["Failure", "failure", "is_hard"]

MOST = 256 * 1024
"""How much of a report is read, in bytes; what it tells stands before the letter it repeats."""

_STATUS = re.compile(r"[245]\.\d{1,3}\.\d{1,3}")
_PASSING = re.compile(r"5\.(?:2\.[23]|3\.|4\.[17]|7\.)")
"""What is called permanent and still says nothing against the address: its box is full, our letter
is too long, a server could not be asked for days, or took us for something that we are not."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a letter came back."""

    hard: bool
    """Whether it says that nobody can be reached there."""
    said: str
    """In the words of the report, on one line."""


def is_hard(status: str) -> bool:
    """Whether an enhanced status code (RFC 3463) says that there is no such mailbox."""
    return status.startswith("5.") and not _PASSING.match(status)


def failure(raw: bytes) -> Failure | None:
    """What a report says, or None for any other letter (an answering machine's, for example)."""
    try:
        report = mime.parse_parts(raw[:MOST])
        passing, lasting = all_failures(report)
        if not passing and not lasting:
            return None
        status, said = _told(report)
    except Exception:  # noqa: BLE001 - dozens of forms are tried on what a stranger wrote
        return None
    hard = bool(lasting) and not (status and not is_hard(status))
    return Failure(hard, said or ("refused for good" if hard else "put off"))


def _told(report: Message) -> tuple[str, str]:
    """The status and the words for the first recipient that a report (RFC 3464, 2.3) names."""
    for fields in _recipients(report):
        status = _STATUS.search(str(fields.get("Status", "")))
        words = str(fields.get("Diagnostic-Code", "")).partition(";")[2] or str(
            fields.get("Status", "")
        )
        plain = " ".join("".join(m if m.isprintable() else " " for m in words[:600]).split())
        return status[0] if status else "", plain[:200]
    return "", ""


def _recipients(report: Message) -> Iterator[Message]:
    for part in report.walk():
        if part.get_content_type() == "message/delivery-status" and part.is_multipart():
            blocks = [one for one in part.get_payload() if isinstance(one, Message)]
            yield from (one for one in blocks if "Action" in one)
