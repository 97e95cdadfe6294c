"""Mail addresses as values, normalised once: the domain lower-case in IDNA's ASCII form.

`parse_address` raises `Unreadable`, and nothing else, on any text. Local parts keep their case and
are compared without it, because people type Alice@ and alice@.
"""

import re
import unicodedata
from dataclasses import dataclass

import idna

from godaemon.errors import Unreadable
from godaemon.texts.catalogue import sentence
from mailgate.links import advertises

NAME_LIMIT = 60  # maximum characters of a display name that are kept

_MAX_LENGTH = 1000
_MAX_NAME = 300  # a longer name is dropped: our patterns may take quadratic time over it
_COMMENT = re.compile(r"\([^()]{0,200}\)$")
_REMARK = re.compile(r"(?<=\S) ?[(\[][^()\[\]]{0,200}[)\]]$")
"""A remark after a name, such as `(work)` or `[Extern]`."""
_QUOTES = " \"'`“”„‘’‚«»"
_ANGLE = re.compile(r'("(?:[^"\\]|\\.){0,400}"|[^<>"]{0,400})\s?<([^<>]{1,320})>')
_LOCAL = re.compile(r"[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")


@dataclass(frozen=True, slots=True)
class Address:
    """One mailbox: `address` as `local@domain`, and the display `name`, which may be empty."""

    address: str
    name: str = ""

    def __str__(self) -> str:
        return self.address


def parse_address(text: str) -> Address:
    """The mailbox in `bob@example.org`, `<bob@example.org>` or `Bob <bob@example.org>`.

    Exactly one mailbox, without source routes and address literals. Quotes may only surround a
    local part that needs none. A text that two programs could understand differently is refused
    (compare CVE-2023-27043).

    >>> parse_address("Bob <bob@MÜNCHEN.example>")
    Address(address='bob@xn--mnchen-3ya.example', name='Bob')
    >>> parse_address("bob@example.org, eve@example.org")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    godaemon.errors.Unreadable: “bob@example.org, eve@example.org” is not an email address ...
    """
    if len(text) > _MAX_LENGTH:
        raise _unreadable(text)
    bare = _COMMENT.sub("", text.strip()).strip()
    found = _ANGLE.fullmatch(bare)
    name, mailbox = (found[1], found[2]) if found else ("", bare)
    return Address(_parse_mailbox(mailbox.strip(), text), clean_name(name))


def clean_name(name: str) -> str:
    """A display name that is safe to show: one line, no invisible characters, no address.

    A name with a link or an advertisement is dropped, because strangers read it.
    """
    if len(name) > _MAX_NAME:
        return ""
    raw = re.sub(r"\\(.)", r"\1", name.strip().strip(_QUOTES))
    unquoted = one_line(raw)
    plain = _REMARK.sub("", unquoted.strip(_QUOTES))
    return "" if "@" in plain or advertises(raw) else plain[:NAME_LIMIT].strip()


def one_line(text: str) -> str:
    r"""A text on one line: control characters become spaces, and runs of spaces one space.

    >>> one_line("550 no\r\n such\x07user ")
    '550 no such user'
    """
    return " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())


def normal_domain(domain: str) -> str:
    """A domain in lower-case ASCII (IDNA 2008 with the UTS 46 mapping); raises `Unreadable`."""
    lowered = domain.lower().removesuffix(".")
    if not lowered.isascii():
        try:
            lowered = idna.encode(lowered, uts46=True).decode("ascii").lower()
        except (UnicodeError, ValueError, IndexError) as error:
            raise _unreadable(domain) from error
    if len(lowered) > 253 or not all(_LABEL.fullmatch(label) for label in lowered.split(".")):
        raise _unreadable(domain)
    return lowered


_LATIN = re.compile(r"[a-z0-9ß-öø-ÿāăąćčďđēėęěğģīįķļľłńņňőœŕřśşšţťūůűųźżž-]+")
_WITHOUT_LOOKALIKES = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL")


def display_address(address: str) -> str:
    """An address as people know it: `bob@münchen.example` in place of its form in DNS.

    A domain with letters that look like Latin ones stays as it is in DNS, so that readers cannot
    take it for another.

    >>> display_address("bob@xn--mnchen-3ya.example")
    'bob@münchen.example'
    """
    local, _, domain = address.rpartition("@")
    if "xn--" not in domain:
        return address
    try:
        plain = idna.decode(domain)
        known = idna.encode(plain, uts46=True).decode("ascii") == domain
    except (UnicodeError, ValueError, IndexError):
        return address
    return f"{local}@{plain}" if known and all(map(_is_unambiguous, plain.split("."))) else address


def _is_unambiguous(label: str) -> bool:
    """True for Latin throughout, or a script without lookalikes."""
    if _LATIN.fullmatch(label):
        return True
    return all(unicodedata.name(mark, "").startswith(_WITHOUT_LOOKALIKES) for mark in label)


def _parse_mailbox(mailbox: str, text: str) -> str:
    local, _, domain = unicodedata.normalize("NFC", mailbox).rpartition("@")
    local = re.sub('^"(.*)"$', r"\1", local)  # RFC 5322, 3.4.1: the quotes mean nothing
    # We ignore case, so a character that folds to ASCII (ß, ſ) would name another mailbox.
    folds = any(not mark.isascii() and mark.casefold().isascii() for mark in local)
    is_local = _LOCAL.fullmatch(local) and len(local.encode(errors="replace")) <= 64
    if folds or not is_local or not domain:
        raise _unreadable(text)
    return f"{local}@{normal_domain(domain)}"


def _unreadable(text: str) -> Unreadable:
    reason = sentence("not-an-address", said=clean_quote(text))
    return Unreadable(reason, hints=("bob@example.org",))


def clean_quote(text: str, limit: int = 60) -> str:
    r"""A person's words to quote: one line of at most `limit` characters, none of them control.

    >>> clean_quote("D4\tplease!", 5)
    'D4 p…'
    """
    plain = one_line(text[:500])
    return plain if len(plain) <= limit else plain[: limit - 1] + "…"


def plain_recipient(recipient: str) -> str:
    """A recipient without quotes (RFC 5321, 4.1.2), and with the + that links write as `%2B`.

    >>> plain_recipient('<"go+x"@example.org>'), plain_recipient("go%2Bx@example.org")
    ('go+x@example.org', 'go+x@example.org')
    """
    local, at, domain = recipient.strip().strip("<>").rpartition("@")
    local = re.sub(r'(?s)^"(.*)"$', r"\1", local).replace("\\", "")
    return re.sub("(?i)%2b", "+", local) + at + domain


def strip_tag(address: str) -> str:
    """An address without the tag between `+` and `@`.

    >>> strip_tag("go+34-b-57-2@example.org")
    'go@example.org'
    """
    local, at, domain = address.rpartition("@")
    return local.partition("+")[0] + at + domain
