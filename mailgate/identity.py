"""Tokens: the words in our addresses and Message-IDs that prove which seat a letter speaks for.

A token names a game, a seat and both revisions, and ends in a MAC: HMAC-SHA256 cut to 80 bits
(RFC 2104, section 5, allows down to half of the hash or 80 bits), in lower-case base32, because
mail programs may change the case of a local part. Pure; what is not a token is None.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

from godaemon.errors import ConfigError

__all__ = [
    "Held",
    "Token",
    "held_in",
    "is_ours",
    "message_id",
    "parse_held",
    "parse_token",
    "reply_address",
    "sign",
    "sign_held",
    "token_of",
    "tokens_in",
]

SEATS = "bwpi"
"""The seats a token can speak for: black, white, the proposer, and the person invited."""

LOCAL_LIMIT = 64
"""The longest local part of an address (RFC 5321, 4.5.3.1.1)."""

_MAC_BYTES = 10
_NUMBER = r"(0|[1-9][0-9]{0,8})"
TOKEN_PATTERN = rf"{_NUMBER}-([{SEATS}])-{_NUMBER}-{_NUMBER}-([a-z2-7]{{16}})"
HELD_PATTERN = rf"h{_NUMBER}-([a-z2-7]{{16}})"
_TOKEN = re.compile(TOKEN_PATTERN)
_HELD = re.compile(HELD_PATTERN)


@dataclass(frozen=True, slots=True)
class Token:
    """What a letter says about itself; nothing in it may be believed before `valid` has said so."""

    game: int
    seat: str
    position_rev: int
    marks_rev: int
    mac: str

    def __str__(self) -> str:
        return f"{self.game}-{self.seat}-{self.position_rev}-{self.marks_rev}-{self.mac}"

    def valid(self, key: bytes, nonce: str, digest: str) -> bool:
        """Whether we signed it for the game of that nonce, with that hash of its log up to then."""
        fields = (self.game, self.seat, self.position_rev, self.marks_rev, nonce, digest)
        return hmac.compare_digest(_mac(key, "seat", *fields), self.mac)


@dataclass(frozen=True, slots=True)
class Held:
    """The name of a letter that waits for its sender's `yes`."""

    held: int
    mac: str

    def __str__(self) -> str:
        return f"h{self.held}-{self.mac}"

    def valid(self, key: bytes, nonce: str) -> bool:
        """Whether we signed it for the held letter of that nonce."""
        return hmac.compare_digest(_mac(key, "held", self.held, nonce), self.mac)


def sign(
    key: bytes,
    *,
    game: int,
    seat: str,
    position_rev: int,
    marks_rev: int,
    nonce: str,
    digest: str,
) -> str:
    """The token `34-b-57-2-mfrggzdfmztwq2lk` of a seat (one of `SEATS`) at these revisions.

    `nonce` is the game's, `digest` the hash of its log up to this revision: after a restored backup
    numbers repeat, positions do not.
    """
    mac = _mac(key, "seat", game, seat, position_rev, marks_rev, nonce, digest)
    return str(Token(game, seat, position_rev, marks_rev, mac))


def sign_held(key: bytes, held: int, nonce: str) -> str:
    """The token `h12-mfrggzdfmztwq2lk` of a letter held for a confirmation."""
    return str(Held(held, _mac(key, "held", held, nonce)))


def parse_token(text: str) -> Token | None:
    """The seat's token that this text is, in any case, or None."""
    found = _TOKEN.fullmatch(_plain(text))
    if found is None:
        return None
    game, position_rev, marks_rev = int(found[1]), int(found[3]), int(found[4])
    return Token(game, found[2], position_rev, marks_rev, found[5])


def parse_held(text: str) -> Held | None:
    """The held letter's token that this text is, in any case, or None."""
    found = _HELD.fullmatch(_plain(text))
    return None if found is None else Held(int(found[1]), found[2])


def reply_address(address: str, token: str) -> str:
    """Our address with a token in it: `go+TOKEN@host`; `ConfigError` where that is too long."""
    local, _, domain = address.rpartition("@")
    tagged = f"{local}+{token}"
    if len(tagged) > LOCAL_LIMIT:
        message = f"The address {address} is too long to carry a token: choose a shorter one."
        raise ConfigError(message)
    return f"{tagged}@{domain}"


def token_of(recipient: str, address: str) -> str | None:
    """The well-formed token, of either kind, in lower case, that a letter to us came with."""
    tag = _tag(recipient, address)
    well_formed = tag and (_TOKEN.fullmatch(tag) or _HELD.fullmatch(tag))
    return tag if well_formed else None


def is_ours(recipient: str, address: str) -> bool:
    """Whether RCPT may be accepted: our address itself, or it with a well-formed token."""
    return _tag(recipient, address) == "" or token_of(recipient, address) is not None


def message_id(token: str | None, uid: str, domain: str) -> str:
    """A Message-ID that carries the token again: `<TOKEN.uid@domain>`, or `<uid@domain>`."""
    return f"<{token}.{uid}@{domain}>" if token else f"<{uid}@{domain}>"


def tokens_in(references: Iterable[str]) -> tuple[Token, ...]:
    """The seats' tokens in a letter's references, in their order.

    They serve people whose mail programs answer to some other address than Reply-To.
    """
    found = (parse_token(_id_token(reference)) for reference in references)
    return tuple(dict.fromkeys(token for token in found if token is not None))


def held_in(references: Iterable[str]) -> tuple[Held, ...]:
    """The held letters' tokens in a letter's references, in their order."""
    found = (parse_held(_id_token(reference)) for reference in references)
    return tuple(dict.fromkeys(held for held in found if held is not None))


def _mac(key: bytes, *fields: str | int) -> str:
    # JSON keeps the fields apart: no two lists of fields have one text.
    text = json.dumps(fields, separators=(",", ":"))
    digest = hmac.new(key, text.encode(), hashlib.sha256).digest()
    return base64.b32encode(digest[:_MAC_BYTES]).decode("ascii").lower()


def _plain(text: str) -> str:
    return text.lower() if len(text) <= LOCAL_LIMIT and text.isascii() else ""


def _tag(recipient: str, address: str) -> str | None:
    """What stands between `+` and `@`, "" where there is no plus, None where it is not for us."""
    local, _, domain = recipient.strip().strip("<>").lower().rpartition("@")
    our_local, _, our_domain = address.lower().rpartition("@")
    if len(local) > LOCAL_LIMIT or domain != our_domain:
        return None
    if local == our_local:
        return ""
    head, plus, tag = local.rpartition("+")
    return tag if plus and tag and head == our_local else None


def _id_token(reference: str) -> str:
    return reference.strip().lstrip("<").partition("@")[0].partition(".")[0]
