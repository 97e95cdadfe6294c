"""A letter as the gateway sees it: its author, recipient, references, and the text a person reads.

`read_letter` takes any bytes and raises only `Unreadable`; it reads no commands, and does not check
the author (see `sender_checks`). The author is the mailbox in From; if there are several, the one
in Sender. If programs could see different authors, there is none (RFC 5322, 3.4, 3.6.2).
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime

from godaemon.errors import Unreadable
from mailgate.address import (
    Address,
    clean_name,
    one_line,
    parse_address,
    plain_recipient,
    strip_tag,
)
from mailgate.reading import automatic_mail, bodies, mime
from mailgate.reading.automatic_mail import REACTION_PART, find_signs, wants_no_answer
from mailgate.reading.bodies import text_of
from mailgate.reading.bounce_reports import is_complaint
from mailgate.reading.mime import header_words
from mailgate.sender_checks import signed_fields

_PIECE = re.compile(
    r"=\?[^?\s]{1,60}\?[bqBQ]\?[^?]{0,900}\?=|\"(?:[^\"\\]|\\.)*+\"|<[^<>]*+>|[(),]|[^\"<(),]++|.",
    re.DOTALL,
)
"""An encoded word with any marks in it; a quoted string, an angled address, a mark, text."""
_IN_COMMENT = re.compile(r"\\.|[()]|[^\\()]++|.", re.DOTALL)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*+)"', re.DOTALL)


def find_author(from_field: str, sender_field: str) -> tuple[Address | None, bool]:
    """The author of a letter, and whether From names several (RFC 5322, 3.6.2: Sender decides).

    >>> find_author("Bob (at home) <bob@example.org>", "")
    (Address(address='bob@example.org', name='Bob'), False)
    >>> find_author("bob@example.org, al@example.org", "Al <al@example.org>")
    (Address(address='al@example.org', name='Al'), True)
    """
    found = _split_mailboxes(from_field)
    several = len(found) > 1
    if several:
        found = _split_mailboxes(sender_field)
    return (_parse_mailbox(found[0]) if len(found) == 1 else None), several


def parse_addresses(*fields: str) -> tuple[str, ...]:
    """The addresses in fields that may name several, such as To."""
    mailboxes = (one for field in fields for one in _split_mailboxes(field))
    return tuple(found.address for found in map(_parse_mailbox, mailboxes) if found is not None)


def _split_mailboxes(value: str) -> list[list[str]]:
    """The pieces of each mailbox; a comma before an address is part of a name."""
    found: list[list[str]] = [[]]
    at, has_address = 0, False
    while at < len(value) and (piece := _PIECE.match(value, at)):
        at, text = piece.end(), piece[0]
        if text == "(":
            at = _find_comment_end(value, at)
            text = value[piece.start() : at]
        if text == "," and has_address:
            found.append([])
            has_address = False
        else:
            found[-1].append(text)
            has_address |= "@" in text and text[0] not in '"('
    return [pieces for pieces in found if "".join(pieces).strip()]


def _find_comment_end(value: str, start: int) -> int:
    depth = 1
    for piece in _IN_COMMENT.finditer(value, start):
        depth += {"(": 1, ")": -1}.get(piece[0], 0)
        if not depth:
            return piece.end()
    return len(value)


def _parse_mailbox(pieces: list[str]) -> Address | None:
    """The address of a mailbox, with its name cleaned; None for none."""
    written = "".join(one for one in pieces if one[0] != "(").strip()
    name, angle, _ = written.rpartition("<") if written.endswith(">") else ("", "", "")
    if "<" in _QUOTED.sub("", name):
        return None
    try:  # spaces may surround the @ (RFC 5322, 3.4.1)
        found = parse_address("@".join(map(str.strip, written.removeprefix(name).split("@"))))
    except Unreadable:
        return None
    comments = [one[1:].removesuffix(")") for one in pieces if one[0] == "("]
    plain = _QUOTED.sub(r"\1", name) if angle else ""
    return Address(found.address, clean_name(header_words(plain.strip() or " ".join(comments))))


MAX_SUBJECT = 300
MAX_HOPS = 100  # more Received fields are a loop (RFC 5321, 6.3)
MAX_RESULTS = 20
_RECORDS = ("application/x-go-sgf", "application/zip", "application/x-zip-compressed")
MAX_IDS = 50  # references that are kept, the newest

_ID = re.compile(r"<([!-;=?-~]{1,250})>")


@dataclass(frozen=True, slots=True)
class Letter:
    """One letter, decoded; nothing in it is trusted.

    `sender` is the author by From and Sender, or None. `recipient` and `envelope_sender` are the
    envelope's. `references` has In-Reply-To first, then References from the newest on. `text` is
    the new text and the quotes. `automatic` is the sign that no person wrote it; `bulk` means that
    it came by a list. `content` is a hash that stays the same when the same letter comes again.
    `obstacle` tells its sender why its words cannot be read; usually "".
    """

    message_id: str
    sender: Address | None
    recipient: str
    envelope_sender: str
    subject: str
    references: tuple[str, ...]
    text: str
    automatic: str | None
    bulk: bool
    content: str
    obstacle: str = ""
    complaint: bool = False  # whether a mail provider reports that one of ours was unwanted
    authentication: tuple[str, ...] = ()  # the Authentication-Results fields, the topmost first
    several: bool = False  # whether From names more than one author
    addressees: tuple[str, ...] = ()
    """Addresses in To and Cc, if all signatures cover them and Date."""
    date: datetime | None = None  # by its Date field
    attached: tuple[bytes, ...] = ()  # the attached records of games, and archives
    has_files: bool = False  # whether its writer enclosed files, such as photos
    doubtful: bool = False  # whether a person's letter may have its signs of an automatic one
    written_from: str = ""
    """The address in From, which may be a forwarder's; then Reply-To names the sender."""

    @property
    def offset(self) -> int:
        """Minutes from UTC to its writer's clock; 0 if its date does not say."""
        offset = self.date.utcoffset() if self.date else None
        return round(offset.total_seconds() / 60) if offset else 0

    @property
    def fingerprint(self) -> str:
        """The hash of a letter to one recipient, the same if the letter comes again."""
        return hashlib.sha256(f"{self.recipient.casefold()} {self.content}".encode()).hexdigest()


def read_letter(raw: bytes, *, sender: str, recipient: str) -> Letter:
    """Parse the bytes of a letter; `sender` and `recipient` are the envelope's, one of each.

    A letter without Message-ID gets one that is made from its content. Raises `Unreadable` if the
    bytes cannot be parsed at all.
    """
    recipient, sender = plain_recipient(recipient), sender.strip().strip("<>")
    parsed, headers, text, obstacle = _open_parts(raw)
    content = _content_hash(raw, headers)
    unique = _drop_repeated(parsed, headers)
    writer, several = find_author(unique.get("from", ""), headers.get("sender", ""))
    author = writer.address if writer else ""
    forwarded = _forwarded_author(author, headers.get("reply-to", ""))
    results = parsed.get_all("authentication-results", [])
    subject = one_line(mime.header_words(headers.get("subject", "")))[:MAX_SUBJECT]
    headers["subject"] = subject
    complaint = is_complaint(parsed, headers, author or sender)
    automatic = [
        *find_signs(headers, sender, author, strip_tag(recipient), rewritten=forwarded is not None),
        *_signs_in(parsed),
        *(["a complaint"] if complaint else []),
    ]
    return Letter(
        message_id=_first_id(headers.get("message-id", "")) or f"<{content[:40]}@no-id.invalid>",
        sender=forwarded or writer,
        recipient=recipient,
        envelope_sender=sender,
        subject=subject,
        references=_references(headers),
        text=text,
        automatic=next(iter(automatic), None),
        doubtful=automatic_mail.are_doubtful(automatic),
        written_from=author,
        bulk=automatic_mail.is_bulk(headers),
        complaint=complaint,
        content=content,
        obstacle=obstacle,
        authentication=tuple(map(str, results[:MAX_RESULTS])),
        several=several,
        addressees=parse_addresses(*(unique.get(name, "") for name in signed_fields(raw))),
        date=_parse_date(unique.get("date", "")),
        attached=tuple(
            mime.part_bytes(part)
            for part in mime.walk(parsed)
            if not part.is_multipart() and mime.is_file(part, "sgf|zip|rar|7z|gz", *_RECORDS)
        ),
        has_files=any(map(mime.is_enclosed, mime.walk(parsed))),
    )


def _open_parts(raw: bytes) -> tuple[Message, dict[str, str], str, str]:
    """The parts of an email, its headers, its text, and why that cannot be read, or ""."""
    try:
        parsed = mime.parse_parts(raw)
        headers = mime.headers_of(parsed)
        bodies.open_signed(parsed)
        text = text_of(parsed)
        return parsed, headers, text, bodies.find_obstacle(parsed, text)
    except RecursionError as error:
        raise Unreadable("We could not read this email: it has too many layers.") from error


def _drop_repeated(parsed: Message, headers: dict[str, str]) -> dict[str, str]:
    """The headers that occur once: programs differ on a repeated one, which may be forged."""
    number = Counter(map(str.lower, parsed.keys()))
    return {name: field for name, field in headers.items() if number[name] == 1}


def _parse_date(field: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(field)
        return found.replace(tzinfo=found.tzinfo or UTC)
    except (ValueError, TypeError, OverflowError):
        return None


def _forwarded_author(author: str, reply_to: str) -> Address | None:
    """The mailbox in Reply-To, if the one in From takes no answers; else None."""
    reply_author = find_author(reply_to, "")[0] if wants_no_answer(author) else None
    return None if reply_author is None or wants_no_answer(reply_author.address) else reply_author


def _signs_in(parsed: Message) -> Iterator[str]:
    """Too many hops, Gmail's emoji, or a calendar's answer to a click (RFC 5546, 3.2.3)."""
    if len(parsed.get_all("received", [])) > MAX_HOPS:
        yield "too many hops"
    for part in mime.walk(parsed):
        kind = part.get_content_type()
        if kind == REACTION_PART:
            yield "a reaction"
        elif kind == "text/calendar" and str(part.get_param("method")).casefold() == "reply":
            yield "a calendar's answer"


def _first_id(value: str) -> str:
    found = _ID.search(value)
    return found[0] if found else ""


def _references(headers: dict[str, str]) -> tuple[str, ...]:
    in_reply_to = [found[0] for found in _ID.finditer(headers.get("in-reply-to", ""))]
    references = [found[0] for found in _ID.finditer(headers.get("references", ""))]
    return tuple(dict.fromkeys([*in_reply_to, *reversed(references)]))[:MAX_IDS]


def _content_hash(raw: bytes, headers: dict[str, str]) -> str:
    """The hash of a letter without its trace headers, the same on every way to us.

    Date counts only without a Message-ID: if the connection broke before our answer, mutt and
    others send the letter again with the same ID and a new date.
    """
    digest = hashlib.sha256()
    fields = [headers.get(name, "") for name in ("message-id", "from", "subject")]
    fields.append("" if _first_id(fields[0]) else headers.get("date", ""))
    for field in fields:
        content = field.encode("utf-8", "surrogatepass")
        digest.update(f"{len(content)}:".encode() + content)
    digest.update(mime.body_of(raw))
    return digest.hexdigest()
