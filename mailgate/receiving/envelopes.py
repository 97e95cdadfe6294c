"""The envelope of an incoming letter: its origin, its recipient among our addresses, its line ends.

Raises nothing. Anybody can forge the headers that it reads, but it only chooses among our own
addresses.
"""

import ipaddress
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.parser import BytesHeaderParser
from email.policy import compat32
from itertools import islice

from mailgate import tokens

_BARE = re.compile(rb"\r(?!\n)|(?<!\r)\n")


def normalize_line_ends(raw: bytes) -> bytes:
    r"""A letter in which every line ends in CR LF (RFC 5321, 2.3.8).

    A bare CR or LF in the header becomes a space, because servers before us saw one field there. In
    the body it ends a line. If no CR LF CR LF ends the header, the letter comes from a program with
    other line ends: then each of them ends a line.

    >>> normalize_line_ends(b"Subject: a\nX: b\r\n\r\nD4\nE5\r\n")
    b'Subject: a X: b\r\n\r\nD4\r\nE5\r\n'
    """
    # `count` and `replace` are fast: this blocks the event loop, for a megabyte at worst.
    if raw.count(b"\r\n") == raw.count(b"\r") == raw.count(b"\n"):
        return raw
    head, gap, body = raw.partition(b"\r\n\r\n")
    return _BARE.sub(b" ", head) + gap + _end_lines(body) if gap else _end_lines(raw)


def _end_lines(lines: bytes) -> bytes:
    return lines.replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\n", b"\r\n")


_MAX_SEARCHED = 8192
_FIELD = re.compile(rb"(?:^|\r\n)Received:((?:[^\r]|\r\n[ \t])*)", re.IGNORECASE)
_FROM = re.compile(r"\s*from\s+(\S+)\s*(?:\(([^()]*))?", re.IGNORECASE)
_HELO = re.compile(r"(?i)helo=\S*")  # the client's HELO name, as Exim writes it
_LITERAL = re.compile(r"\[(?:ipv6:)?([0-9a-f.:]+)\]", re.IGNORECASE)


def client_address(raw: bytes) -> str:
    """The address in the topmost Received of a letter; "" if there is none.

    >>> client_address(b"Received: from [9.9.9.9] (mx.example [192.0.2.7]) by go.example; now")
    '192.0.2.7'
    """
    head = raw[:_MAX_SEARCHED].partition(b"\r\n\r\n")[0]
    field = _FIELD.search(head)
    found = _FROM.match(field[1].decode("ascii", "replace")) if field else None
    if found is None:
        return ""
    comment = _HELO.sub("", found[2] or "")
    # The comment has the address that the server saw; before it Postfix writes the client's HELO.
    bare = [word for word in comment.split() if _parse_address(word)]  # as Exchange writes it
    literals = _LITERAL.findall(comment) or bare or _LITERAL.findall(found[1])
    return _parse_address(literals[-1]) if literals else ""


def _parse_address(text: str) -> str:
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        return ""


_RECIPIENT_FIELDS = (
    *("delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "x-delivered-to"),
    *("x-gm-original-to", "apparently-to", "to", "cc", "resent-to"),
)
"""The fields that may name a letter's recipient, the most reliable first."""

_MAX_ADDRESSES = 200  # addresses of one letter that are read

HEADERS = (
    *("return-path", *_RECIPIENT_FIELDS, "from", "message-id", "in-reply-to", "references"),
    *("x-godaemon-notice", "x-godaemon-game"),
)
"""The fields that show whether a letter is for us."""

_ID = re.compile(r"<([!-;=?-~]{1,250})@([!-;=?-~]{1,250})>")
_ADDRESS = re.compile(r"(?:\"[^\s\"]{1,64}\"|[^\s<>,;:\"()\[\]]{1,64})@[^\s<>,;:\"()\[\]@]{1,255}")
_QUOTED = re.compile(r'"[^"]*"(?!@)')
_END = re.compile(rb"\r?\n\r?\n")
_MAX_HEAD = 256 * 1024  # bytes of header fields that are searched for recipients


@dataclass(frozen=True, slots=True)
class Envelope:
    """The recipient among our addresses, and the sender, which is "" for a bounce."""

    recipient: str
    sender: str
    message_id: str


def is_postmaster(recipient: str, *addresses: str) -> bool:
    """True for postmaster (RFC 5321, 4.1.1.3: in any case) and abuse (RFC 2142) at our domains.

    False if it is an address that we play from.
    """
    local, at, domain = recipient.strip("<>").lower().rpartition("@")
    if not at:
        return domain == "postmaster"
    own_domains = {one.lower().rpartition("@")[2] for one in addresses}
    is_role = local in ("postmaster", "abuse") and domain in own_domains
    return is_role and not any(recipient.strip("<>").lower() == one.lower() for one in addresses)


def distinct_recipients(recipients: Sequence[str], *addresses: str) -> list[str]:
    """The recipients to handle, so that a reply to all is not carried out twice.

    Of several tokens for one seat only the newest counts. Of plain addresses of ours only the first
    one counts, and only if there is no token.
    """
    tags = {one: tokens.token_of(one, *addresses) for one in recipients}
    newest: dict[object, str] = {}
    for one, tag in sorted(tags.items(), key=lambda item: _age(item[1])):
        if tag or is_postmaster(one, *addresses):
            newest[tag.fields[:2] if tag and tag.use == "seat" else one.casefold()] = one
        elif not any(tags.values()):
            newest.setdefault("plain", one)
    return [one for one in tags if one in newest.values()]


def find_recipient(recipient: str, raw: bytes, *addresses: str) -> str:
    """The recipient, or in place of a plain address the newest one with a token in To and Cc.

    OpenSMTPD and others deliver once per recipient, so the envelope does not show a reply to all.
    """
    if is_postmaster(recipient, *addresses) or tokens.token_of(recipient, *addresses):
        return recipient
    head = raw[:_MAX_HEAD]
    end = _END.search(head)
    if end is None and len(raw) > _MAX_HEAD:
        return recipient  # no mail program writes such a header: parsing it would block the loop
    fields = _parse_fields(head[: end.start() if end else len(head)])
    named = _find_recipients({name: fields.get(name, []) for name in ("to", "cc")})
    tagged = [one for one in named if tokens.token_of(one, *addresses)]
    return max(tagged, key=lambda one: _age(tokens.token_of(one, *addresses)), default=recipient)


def read_envelope(headers: bytes, *addresses: str) -> Envelope | None:
    """The envelope of a letter to us; None for any other letter, and for one that we wrote.

    An address with a well-formed token comes first, then a plain address of ours, then the address
    whose Message-IDs the letter answers.
    """
    fields = _parse_fields(headers)
    if fields.get("x-godaemon-notice") or fields.get("x-godaemon-game"):
        return None
    found = _find_recipients(fields)
    ours = [one for one in found if tokens.token_of(one, *addresses)]
    ours += [one for one in found if tokens.is_ours(one, *addresses)]
    ours += [one for one in addresses if _answers_us(fields, one)]
    message_id = _ID.search(" ".join(fields.get("message-id", [])))
    sender = _find_sender(fields)
    return Envelope(ours[0], sender, message_id[0] if message_id else "") if ours else None


def _parse_fields(headers: bytes) -> dict[str, list[str]]:
    fields: dict[str, list[str]] = {}
    for name, value in BytesHeaderParser(policy=compat32).parsebytes(headers).raw_items():
        fields.setdefault(name.lower(), []).append(" ".join(str(value).split()))
    return fields


def _find_recipients(fields: Mapping[str, Sequence[str]]) -> list[str]:
    values = (value for name in _RECIPIENT_FIELDS for value in fields.get(name, ()))
    found = (one for value in values for one in _ADDRESS.findall(_QUOTED.sub("", value)))
    return [*islice(found, _MAX_ADDRESSES)]


def _answers_us(fields: Mapping[str, Sequence[str]], address: str) -> bool:
    """True if the letter answers one of ours, even if it went to another address."""
    domain = address.rpartition("@")[2].lower()
    references = " ".join([*fields.get("in-reply-to", ()), *fields.get("references", ())])
    own_ids = [one[0] for one in _ID.finditer(references) if one[2].lower() == domain]
    return bool(tokens.tokens_of(own_ids))


def _find_sender(fields: Mapping[str, Sequence[str]]) -> str:
    """The envelope's sender; From if the delivering server did not record it."""
    for value in fields.get("return-path", ()):
        return value.strip().strip("<>").strip()
    addresses: list[str] = _ADDRESS.findall(" ".join(fields.get("from", ())[:1]))
    return addresses[-1] if addresses else ""


def _age(token: tokens.Token | None) -> tuple[int, int]:
    return token.fields[2:] if token and token.use == "seat" else (0, 0)
