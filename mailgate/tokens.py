"""Tokens in our addresses and Message-IDs, which prove for which seat a letter speaks.

A token names its seat (or letter) and ends in a MAC: HMAC-SHA256 cut to 80 bits (RFC 2104, section
5, allows down to half of the hash or 80 bits), in lower-case base32, because mail programs may
change the case of a local part. Any other text is None.
"""

import hmac
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any

from godaemon.errors import ConfigError, Unreadable
from godaemon.games.seat_keys import KEY_PATTERN, mac
from godaemon.records.printable import printable
from mailgate.address import normal_domain, plain_recipient

SEATS = "bwpi"
"""The seats a token can speak for: black, white, the proposer, and the person invited."""

LOCAL_LIMIT = 64  # the longest local part of an address (RFC 5321, 4.5.3.1.1)

_MAC_BYTES = 10
_MAC = "([a-z2-7]{16})"
_NUMBER = "(0|[1-9][0-9]{0,8})"
_UID = "([0-9a-f]{16})"
_USES = {
    # A seat of a game that answers the position and the marks at these revisions.
    "seat": ("{}-{}-{}-{}", f"{_NUMBER}-([{SEATS}])-{_NUMBER}-{_NUMBER}"),
    # A letter that waits for a `yes` from the seat's known address.
    "held": ("h{}", f"h{_NUMBER}"),
    # A transfer of a seat, and the end that answers: the old address, or the new one.
    "moving": ("m{}{}", f"m{_NUMBER}([on])"),
    # A letter of ours that is about no game, or about several.
    "listed": ("l{}", f"l{_UID}"),
    # A bounce of a letter of ours.
    "posted": ("bounce-{}", f"bounce-{_UID}"),
}
"""The uses of tokens: the format of the fields, and the pattern that reads them."""
_PATTERNS = {use: re.compile(f"{pattern}-{_MAC}") for use, (_, pattern) in _USES.items()}
_SUBJECT_TAG = re.compile(r"\[# ?([0-9A-Za-z-]{18,64}) ?\]")

MAX_LOOKED_UP = 10  # maximum tokens of a letter's references and subject that are looked up


@dataclass(frozen=True, slots=True)
class Token:
    """A token as a letter shows it; not to be trusted until `is_valid` returns True."""

    use: str  # a key of `_USES`
    fields: tuple[Any, ...]
    mac: str

    def __str__(self) -> str:
        return f"{_USES[self.use][0].format(*self.fields)}-{self.mac}"

    def is_valid(self, key: bytes, *secrets: str) -> bool:
        """True if we signed it with these secrets."""
        signed = mac(key, _MAC_BYTES, self.use, *self.fields, *secrets)
        return hmac.compare_digest(signed, self.mac)


def sign(key: bytes, use: str, *fields: str | int, secrets: Sequence[str] = ()) -> str:
    """The token of a use (a key of `_USES`) with these fields.

    The secrets of a seat are its game's nonce and the hash of its log up to these revisions: after
    a backup is restored, revision numbers occur again, digests do not.

    >>> sign(b"key", "seat", 34, "b", 57, 2, secrets=("n", "d"))
    '34-b-57-2-zw6d4g667cl5n77z'
    """
    return str(Token(use, fields, mac(key, _MAC_BYTES, use, *fields, *secrets)))


def uncounted_digest(digest: str) -> str:
    """The digest to sign in a letter that does not show the game's count."""
    return f"{digest} uncounted"


def return_path(key: bytes, address: str, uid: str) -> str:
    """MAIL FROM of one letter, which names the letter in a bounce (VERP)."""
    return reply_address(address, sign(key, "posted", uid))


def parse_token(text: str) -> Token | None:
    """Parse a token in any letter case; None for any other text.

    >>> token = parse_token("34-B-57-2-ZW6D4G667CL5N77Z")
    >>> token.use, token.fields
    ('seat', (34, 'b', 57, 2))
    >>> token.is_valid(b"key", "n", "d"), token.is_valid(b"another key", "n", "d")
    (True, False)
    """
    plain = text.lower() if len(text) <= LOCAL_LIMIT and text.isascii() else ""
    for use, pattern in _PATTERNS.items():
        if found := pattern.fullmatch(plain):
            *fields, signed = found.groups()
            # The id of a letter is longer than any number.
            values = (int(one) if one.isdigit() and len(one) < 10 else one for one in fields)
            return Token(use, tuple(values), signed)
    return None


def reply_address(address: str, token: str) -> str:
    """Our address with a token in it, `go+TOKEN@host`; raises `ConfigError` if it is too long.

    >>> reply_address("go@example.org", "34-b-57-2-zw6d4g667cl5n77z")
    'go+34-b-57-2-zw6d4g667cl5n77z@example.org'
    """
    local, _, domain = address.rpartition("@")
    tagged = f"{local}+{token}"
    if len(tagged) > LOCAL_LIMIT:
        message = f"The address {address} is too long to carry a token: choose a shorter one."
        raise ConfigError(message)
    return f"{tagged}@{domain}"


def token_of(recipient: str, *addresses: str) -> Token | None:
    """The well-formed token in a recipient that is one of our addresses, or None.

    >>> str(token_of("go+34-b-57-2-zw6d4g667cl5n77z@example.org", "go@example.org"))
    '34-b-57-2-zw6d4g667cl5n77z'
    >>> token_of("go+hello@example.org", "go@example.org") is None
    True
    """
    return parse_token(_find_tag(recipient, addresses) or "")


def is_ours(recipient: str, *addresses: str) -> bool:
    """True if RCPT may be accepted: an address of ours, or one with a well-formed token."""
    return _find_tag(recipient, addresses) == "" or token_of(recipient, *addresses) is not None


def own_address(recipient: str, addresses: Sequence[str]) -> str | None:
    """The one of our addresses that a recipient is, with or without a tag; else None.

    >>> own_address("Play+x@Club.example", ["go@example.org", "play@club.example"])
    'play@club.example'
    """
    return next((one for one in addresses if _find_tag(recipient, (one,)) is not None), None)


def message_id(token: str, uid: str, domain: str) -> str:
    """A Message-ID that repeats the token: `<TOKEN.uid@domain>`."""
    return f"<{token}.{uid}@{domain}>"


def subject_tag(token: str) -> str:
    """The tag that carries a token in a subject, for letters without references: `[#TOKEN]`."""
    return f"[#{token}]"


def strip_tags(subject: str) -> str:
    """A subject without tags that look like ours."""
    return _SUBJECT_TAG.sub(" ", subject).strip()


def tokens_of(references: Iterable[str], subject: str = "") -> tuple[Token, ...]:
    """The well-formed tokens in a letter's references, in their order, then those in its subject.

    They are for mail providers without plus-addressing, and for mail programs that ignore Reply-To.
    At most `MAX_LOOKED_UP` of them, because each costs a look-up of a game.

    >>> found = tokens_of(["<34-b-57-2-zw6d4g667cl5n77z.9f@example.org>", "<1@elsewhere.example>"])
    >>> [str(one) for one in found]
    ['34-b-57-2-zw6d4g667cl5n77z']
    """
    ids = (reference.strip().lstrip("<").partition("@")[0] for reference in references)
    texts = [message_id.partition(".")[0] for message_id in ids]
    texts += [tag[1] for tag in _SUBJECT_TAG.finditer(subject)]
    ours = (one for one in map(parse_token, texts) if one and one.use != "posted")
    return tuple(islice(dict.fromkeys(ours), MAX_LOOKED_UP))


def _find_tag(recipient: str, addresses: Iterable[str]) -> str | None:
    """The text between `+` and `@`, "" without a plus, None if it is not our address."""
    local, _, domain = plain_recipient(recipient).lower().rpartition("@")
    with suppress(Unreadable):
        domain = domain if domain.isascii() else normal_domain(domain)  # RFC 6531
    parts = (address.lower().rpartition("@") for address in addresses)
    ours = [one for one, at, host in parts if at and host == domain]
    if len(local) > LOCAL_LIMIT or not ours:
        return None
    if local in ours:
        return ""
    head, plus, tag = local.rpartition("+")
    return tag if plus and tag and head in ours else None


# -- words for others --------------------------------------------------------------------------
MAX_MESSAGE = 2_000  # maximum characters of a message that are passed on
_SECRETS = "|".join(f"{_USES[use][1]}-{_MAC}" for use in ("seat", "held", "moving", "listed"))
_SECRET = rf"(?i)[+<]?(?:{_SECRETS}|{KEY_PATTERN})"


def clean_message(text: str) -> str:
    """Words without control characters, and without tokens or keys, which would let readers move.

    At most `MAX_MESSAGE` characters, and one blank line between paragraphs.
    """
    plain = printable(re.sub(_SECRET, "", text[: 4 * MAX_MESSAGE]))
    lines = "\n".join(line.rstrip() for line in plain.split("\n"))
    tidy = re.sub(r"\n{3,}", "\n\n", lines).strip()
    return tidy if len(tidy) <= MAX_MESSAGE else tidy[: MAX_MESSAGE - 1].rstrip() + "…"
