"""The id of our letter that a bounce report quotes, where the address that it came to has none.

For mail providers that know no plus-addressing, and servers that report to From. A report quotes
the letter or its header, and there stands our Message-ID, whose unique part nobody can guess. Pure;
raises nothing: what cannot be read names no letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message

from mailgate.reading import mime
from mailgate.reading.bounce import MOST

_UID = re.compile(r"<(?:[0-9A-Za-z-]{18,64}\.)?([0-9A-Fa-f]{16})@([^<>@\s]{1,255})>")
_FIELD = re.compile(r"(?im)^[> \t]{0,8}message-id:\s{0,4}(<[^<>\s]{1,400}>)")
_PARTS = 100


def may_report(automatic: str) -> bool:
    """True where a letter that no person wrote may be a report, by what showed that none did."""
    return automatic in ("null sender", "multipart/report") or automatic.startswith("from ")


def quoted_id(raw: bytes, domain: str) -> str:
    """The Message-ID of ours that a report quotes, in small letters; "" where there is none."""
    try:
        for found in _message_ids(mime.parse_parts(raw[:MOST])):
            uid = _UID.fullmatch(found.strip())
            if uid is not None and uid[2].lower() == domain.lower():
                return uid[0].lower()
    except Exception:  # noqa: BLE001 - whatever a stranger made it of, it names no letter
        return ""
    return ""


def _message_ids(report: Message) -> Iterator[str]:
    """Those of the letters that are quoted whole, then those in texts, then what it answers."""
    parts = [part for _, part in zip(range(_PARTS), report.walk(), strict=False)]
    for part in parts[1:]:
        yield str(part.get("message-id", ""))
    for part in parts:
        if part.get_content_maintype() == "text" and not part.is_multipart():
            yield from _FIELD.findall(mime.part_text(part)[:MOST])
    yield str(report.get("in-reply-to", ""))
