"""A letter's headers and parts as bytes: MIME as the standard library writes it, but at once.

Pure. Headers that are short and plain stand as they are (RFC 5322, 2.1.1); all others are folded
and encoded by the standard library (RFC 2047), once, because most come again. Text is 7bit where it
can be, else quoted-printable, in lines that end in CR LF. The same parts are always the same bytes.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence
from email.headerregistry import Address
from email.policy import EmailPolicy
from functools import lru_cache
from itertools import chain

Part = Sequence[bytes]
"""A part of a letter in pieces, which are put together once: most letters are large."""

_WIDTH = 78
_LONGEST = 900
"""How long a line may be that is sent as it is; 998 is the limit (RFC 5322, 2.1.1)."""
_PLAIN = re.compile(r"[!-~](?:[ -~]*[!-~])?")
_ATOM = re.compile(r"[A-Za-z0-9+-]{1,64}")
_POLICIES = {utf8: EmailPolicy(linesep="\r\n", utf8=utf8) for utf8 in (False, True)}


class Headers:
    """The headers of a letter, in their order; with `utf8` those of RFC 6532."""

    def __init__(self, *, utf8: bool) -> None:
        self._utf8 = utf8
        self._lines: list[bytes] = []

    def add(self, name: str, value: str) -> None:
        whole = f"{name}: {value}"
        if len(whole) <= _WIDTH and _PLAIN.fullmatch(value) and "=?" not in value:
            self._lines.append(f"{whole}\r\n".encode("ascii"))
        else:
            self._lines.append(_folded(name, value, utf8=self._utf8))

    def add_ids(self, name: str, value: str) -> None:
        """One of Message-IDs or addresses in angle brackets: folded between, and never encoded."""
        ids = "\r\n ".join(value.split())
        self._lines.append(f"{name}: {ids}\r\n".encode("ascii"))

    def add_address(self, name: str, person: str, address: str) -> None:
        """One of an address with a name beside it, or without; the local part as it stands there.

        For the library all local parts of one length are the same, so that a token costs nothing.
        """
        local, _, domain = address.rpartition("@")
        alike = "x" * len(local) if _ATOM.fullmatch(local) else local
        line = _addressed(name, person, alike, domain, utf8=self._utf8)
        before, found, after = line.rpartition(f"{alike}@".encode())
        if found:
            line = before + f"{local}@".encode() + after
        elif alike != local:
            line = _addressed(name, person, local, domain, utf8=self._utf8)
        self._lines.append(line)

    def packed(self, part: Part) -> bytes:
        return b"".join((*self._lines, b"MIME-Version: 1.0\r\n", *part))


@lru_cache(maxsize=1024)
def _folded(name: str, value: str, *, utf8: bool) -> bytes:
    return _line(name, value, utf8=utf8)


@lru_cache(maxsize=1024)
def _addressed(name: str, person: str, local: str, domain: str, *, utf8: bool) -> bytes:
    # As an addr_spec it would have to be ASCII.
    return _line(name, Address(person, username=local, domain=domain), utf8=utf8)


def _line(name: str, value: object, *, utf8: bool) -> bytes:
    policy = _POLICIES[utf8]
    folded: bytes = policy.fold_binary(*policy.header_store_parse(name, value))
    return folded


def text(words: str, subtype: str) -> Part:
    """Text as a part, lines ending in a line feed: 7bit where it can be, as it mostly is."""
    lines = words.encode("utf-8")
    plain = words.isascii() and max(map(len, lines.split(b"\n"))) <= _LONGEST
    body = lines if plain else binascii.b2a_qp(lines)
    head = (
        f'Content-Type: text/{subtype}; charset="utf-8"\r\n'
        f"Content-Transfer-Encoding: {'7bit' if plain else 'quoted-printable'}\r\n\r\n"
    )
    return head.encode("ascii"), body.replace(b"\n", b"\r\n")


def base64_part(kind: str, content: bytes, *more: str) -> Part:
    """Something else as a part, in base64: its media type, and `more` of its headers."""
    lines = (f"Content-Type: {kind}", "Content-Transfer-Encoding: base64", *more, "", "")
    body = base64.encodebytes(content).replace(b"\n", b"\r\n")
    return "\r\n".join(lines).encode("ascii"), body


def multipart(kind: str, boundary: str, parts: Sequence[Part]) -> Part:
    """Parts as one of a multipart `kind`; `boundary` must be in none of them."""
    head = f'Content-Type: multipart/{kind};\r\n boundary="{boundary}"\r\n\r\n'.encode("ascii")
    mark = f"--{boundary}".encode("ascii")
    between = chain.from_iterable((mark, b"\r\n", *part, b"\r\n") for part in parts)
    return head, *between, mark, b"--\r\n"
