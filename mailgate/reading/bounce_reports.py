"""Reports about our letters: bounces, and complaints that a letter was unwanted.

Raises nothing: an unreadable report counts as none. flufl.bounce reads RFC 3464 reports and many
servers' own formats. Complaints are RFC 5965 reports, with or without their media types, and
Outlook's JMRP (a sentence, and the letter).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email import message_from_string
from email.message import Message
from itertools import islice

from mailgate.address import one_line
from mailgate.reading import mime
from mailgate.reading.program_phrases import phrases

MAX_REPORT = 256 * 1024
"""Bytes of a report that are read; the report is above the letter that it repeats."""
_STATUS = re.compile(r"(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)")
_NO_SUCH_MAILBOX = re.compile(r"5\.(?:1\.(?:[1236]|10|351)|2\.1|4\.(?:[14]|310))")
"""Status codes (RFC 3463) for a missing mailbox or domain; Exchange Online uses 5.4.1 for both."""
_NO_MAILBOX_WORDS = phrases("nobody", before=r"\b", after=r"\b")
"""How servers say that a mailbox or a domain does not exist."""
_SENDER_REFUSED = phrases("us", before=r"\b", after=r"\b")
"""How servers refuse the sender, or the letter itself."""
_OTHER_TROUBLE = re.compile(
    r"(?i)(?<![\d.])(?:4\.\d+|5\.(?:2\.[23]|[36]\.))|\b(?:full|quota|storage|timed out|large)\b"
)
"""How servers say that a mailbox is full, that a letter is too large, or that it timed out."""
_GLOBAL = "message/global-delivery-status"
_REPORTS = ("message/delivery-status", _GLOBAL)  # RFC 3464, and RFC 6533 for addresses beyond ASCII


@dataclass(frozen=True, slots=True)
class Failure:
    """A letter of ours that came back and will not arrive."""

    hard: bool  # whether the mailbox or domain does not exist
    words: str  # the report's own, on one line


def is_hard(status: str, words: str = "") -> bool:
    """True if a status code (RFC 3463) or the server's words say that the mailbox does not exist.

    False for a refusal of the sender or of the letter, and for one without a reason.

    >>> is_hard("5.1.1"), is_hard("", "550 unknown user"), is_hard("5.1.0", "550 sender rejected")
    (True, True, False)
    """
    if status.startswith("4") or any(_SENDER_REFUSED.find_all(words)):
        return False
    return bool(_NO_SUCH_MAILBOX.fullmatch(status)) or any(_NO_MAILBOX_WORDS.find_all(words))


def is_refusal_of_us(words: str) -> bool:
    """True if a server refused us or the letter, and not because of the mailbox."""
    return not (is_hard(_find_code(words), words) or _OTHER_TROUBLE.search(words))


def find_failure(raw: bytes) -> Failure | None:
    """The failure in a report; None for any other letter.

    Reports that a letter is late, has arrived or was passed on (RFC 3464, 2.3.3) have no failure.
    """
    try:
        report = mime.parse_parts(raw[:MAX_REPORT])
        for fields in (blocks := list(_recipients(report))):
            # OpenSMTPD writes "error".
            if str(fields["Action"]).strip().lower().startswith(("fail", "error")):
                diagnosis = str(fields.get("Diagnostic-Code", "")).partition(";")[2]
                status = _find_code(str(fields.get("Status", "")))
                return _choose_failure(status, diagnosis or _text_below_address(report))
        if blocks:
            return None
        from flufl.bounce import all_failures  # noqa: PLC0415 - only bounces need it, and it is slow

        _, failures = all_failures(report)
        return _choose_failure("", _text_below_address(report)) if failures else None
    except Exception:  # noqa: BLE001 - dozens of parsers run on a stranger's letter
        return None


def _text_below_address(report: Message) -> str:
    """The text below the first address, where qmail (QSBMF), Yahoo and Exim give the reason."""
    text = next((mime.part_text(one) for one in mime.parts(report)), "")
    before = re.split(r"(?m)^--- ?(?:Below|Original|-{3})", text)[0][:4000]
    start = re.search(r"(?m)^\s*<?[^<>@\s]+@[^<>\s:]+>?:?(?=\s)", before)
    return before[start.end() :] if start else ""


def _choose_failure(status: str, words: str) -> Failure:
    """The server's own words, if they say more than the report: Exim's is always 5.0.0."""
    code = _find_code(words)
    if not status or (code and status.endswith(".0.0")):
        status = code
    quote = one_line(words[:600])[:200] or status or "refused for good"
    return Failure(is_hard(status, words[:600]), quote)


def _find_code(text: str) -> str:
    found = _STATUS.search(text)
    return found[0] if found else ""


def _recipients(report: Message) -> Iterator[Message]:
    """The blocks about each recipient: those with an action."""
    for part in report.walk():
        kind = part.get_content_type()
        blocks = mime.parts_within(part) if kind in _REPORTS else []
        if kind == _GLOBAL:  # Python's parser takes it for a letter
            blocks = [
                message_from_string(text + "\n\n")
                for one in blocks
                for text in re.split(r"\n\n+", one.as_bytes().decode("utf-8", "replace"))
            ]
        yield from (one for one in blocks if "Action" in one)


_UID = re.compile(r"<(?:[0-9A-Za-z-]{18,64}\.)?([0-9A-Fa-f]{16})@([^<>@\s]{1,255})>")
_FIELD = re.compile(r"(?im)^[> \t]{0,8}message-id:\s{0,4}(<[^<>\s]{1,400}>)")
_PARTS = 100


def may_report(automatic: str) -> bool:
    """True if a letter with this sign of an automatic one may be a report."""
    return automatic in ("null sender", "multipart/report") or automatic.startswith("from ")


def find_quoted_id(raw: bytes, domain: str) -> str:
    """The Message-ID of ours that a report quotes, in lower case; "" if there is none."""
    try:
        for found in _message_ids(mime.parse_parts(raw[:MAX_REPORT])):
            uid = _UID.fullmatch(found.strip())
            if uid is not None and uid[2].lower() == domain.lower():
                return uid[0].lower()
    except Exception:  # noqa: BLE001 - a stranger wrote it, in any form
        return ""
    return ""


def _message_ids(report: Message) -> Iterator[str]:
    """The Message-IDs of quoted letters, then those in texts, then In-Reply-To."""
    parts = [*islice(report.walk(), _PARTS)]
    for part in parts[1:]:
        yield str(part.get("message-id", ""))
    for part in parts:
        if part.get_content_maintype() == "text" and not part.is_multipart():
            yield from _FIELD.findall(mime.part_text(part)[:MAX_REPORT])
    yield str(report.get("in-reply-to", ""))


_REPORT = "message/feedback-report"
_KIND = re.compile(r"(?im)^[> \t]{0,8}feedback-type:[ \t]*([a-z-]+)")
_FIELDS = re.compile(
    r"(?im)^[> \t]{0,8}(?:user-agent|version|source-ip|arrival-date|received-date|incidents"
    r"|original-(?:mail-from|rcpt-to|envelope-id)|reported-(?:domain|uri)|reporting-mta"
    r"|removal-recipient):"
)
_NO_COMPLAINT = ("not-spam", "auth-failure")
"""RFC 6430: the letter was wanted after all; RFC 6591: somebody forged our address."""
_SUBJECT = phrases("complaint")
_DESK = re.compile(
    r"(?i)(?:.*[-_.+])?(?:abuse|complaints?|feedback(?:loop)?|fbl|arf|jmrp?|scomp|spam|staff"
    r"|postmaster|no-?reply|reports?)(?:[-_.+].*)?@|.*[@.]spamcop\.net$"
)
_ENCLOSED = ("message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers")
_JMRP = "x-hmxmroriginalrecipient"
_MAX_COMPLAINT = 8000


def is_complaint(letter: Message, headers: Mapping[str, str], sender: str) -> bool:
    """True if a letter says that one of ours was unwanted; `sender` is its author."""
    parts = list(mime.walk(letter))
    text = "\n".join(_text_of(part) for part in parts)[:_MAX_COMPLAINT]
    if kind := _KIND.search(text):
        has_type = any(part.get_content_type() == _REPORT for part in parts)
        return (has_type or bool(_FIELDS.search(text))) and kind[1].lower() not in _NO_COMPLAINT
    if str(letter.get_param("report-type", "")).lower() == "feedback-report":
        return True
    enclosed = [part for part in parts if part.get_content_type() in _ENCLOSED]
    if any(_JMRP in one for part in enclosed for one in mime.parts_within(part)):
        return True
    has_subject = any(_SUBJECT.find_all(headers.get("subject", "")))
    return has_subject and (bool(enclosed) or _DESK.match(sender) is not None)


def _text_of(part: Message) -> str:
    if part.get_content_type() == _REPORT:
        fields = [field for one in mime.parts_within(part) for field in one.items()]
        return "\n".join(map(": ".join, fields)) or mime.part_text(part)
    plain = part.get_content_maintype() == "text" and part.get_content_subtype() != "rfc822-headers"
    return mime.part_text(part) if plain and not part.is_multipart() else ""
