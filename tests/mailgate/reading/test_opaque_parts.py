"""Letters with wrapped, encrypted or compressed text: read if simple, else explained."""

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


def parsed(raw: bytes) -> ParsedLetter:
    return parse_letter(InboundLetter("go@example.org", "bob@players.example", raw))


def lines_of(raw: bytes) -> tuple[str, ...]:
    letter = read_letter(raw, sender="bob@players.example", recipient="go@example.org")
    return new_text(letter.text)


def test_plain_text_in_winmail_dat_is_read() -> None:
    """Where Outlook packed the words as they are, they are read as any letter's."""
    page = attribute(0x00069007, struct.pack("<II", 1251, 0))
    body = attribute(
        0x0002800C, "D4\r\nПривет!\r\n\r\nFrom: x@y.example\r\nresign\0".encode("cp1251")
    )
    assert lines_of(winmail(attribute(0x00089006, b"\0\0\1\0"), page, body)) == ("D4", "Привет!")


OPAQUE = {
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
        "words are hidden",
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


@pytest.mark.parametrize("name", OPAQUE)
def test_an_opaque_letter_is_refused_with_a_reason(name: str) -> None:
    """Nothing is read from within."""
    raw, words = OPAQUE[name]
    found = parsed(raw)
    assert found.text is None
    assert found.refusal is not None
    assert words in found.refusal.public


@pytest.mark.parametrize("name", OPAQUE)
def test_the_subject_of_an_opaque_letter_is_read(name: str) -> None:
    """A move there is executed."""
    raw = OPAQUE[name][0].replace(b"Re: Go game 34", b"Re: D4")
    assert [one.line for one in parsed(raw).commands] == ["D4"]


def field(tag: int, *content: bytes, ends: bool = False) -> bytes:
    """An ASN.1 value with definite or, if it `ends`, indefinite length (X.690, 8.1.3)."""
    inner = b"".join(content)
    if ends:
        return bytes([tag, 0x80]) + inner + b"\0\0"
    return bytes([tag, 0x84]) + len(inner).to_bytes(4, "big") + inner


def cms(content: bytes, kind: int = 2, *, pieces: int = 0) -> bytes:
    """Signed data around a content, or another `kind` of it, in pieces or in one (RFC 5652)."""
    identifiers = [field(6, bytes.fromhex("2a864886f70d0107") + bytes([one])) for one in (1, kind)]
    cut = [field(4, content[at : at + pieces]) for at in range(0, len(content), pieces or 9**9)]
    octets = field(0x24, *cut, ends=True) if pieces else field(4, content)
    within = field(0x30, identifiers[0], field(0xA0, octets, ends=pieces > 0), ends=pieces > 0)
    data = field(0x30, field(2, b"\1"), field(0x31), within, field(0x31), ends=pieces > 0)
    return field(0x30, identifiers[1], field(0xA0, data, ends=pieces > 0), ends=pieces > 0)


def smime_part(content: bytes, kind: str = "application/pkcs7-mime; name=smime.p7m") -> bytes:
    """A content as a part of a letter, as Outlook sends it."""
    disposition = b"Content-Disposition: attachment; filename=smime.p7m\n"
    head = b"Content-Type: " + kind.encode() + b"\n" + disposition
    return head + b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(content)


PLAIN = b"Content-Type: text/plain; charset=utf-8\r\n\r\nD4\r\nHello!\r\n"
BOTH = (
    b'Content-Type: multipart/alternative; boundary="b"\r\n\r\n--b\r\n' + PLAIN + b"\r\n--b\r\n"
    b"Content-Type: text/html\r\n\r\n<p>D4</p><p>Hello!</p>\r\n--b--\r\n"
)
SIGNED = {
    "DER": smime_part(cms(PLAIN), "application/pkcs7-mime; smime-type=signed-data"),
    "BER in pieces": smime_part(cms(PLAIN, pieces=7)),
    "by an older name": smime_part(cms(PLAIN), "application/x-pkcs7-mime"),
    "by its file alone": smime_part(cms(PLAIN), "application/octet-stream"),
    "two parts": smime_part(cms(BOTH, pieces=4096)),
    "signed twice": smime_part(cms(smime_part(cms(PLAIN)))),
    "with a list's footer": b"Content-Type: multipart/mixed; boundary=f\n\n--f\n"
    + smime_part(cms(PLAIN))
    + b"\n--f\nContent-Type: text/plain\n\n_______\nThe club's list\n--f--\n",
}


@pytest.mark.parametrize("name", SIGNED)
def test_signed_smime_text_is_read(name: str) -> None:
    """Outlook may sign a player's letters; the signature is not checked."""
    assert lines_of(HEAD + SIGNED[name]) == ("D4", "Hello!")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (smime_part(cms(PLAIN, 3)), "encrypted"),
        (smime_part(cms(smime_part(cms(PLAIN, 3)))), "encrypted"),
        (smime_part(cms(PLAIN, pieces=1) + b"." * 2**18), "are hidden"),
        (smime_part(cms(smime_part(cms(smime_part(cms(smime_part(cms(PLAIN)))))))), "are hidden"),
        (
            smime_part(cms(PLAIN)[:-30], "application/pkcs7-mime; smime-type=signed-data"),
            "are hidden",
        ),
        (smime_part(cms(b"From: x@y.example\nContent-Type: text/plain\n\n")), ""),
    ],
    ids=["encrypted", "in a signature", "too many pieces", "too deep", "cut off", "without words"],
)
def test_encrypted_and_oversized_parts_are_reported(content: bytes, message: str) -> None:
    """The writer learns that nothing was done."""
    found = parsed(HEAD + content)
    assert found.commands == ()
    assert message in found.letter.obstacle


@given(st.binary(max_size=60), st.integers(0, 200), st.integers(0, 9))
def test_any_signed_data_is_read(noise: bytes, at: int, pieces: int) -> None:
    """Cut off or changed anywhere, it raises nothing."""
    whole = cms(PLAIN, pieces=pieces)
    for content in (whole[:at] + noise, whole[:at] + noise + whole[at + len(noise) :]):
        read_letter(
            HEAD + smime_part(content), sender="bob@players.example", recipient="go@x.example"
        )


def test_a_letter_signed_inline_is_read() -> None:
    """The frame of the signature is removed."""
    body = (
        b"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nD4\nHello!\n\n- -- \nBob\n"
        b"-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----\n"
    )
    assert lines_of(HEAD + b"\n" + body) == ("D4", "Hello!")


def test_the_charset_of_html_is_used() -> None:
    """If the header has none."""
    page = '<html><head><meta charset="koi8-r"></head><p>D4</p><p>Привет</p></html>'
    raw = HEAD + b"Content-Type: text/html\n\n" + page.encode("koi8-r")
    assert lines_of(raw) == ("D4", "Привет")


@given(
    st.lists(st.tuples(st.integers(0, 2**32 - 1), st.binary(max_size=50)), max_size=5), st.data()
)
def test_any_winmail_dat_is_read(attributes: list[tuple[int, bytes]], data: st.DataObject) -> None:
    """Cut off or changed anywhere, it raises nothing."""
    raw = winmail(*(attribute(kind, content) for kind, content in attributes))
    at = data.draw(st.integers(len(HEAD), len(raw)))
    cut = raw[:at] + data.draw(st.binary(max_size=9))
    read_letter(cut, sender="bob@players.example", recipient="go@example.org")
