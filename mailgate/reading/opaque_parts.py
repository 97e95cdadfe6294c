"""Letters whose words are wrapped up: Outlook's winmail.dat, signatures around them, encryption.

Pure; raises nothing. What can be unwrapped simply is read; of the rest `obstacle` says in a kind
sentence what it is and how to send it so that it can be read. No signature is verified.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from email.message import Message

from mailgate.reading import mime
from mailgate.word_sets import words_of

_SIGNATURE = 0x223E9F78
_BODY = 0x0002800C
_CODEPAGE = 0x00069007
_MOST_ATTRIBUTES = 200
_TNEF = words_of("application/ms-tnef application/vnd.ms-tnef")
_CMS = words_of("application/pkcs7-mime application/x-pkcs7-mime")
_MOST_SIGNED, _MOST_IN_PIECES = 3, 256 * 1024
"""How many signatures around each other are opened, and one in pieces of how many bytes."""
_SIGNED_DATA = bytes.fromhex("2a864886f70d010702")
_SIGNED = re.compile(
    r"\s*-----BEGIN PGP SIGNED MESSAGE-----[ \t]*\n(?:[A-Za-z]{1,20}: [^\n]{0,200}\n){0,9}[ \t]*\n"
)
_ENCRYPTED = re.compile(r"\s*-----BEGIN PGP MESSAGE-----")
_WINMAIL = (
    "Your mail program, which is Outlook, packed your words into a file called winmail.dat, which"
    " only Outlook can open, so I have done nothing. In Outlook, choose Format Text, and there"
    " Plain Text or HTML, before you send; or simply write your move into the subject."
)
_CLOSED = (
    "Your letter is encrypted, and I have no key to open it, so I have done nothing. Please send"
    " it again without encryption; a signature does no harm."
)
_OPAQUE = (
    "Your letter is signed in a way that hides its words in the signature, so I could not read"
    " it and have done nothing. Please send it again unsigned, or signed as clear text."
)
_FORWARDED = (
    "In your letter I found nothing but another letter, forwarded whole, and those I never read."
    " What you want goes on the first line of a letter of your own."
)
_RICH = (
    "Your letter is in Rich Text (RTF), which I cannot read, so I have done nothing. Please send it"
    " as plain text or as HTML; or simply write your move into the subject."
)
_PIECES = (
    "Your mail program cut your letter into several, and of one of them alone I can make nothing."
    " Please send it again, shorter, in one piece: a line with your move is enough."
)
_WITHOUT_WORDS = (
    (_TNEF, _WINMAIL),
    (frozenset(["message/rfc822", "message/global", "multipart/digest"]), _FORWARDED),
    (frozenset(["message/partial"]), _PIECES),
    (frozenset(["text/rtf", "application/rtf"]), _RICH),
)
"""What a letter without words may hold instead, and what its sender is told."""


def open_signed(letter: Message) -> None:
    """Put what S/MIME has signed in the place of the signature around it (RFC 8551, 3.5.2)."""
    opened = 0
    for part in mime.walk(letter):  # which goes on with what is put there
        if opened == _MOST_SIGNED or not _is_cms(part):
            continue
        if content := _signed(mime.part_bytes(part)):
            del part["Content-Disposition"]
            part.set_payload([mime.parse_parts(content)])
            opened += 1


def _is_cms(part: Message) -> bool:
    """True for S/MIME's own parts, some of which only their name tells (RFC 8551, 3.2.1)."""
    kind = part.get_content_type()
    named = kind == "application/octet-stream" and mime.file_of(part, "p7m")
    return (kind in _CMS or named) and not part.is_multipart()


def _signed(content: bytes) -> bytes:
    """What is signed, in clear, where that is all that was done to it (RFC 5652, 5.1)."""
    from asn1crypto.cms import ContentInfo  # noqa: PLC0415 - few letters need it, and it is slow

    try:
        signed = ContentInfo.load(content)["content"]["encap_content_info"]["content"]
        return bytes(signed) if not signed.method or len(content) <= _MOST_IN_PIECES else b""
    except (AttributeError, KeyError, TypeError, ValueError):  # of another type, or broken
        return b""


def obstacle(letter: Message, text: str) -> str:
    """Why a letter's words cannot be read, in a sentence for its sender; empty where they can."""
    if _ENCRYPTED.match(text):
        return _CLOSED
    if text.strip():
        return ""
    kinds = [(part.get_content_type(), part) for part in mime.walk(letter)]
    named = {kind for kind, _ in kinds}
    if "multipart/encrypted" in named:
        return _CLOSED
    for _, part in kinds:
        if _is_cms(part):
            signed = str(part.get_param("smime-type") or "").lower() == "signed-data"
            return _OPAQUE if signed or _SIGNED_DATA in mime.part_bytes(part)[:40] else _CLOSED
    return next((why for held, why in _WITHOUT_WORDS if named & held), "")


def clear_signed(text: str) -> str:
    """The words of a letter signed inline (RFC 9580, 7), without their frame; or the text as is."""
    found = _SIGNED.match(text)
    if found is None:
        return text
    words = text[found.end() :].partition("\n-----BEGIN PGP SIGNATURE-----")[0]
    return re.sub(r"(?m)^- (?=-|From )", "", words)


def tnef_text(letter: Message) -> str:
    """The plain words in a letter's winmail.dat (MS-OXTNEF, 2.1.3); empty where there are none."""
    for part in mime.walk(letter):
        name = str(part.get_param("name") or "").lower()
        if part.get_content_type() in _TNEF or name == "winmail.dat":
            return _plain_words(mime.part_bytes(part))
    return ""


def _plain_words(content: bytes) -> str:
    body, page = b"", 1252
    for kind, data in _attributes(content):
        if kind == _BODY:
            body = data
        elif kind == _CODEPAGE and len(data) >= 4:
            page = struct.unpack_from("<I", data)[0]
    return mime.decode(body.rstrip(b"\0"), f"cp{page}")


def _attributes(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Each attribute's identifier and data; stops at the first thing that makes no sense."""
    if len(content) < 6 or struct.unpack_from("<I", content)[0] != _SIGNATURE:
        return
    at = 6
    for _ in range(_MOST_ATTRIBUTES):
        if at + 9 > len(content):
            return
        _level, kind, length = struct.unpack_from("<BII", content, at)
        if at + 9 + length > len(content):
            return
        yield kind, content[at + 9 : at + 9 + length]
        at += 9 + length + 2
