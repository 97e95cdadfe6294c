"""Complaints: reports by mail providers that somebody called a letter of ours unwanted. Pure.

RFC 5965 reports, those that lost their types on the way, and what providers write that know no
such form (Outlook's JMRP: a sentence, and the letter). Raises nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.message import Message

from mailgate.reading import mime
from mailgate.reading.program_phrases import phrases

_REPORT = "message/feedback-report"
_KIND = re.compile(r"(?im)^[> \t]{0,8}feedback-type:[ \t]*([a-z-]+)")
_BESIDE = re.compile(
    r"(?im)^[> \t]{0,8}(?:user-agent|version|source-ip|arrival-date|received-date|incidents"
    r"|original-(?:mail-from|rcpt-to|envelope-id)|reported-(?:domain|uri)|reporting-mta"
    r"|removal-recipient):"
)
_NO_COMPLAINT = ("not-spam", "auth-failure")
"""RFC 6430: it was wanted after all; RFC 6591: somebody forged our address."""
_SUBJECT = phrases("complaint")
_DESK = re.compile(
    r"(?i)(?:.*[-_.+])?(?:abuse|complaints?|feedback(?:loop)?|fbl|arf|jmrp?|scomp|spam|staff"
    r"|postmaster|no-?reply|reports?)(?:[-_.+].*)?@|.*[@.]spamcop\.net$"
)
_ENCLOSED = ("message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers")
_JMRP = "x-hmxmroriginalrecipient"
_MOST = 8000


def complains(letter: Message, headers: Mapping[str, str], sender: str) -> bool:
    """True where a letter says that one of ours was unwanted; `sender` is its author."""
    parts = list(mime.walk(letter))
    said = "\n".join(_said(part) for part in parts)[:_MOST]
    if kind := _KIND.search(said):
        typed = any(part.get_content_type() == _REPORT for part in parts)
        return (typed or bool(_BESIDE.search(said))) and kind[1].lower() not in _NO_COMPLAINT
    if str(letter.get_param("report-type", "")).lower() == "feedback-report":
        return True
    enclosed = [part for part in parts if part.get_content_type() in _ENCLOSED]
    if any(_JMRP in one for part in enclosed for one in _letters(part)):
        return True
    named = any(_SUBJECT.found(headers.get("subject", "")))
    return named and (bool(enclosed) or _DESK.match(sender) is not None)


def _said(part: Message) -> str:
    """The words of a part: a report's fields, or its text."""
    if part.get_content_type() == _REPORT:
        fields = [f"{name}: {value}" for one in _letters(part) for name, value in one.items()]
        return "\n".join(fields) or mime.part_text(part)
    plain = part.get_content_maintype() == "text" and part.get_content_subtype() != "rfc822-headers"
    return mime.part_text(part) if plain and not part.is_multipart() else ""


def _letters(part: Message) -> list[Message]:
    """What a part encloses."""
    payload = part.get_payload()
    return [one for one in payload if isinstance(one, Message)] if isinstance(payload, list) else []
