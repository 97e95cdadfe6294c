"""Letters whose words are wrapped up: read where that is simple, else explained kindly."""

from __future__ import annotations

import base64
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailgate.handling.parsed_letter import ParsedLetter, parse_letter
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.reading.message import read_letter
from mailgate.reading.reply_trimming import new_text

HEAD = b"From: Bob <bob@players.example>\nSubject: Re: Go game 34\nMIME-Version: 1.0\n"


def attribute(kind: int, data: bytes) -> bytes:
    """One attribute of a winmail.dat, with its checksum."""
    return struct.pack("<BII", 1, kind, len(data)) + data + struct.pack("<H", sum(data) % 65_536)


def winmail(*attributes: bytes) -> bytes:
    """A letter that is a winmail.dat and an empty text, as Outlook sends it."""
    content = struct.pack("<IH", 0x223E9F78, 1) + b"".join(attributes)
    return (
        HEAD
        + b"Content-Type: multipart/mixed; boundary=f\n\n--f\nContent-Type: text/plain\n\n\n--f\n"
        b'Content-Type: application/ms-tnef; name="winmail.dat"\n'
        b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(content) + b"--f--\n"
    )


def taken(raw: bytes) -> ParsedLetter:
    """A letter as the gateway reads it."""
    return parse_letter(InboundLetter("go@example.org", "bob@players.example", raw))


def lines_of(raw: bytes) -> tuple[str, ...]:
    """Its new text."""
    letter = read_letter(raw, sender="bob@players.example", recipient="go@example.org")
    return new_text(letter.text)


def test_plain_words_in_a_winmail_dat_are_read() -> None:
    """Where Outlook packed the words as they are, they are read as any letter's."""
    page = attribute(0x00069007, struct.pack("<II", 1251, 0))
    body = attribute(
        0x0002800C, "D4\r\nПривет!\r\n\r\nFrom: x@y.example\r\nresign\0".encode("cp1251")
    )
    assert lines_of(winmail(attribute(0x00089006, b"\0\0\1\0"), page, body)) == ("D4", "Привет!")


SEALED = {
    "winmail.dat without plain words": (winmail(), "winmail.dat"),
    "encrypted with PGP": (
        HEAD + b"Content-Type: multipart/encrypted; boundary=f\n\n--f\n"
        b"Content-Type: application/pgp-encrypted\n\nVersion: 1\n--f\n"
        b"Content-Type: application/octet-stream\n\n-----BEGIN PGP MESSAGE-----\n--f--\n",
        "encrypted",
    ),
    "encrypted inline": (HEAD + b"\n\n-----BEGIN PGP MESSAGE-----\n\nhQEMA\n", "encrypted"),
    "encrypted with S/MIME": (
        HEAD + b"Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nMIIB\n",
        "encrypted",
    ),
    "signed with S/MIME, opaque": (
        HEAD + b"Content-Type: application/pkcs7-mime; smime-type=signed-data\n\nMIIB\n",
        "hides its words",
    ),
    "a letter in a letter": (
        HEAD + b"Content-Type: multipart/mixed; boundary=f\n\n--f\n"
        b"Content-Type: message/rfc822\n\nFrom: x@y.example\n\nresign\n--f--\n",
        "forwarded whole",
    ),
    "nothing but a letter": (
        HEAD + b"Content-Type: message/rfc822\n\nFrom: x@y.example\n\nresign\n",
        "forwarded whole",
    ),
}


@pytest.mark.parametrize("name", SEALED)
def test_what_cannot_be_read_is_explained(name: str) -> None:
    """The refusal says what the matter is, and nothing is read from within."""
    raw, words = SEALED[name]
    found = taken(raw)
    assert found.text is None
    assert found.refusal is not None
    assert words in found.refusal.public


@pytest.mark.parametrize("name", SEALED)
def test_a_subject_helps_where_the_words_are_sealed(name: str) -> None:
    """Who writes the move into the subject is understood whatever became of the letter."""
    raw = SEALED[name][0].replace(b"Re: Go game 34", b"Re: D4")
    assert [one.line for one in taken(raw).commands] == ["D4"]


def test_a_letter_signed_inline_is_read() -> None:
    """The frame of an inline signature is neither a boundary nor words."""
    body = (
        b"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nD4\nHello!\n\n- -- \nBob\n"
        b"-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----\n"
    )
    assert lines_of(HEAD + b"\n" + body) == ("D4", "Hello!")


def test_a_charset_in_the_html_counts() -> None:
    """Where the header names no charset, the HTML's own is taken."""
    page = '<html><head><meta charset="koi8-r"></head><p>D4</p><p>Привет</p></html>'
    raw = HEAD + b"Content-Type: text/html\n\n" + page.encode("koi8-r")
    assert lines_of(raw) == ("D4", "Привет")


@given(
    st.lists(st.tuples(st.integers(0, 2**32 - 1), st.binary(max_size=50)), max_size=5), st.data()
)
def test_any_winmail_dat_is_taken(attributes: list[tuple[int, bytes]], data: st.DataObject) -> None:
    """Cut off or changed anywhere, it raises nothing."""
    raw = winmail(*(attribute(kind, content) for kind, content in attributes))
    at = data.draw(st.integers(len(HEAD), len(raw)))
    cut = raw[:at] + data.draw(st.binary(max_size=9))
    read_letter(cut, sender="bob@players.example", recipient="go@example.org")
