"""Tokens: the words in our addresses and Message-IDs that prove which seat a letter speaks for.

A token names a game, a seat and both revisions, and ends in a MAC: HMAC-SHA256 cut to 80 bits
(RFC 2104, section 5, allows down to half of the hash or 80 bits), in lower-case base32, because
mail programs may change the case of a local part. Pure; what is not a token is None.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from godaemon.errors import ConfigError, Unreadable
from godaemon.games.seat_keys import KEY_PATTERN, mac
from godaemon.records.printable import printable
from mailgate.address import normal_domain, plain_recipient

SEATS = "bwpi"
"""The seats a token can speak for: black, white, the proposer, and the person invited."""

LOCAL_LIMIT = 64  # the longest local part of an address (RFC 5321, 4.5.3.1.1)

_MAC_BYTES = 10
_NUMBER = r"(0|[1-9][0-9]{0,8})"
TOKEN_PATTERN = rf"{_NUMBER}-([{SEATS}])-{_NUMBER}-{_NUMBER}-([a-z2-7]{{16}})"
HELD_PATTERN = rf"h{_NUMBER}-([a-z2-7]{{16}})"
MOVING_PATTERN = rf"m{_NUMBER}([on])-([a-z2-7]{{16}})"
LISTED_PATTERN = r"l([0-9a-f]{16})-([a-z2-7]{16})"
POSTED_PATTERN = r"bounce-([0-9a-f]{16})-([a-z2-7]{16})"
_TOKEN = re.compile(TOKEN_PATTERN)
_HELD = re.compile(HELD_PATTERN)
_MOVING = re.compile(MOVING_PATTERN)
_LISTED = re.compile(LISTED_PATTERN)
_POSTED = re.compile(POSTED_PATTERN)
_ANSWERED = (_TOKEN, _HELD, _MOVING, _LISTED)
_ALL = (*_ANSWERED, _POSTED)
_SUBJECT_TAG = re.compile(r"\[# ?([0-9A-Za-z-]{18,64}) ?\]")

TRIED = 10  # tokens of one letter's references and subject that are looked up


@dataclass(frozen=True, slots=True)
class Token:
    """The token of a seat, as a letter shows it; not to be believed before `valid` has said so."""

    game: int
    seat: str
    position_rev: int
    marks_rev: int
    mac: str

    def __str__(self) -> str:
        return f"{self.game}-{self.seat}-{self.position_rev}-{self.marks_rev}-{self.mac}"

    def valid(self, key: bytes, nonce: str, digest: str) -> bool:
        """True if we signed it for the game of that nonce, with that hash of its log so far."""
        fields = (self.game, self.seat, self.position_rev, self.marks_rev, nonce, digest)
        return hmac.compare_digest(_mac(key, "seat", *fields), self.mac)


@dataclass(frozen=True, slots=True)
class HeldToken:
    """The token of a letter that waits for a `yes` from the seat's known address."""

    held: int
    mac: str

    def __str__(self) -> str:
        return f"h{self.held}-{self.mac}"

    def valid(self, key: bytes, nonce: str) -> bool:
        """True if we signed it for the held letter of that nonce."""
        return hmac.compare_digest(_mac(key, "held", self.held, nonce), self.mac)


@dataclass(frozen=True, slots=True)
class TransferToken:
    """The token of a seat that waits to move to another address, and which end answers."""

    number: int
    end: str  # "o" for the old address, "n" for the new one
    mac: str

    def __str__(self) -> str:
        return f"m{self.number}{self.end}-{self.mac}"

    def valid(self, key: bytes, nonce: str) -> bool:
        """True if we signed it for the transfer of that nonce."""
        return hmac.compare_digest(_mac(key, "moving", self.number, self.end, nonce), self.mac)


@dataclass(frozen=True, slots=True)
class LetterToken:
    """The token of one letter of ours, by its unique id.

    Inside a letter, "listed": it identifies a list of games. In its envelope sender, "posted": it
    identifies the letter when it bounces.
    """

    use: str
    uid: str
    mac: str

    def valid(self, key: bytes) -> bool:
        """True if we signed it for that use of the letter of that id."""
        return hmac.compare_digest(_mac(key, self.use, self.uid), self.mac)


def sign(
    key: bytes, *, game: int, seat: str, position_rev: int, marks_rev: int, nonce: str, digest: str
) -> str:
    """The token `34-b-57-2-mfrggzdfmztwq2lk` of a seat (one of `SEATS`) at these revisions.

    `nonce` is the game's, `digest` the hash of its log up to this revision: after a backup is
    restored, revision numbers occur again, digests do not.

    >>> sign(b"key", game=34, seat="b", position_rev=57, marks_rev=2, nonce="n", digest="d")
    '34-b-57-2-zw6d4g667cl5n77z'
    """
    mac = _mac(key, "seat", game, seat, position_rev, marks_rev, nonce, digest)
    return str(Token(game, seat, position_rev, marks_rev, mac))


def uncounted(digest: str) -> str:
    """The digest to sign in a letter that does not show the game's count."""
    return f"{digest} uncounted"


def sign_held(key: bytes, held: int, nonce: str) -> str:
    """The token `h12-mfrggzdfmztwq2lk` of a letter held for a confirmation."""
    return str(HeldToken(held, _mac(key, "held", held, nonce)))


def sign_moving(key: bytes, number: int, end: str, nonce: str) -> str:
    """The token `m3o-mfrggzdfmztwq2lk` of one end ("o" or "n") of a seat's move."""
    return str(TransferToken(number, end, _mac(key, "moving", number, end, nonce)))


def sign_list(key: bytes, uid: str) -> str:
    """The token `l0123456789abcdef-mfrggzdfmztwq2lk` of the list of games in the letter `uid`."""
    return f"l{uid}-{_mac(key, 'listed', uid)}"


def return_path(key: bytes, address: str, uid: str) -> str:
    """MAIL FROM of one letter: its own, so that what comes back says what it was (VERP)."""
    return reply_address(address, f"bounce-{uid}-{_mac(key, 'posted', uid)}")


def parse_token(text: str) -> Token | None:
    """The seat's token that this text is, in any case, or None.

    >>> token = parse_token("34-B-57-2-ZW6D4G667CL5N77Z")
    >>> token.game, token.seat, token.position_rev, token.marks_rev
    (34, 'b', 57, 2)
    >>> token.valid(b"key", "n", "d"), token.valid(b"another key", "n", "d")
    (True, False)
    """
    found = _TOKEN.fullmatch(_plain(text))
    if found is None:
        return None
    game, position_rev, marks_rev = int(found[1]), int(found[3]), int(found[4])
    return Token(game, found[2], position_rev, marks_rev, found[5])


def parse_held(text: str) -> HeldToken | None:
    """The held letter's token that this text is, in any case, or None."""
    found = _HELD.fullmatch(_plain(text))
    return None if found is None else HeldToken(int(found[1]), found[2])


def parse_moving(text: str) -> TransferToken | None:
    """The token of a seat's move that this text is, in any case, or None."""
    found = _MOVING.fullmatch(_plain(text))
    return None if found is None else TransferToken(int(found[1]), found[2], found[3])


def parse_list(text: str) -> LetterToken | None:
    """The token of a list of games that this text is, in any case, or None."""
    found = _LISTED.fullmatch(_plain(text))
    return None if found is None else LetterToken("listed", found[1], found[2])


def posted_of(recipient: str, *addresses: str) -> LetterToken | None:
    """The letter of ours that one to this recipient tells of, or None."""
    found = _POSTED.fullmatch(_tag(recipient, addresses) or "")
    return None if found is None else LetterToken("posted", found[1], found[2])


def reply_address(address: str, token: str) -> str:
    """Our address with a token in it: `go+TOKEN@host`; `ConfigError` where that is too long.

    >>> reply_address("go@example.org", "34-b-57-2-zw6d4g667cl5n77z")
    'go+34-b-57-2-zw6d4g667cl5n77z@example.org'
    """
    local, _, domain = address.rpartition("@")
    tagged = f"{local}+{token}"
    if len(tagged) > LOCAL_LIMIT:
        message = f"The address {address} is too long to carry a token: choose a shorter one."
        raise ConfigError(message)
    return f"{tagged}@{domain}"


def token_of(recipient: str, *addresses: str) -> str | None:
    """The well-formed token, of any kind, in lower case, that a letter to one of us came with.

    >>> token_of("go+34-b-57-2-zw6d4g667cl5n77z@example.org", "go@example.org")
    '34-b-57-2-zw6d4g667cl5n77z'
    >>> token_of("go+hello@example.org", "go@example.org") is None
    True
    """
    tag = _tag(recipient, addresses)
    return tag if tag and any(kind.fullmatch(tag) for kind in _ALL) else None


def is_ours(recipient: str, *addresses: str) -> bool:
    """True if RCPT may be accepted: an address of ours, or one with a well-formed token."""
    return _tag(recipient, addresses) == "" or token_of(recipient, *addresses) is not None


def own_address(recipient: str, addresses: Sequence[str]) -> str | None:
    """Which of our addresses a recipient is, whatever stands behind a +; None for none of them.

    >>> own_address("Play+x@Club.example", ["go@example.org", "play@club.example"])
    'play@club.example'
    """
    return next((one for one in addresses if _tag(recipient, (one,)) is not None), None)


def message_id(token: str | None, uid: str, domain: str) -> str:
    """A Message-ID that carries the token again: `<TOKEN.uid@domain>`, or `<uid@domain>`."""
    return f"<{token}.{uid}@{domain}>" if token else f"<{uid}@{domain}>"


def subject_tag(token: str) -> str:
    """The tag that carries a token in a subject, for letters without references: `[#TOKEN]`."""
    return f"[#{token}]"


def without_tags(subject: str) -> str:
    """A subject without the tags in it that have the form of ours."""
    return _SUBJECT_TAG.sub(" ", subject).strip()


def tags_of(references: Iterable[str], subject: str = "") -> tuple[str, ...]:
    """The well-formed tokens in a letter's references, in their order, then those in its subject.

    They serve where the address carries none: with mail providers that know no plus-addressing,
    and mail programs that ignore Reply-To. At most `TRIED` of them, as each costs a look-up of a
    game.

    >>> tags_of(["<34-b-57-2-zw6d4g667cl5n77z.9f@example.org>", "<1@elsewhere.example>"])
    ('34-b-57-2-zw6d4g667cl5n77z',)
    """
    ids = (reference.strip().lstrip("<").partition("@")[0] for reference in references)
    found = [_plain(each.partition(".")[0]) for each in ids]
    found += [_plain(tag[1]) for tag in _SUBJECT_TAG.finditer(subject)]
    ours = (tag for tag in found if any(kind.fullmatch(tag) for kind in _ANSWERED))
    return tuple(islice(dict.fromkeys(ours), TRIED))


@lru_cache(maxsize=16)  # a letter has its token in six places
def _mac(key: bytes, *fields: str | int) -> str:
    return mac(key, _MAC_BYTES, *fields)


def _plain(text: str) -> str:
    return text.lower() if len(text) <= LOCAL_LIMIT and text.isascii() else ""


def _tag(recipient: str, addresses: Iterable[str]) -> str | None:
    """The text between `+` and `@`, "" without a plus, None if it is not our address."""
    local, _, domain = plain_recipient(recipient).lower().rpartition("@")
    domain = _in_dns(domain)
    ours = [one for one, at, here in map(_parts, addresses) if at and here == domain]
    if len(local) > LOCAL_LIMIT or not ours:
        return None
    if local in ours:
        return ""
    head, plus, tag = local.rpartition("+")
    return tag if plus and tag and head in ours else None


def _parts(address: str) -> tuple[str, str, str]:
    return address.lower().rpartition("@")


def _in_dns(domain: str) -> str:
    """An internationalised domain (RFC 6531) in normal form."""
    try:
        return domain if domain.isascii() else normal_domain(domain)
    except Unreadable:
        return domain


# -- words for others --------------------------------------------------------------------------
MAX_MESSAGE = 2_000  # how many characters of a message are passed on
_SECRET = rf"(?i)[+<]?(?:{TOKEN_PATTERN}|{HELD_PATTERN}|{LISTED_PATTERN}|{KEY_PATTERN})"


def clean_message(text: str) -> str:
    """Words without control marks, and without the tokens and keys that let their reader move.

    At most `MAX_MESSAGE` characters, and one blank line between paragraphs.
    """
    plain = printable(re.sub(_SECRET, "", text[: 4 * MAX_MESSAGE]))
    lines = "\n".join(line.rstrip() for line in plain.split("\n"))
    tidy = re.sub(r"\n{3,}", "\n\n", lines).strip()
    return tidy if len(tidy) <= MAX_MESSAGE else tidy[: MAX_MESSAGE - 1].rstrip() + "…"
