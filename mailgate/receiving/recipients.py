"""The recipients of a letter among our own addresses, by its envelope and by its header.

Pure; believes nothing: it chooses by headers that anybody can write, but only among our own
addresses. Raises nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.parser import BytesHeaderParser
from email.policy import compat32

from mailgate import tokens

_RECIPIENT_FIELDS = (
    *("delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "x-delivered-to"),
    *("x-gm-original-to", "apparently-to", "to", "cc", "resent-to"),
)
"""Where mail servers write whom a letter is for, the surest first."""

_MOST_ADDRESSES = 200
"""How many addresses of one letter are looked at."""

HEADERS = (
    *("return-path", *_RECIPIENT_FIELDS, "from", "message-id", "in-reply-to", "references"),
    *("x-godaemon-notice", "x-godaemon-game"),
)
"""The fields by which it is told whether a letter is ours."""

_ID = re.compile(r"<([!-;=?-~]{1,250})@([!-;=?-~]{1,250})>")
_ADDRESS = re.compile(r"(?:\"[^\s\"]{1,64}\"|[^\s<>,;:\"()\[\]]{1,64})@[^\s<>,;:\"()\[\]@]{1,255}")
_QUOTED = re.compile(r'"[^"]*"(?!@)')
_END = re.compile(rb"\r?\n\r?\n")
_MOST_HEAD = 256 * 1024
"""Bytes of header fields, in a letter whose recipients are looked for."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """To whom of us a letter came, and from where it was sent; `sender` "" is a bounce."""

    recipient: str
    sender: str
    message_id: str


def is_postmaster(recipient: str, *addresses: str) -> bool:
    """True for the postmaster of our domain (RFC 5321, 4.1.1.3: in any case), and abuse (RFC 2142).

    Of any domain of ours. Where one of these is our own address, letters to it are ours.
    """
    local, at, domain = recipient.strip("<>").lower().rpartition("@")
    if not at:
        return domain == "postmaster"
    ours = {one.lower().rpartition("@")[2] for one in addresses}
    named = local in ("postmaster", "abuse") and domain in ours
    return named and not any(recipient.strip("<>").lower() == one.lower() for one in addresses)


def distinct_recipients(recipients: Sequence[str], *addresses: str) -> list[str]:
    """The recipients as one is meant who replies to all: nothing is done twice.

    Of several addresses of one seat the newest counts, our plain address beside none, and of
    several plain ones the first.
    """
    tags = {one: tokens.token_of(one, *addresses) for one in recipients}
    some = any(tags.values())
    newest: dict[object, str] = {}
    for one, tag in sorted(tags.items(), key=lambda item: _age(item[1])):
        if tag or is_postmaster(one, *addresses):
            newest[_seat(tag) or one.casefold()] = one
        elif not some:
            newest.setdefault("plain", one)
    return [one for one in tags if one in newest.values()]


def recipient_meant(recipient: str, raw: bytes, *addresses: str) -> str:
    """The recipient of a letter: for a plain address of ours the newest that has a token.

    OpenSMTPD and others bring it once for each recipient, and so know of no reply to all.
    """
    if is_postmaster(recipient, *addresses) or tokens.token_of(recipient, *addresses):
        return recipient
    age = {one: _age(tokens.token_of(one, *addresses)) for one in _tagged(raw, addresses)}
    return max(age, key=lambda one: age[one], default=recipient)


def envelope(headers: bytes, *addresses: str) -> Envelope | None:
    """The envelope of a letter to us; None for one that is not, or that we wrote ourselves.

    A well-formed token of ours in any address comes first, then a plain address of ours, then one
    in the Message-IDs that the letter answers, where the address itself is of another name.
    """
    fields = _fields(headers)
    if fields.get("x-godaemon-notice") or fields.get("x-godaemon-game"):
        return None
    found = _recipients(fields)
    tagged = [one for one in found if tokens.token_of(one, *addresses)]
    plain = [one for one in found if tokens.is_ours(one, *addresses)]
    answered = [one for one in addresses if _answers_us(fields, one)]
    if not (tagged or plain or answered):
        return None
    recipient = [*tagged, *plain, *answered][0]
    message_id = _ID.search(" ".join(fields.get("message-id", [])))
    return Envelope(recipient, _sender(fields), message_id[0] if message_id else "")


def _tagged(raw: bytes, addresses: Sequence[str]) -> list[str]:
    """The addresses of ours with a well-formed token that a letter's To and Cc name."""
    head = raw[:_MOST_HEAD]
    end = _END.search(head)
    if end is None and len(raw) > _MOST_HEAD:
        return []  # no mail program writes so much, and to read it would keep others waiting
    fields = _fields(head[: end.start() if end else len(head)])
    written = {name: fields.get(name, []) for name in ("to", "cc")}
    return [one for one in _recipients(written) if tokens.token_of(one, *addresses)]


def _fields(headers: bytes) -> dict[str, list[str]]:
    """All values of each field, by lower-case names, in their order."""
    fields: dict[str, list[str]] = {}
    for name, value in BytesHeaderParser(policy=compat32).parsebytes(headers).raw_items():
        fields.setdefault(name.lower(), []).append(" ".join(str(value).split()))
    return fields


def _recipients(fields: Mapping[str, Sequence[str]]) -> list[str]:
    """All addresses in the fields that name recipients, the surest first."""
    found: list[str] = []
    for name in _RECIPIENT_FIELDS:
        for value in fields.get(name, ()):
            found.extend(_ADDRESS.findall(_QUOTED.sub("", value)))
        if len(found) >= _MOST_ADDRESSES:
            break
    return found[:_MOST_ADDRESSES]


def _answers_us(fields: Mapping[str, Sequence[str]], address: str) -> bool:
    """True where the letter answers one of ours, whatever address it came to."""
    domain = address.rpartition("@")[2].lower()
    named = " ".join([*fields.get("in-reply-to", ()), *fields.get("references", ())])
    ours = [one[0] for one in _ID.finditer(named) if one[2].lower() == domain]
    return bool(tokens.tags_of(ours))


def _sender(fields: Mapping[str, Sequence[str]]) -> str:
    """The envelope's sender; From where the server that delivered the letter did not write it."""
    for value in fields.get("return-path", ()):
        return value.strip().strip("<>").strip()
    written: list[str] = _ADDRESS.findall(" ".join(fields.get("from", ())[:1]))
    return written[-1] if written else ""


def _seat(tag: str | None) -> tuple[int, str] | None:
    """For which game and seat a token would speak."""
    token = tokens.parse_token(tag or "")
    return (token.game, token.seat) if token else None


def _age(tag: str | None) -> tuple[int, int]:
    token = tokens.parse_token(tag or "")
    return (token.position_rev, token.marks_rev) if token else (0, 0)
