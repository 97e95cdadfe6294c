"""The recipients that a letter's header names, for what brings no envelope, or not all of it.

Pure; believes nothing: it chooses by headers that anybody can write, but only among our own
addresses, as SMTP does. Raises nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from email.parser import BytesHeaderParser
from email.policy import compat32

from mailgate import tokens

__all__ = ["RECIPIENT_FIELDS", "header_fields", "mailboxes", "recipients", "tagged_recipients"]

RECIPIENT_FIELDS = (
    *("delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "x-delivered-to"),
    *("x-gm-original-to", "apparently-to", "to", "cc", "resent-to"),
)
"""Where mail servers write whom a letter is for, the surest first."""

MOST_ADDRESSES = 200
"""How many addresses of one letter are looked at."""

_ADDRESS = re.compile(r"[^\s<>,;:\"()\[\]]{1,64}@[^\s<>,;:\"()\[\]@]{1,255}")
_QUOTED = re.compile(r'"[^"]*"')
_END = re.compile(rb"\r?\n\r?\n")
_MOST_HEAD = 256 * 1024
"""Bytes of header fields, in a letter whose recipients are looked for."""


def tagged_recipients(raw: bytes, address: str) -> list[str]:
    """The addresses of ours with a well-formed token that a letter's To and Cc name."""
    head = raw[:_MOST_HEAD]
    end = _END.search(head)
    if end is None and len(raw) > _MOST_HEAD:
        return []  # no mail program writes so much, and to read it would keep others waiting
    fields = header_fields(head[: end.start() if end else len(head)])
    written = {name: fields.get(name, []) for name in ("to", "cc")}
    return [one for one in recipients(written) if tokens.token_of(one, address)]


def header_fields(headers: bytes) -> dict[str, list[str]]:
    """All values of each field, by lower-case names, in their order."""
    fields: dict[str, list[str]] = {}
    for name, value in BytesHeaderParser(policy=compat32).parsebytes(headers).raw_items():
        fields.setdefault(name.lower(), []).append(" ".join(str(value).split()))
    return fields


def recipients(fields: Mapping[str, Sequence[str]]) -> list[str]:
    """All addresses in the fields that name recipients, the surest first."""
    found: list[str] = []
    for name in RECIPIENT_FIELDS:
        for value in fields.get(name, ()):
            found.extend(mailboxes(_QUOTED.sub("", value)))
        if len(found) >= MOST_ADDRESSES:
            break
    return found[:MOST_ADDRESSES]


def mailboxes(value: str) -> list[str]:
    """What looks like a mail address in a field."""
    return _ADDRESS.findall(value)
