"""The words of a letter: those in the part that a person reads, or why there are none.

Raises `Unreadable` if an HTML part cannot be parsed. Outlook's winmail.dat, S/MIME and PGP
signatures are unwrapped, and not verified. For other formats `find_obstacle` tells the sender how
to write a readable letter. A part with a file name is an attachment, and is read only if there are
no other words.
"""

import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from email.message import Message
from itertools import pairwise

from godaemon.texts.catalogue import sentence
from mailgate.reading import mime
from mailgate.reading.html_text import html_to_text
from mailgate.reading.reply_trimming import first_boundary, fold_space
from mailgate.word_sets import words_of

_SIGNATURE = b"\x78\x9f\x3e\x22"
_BODY = 0x0002800C
_CODEPAGE = 0x00069007
_MAX_ATTRIBUTES = 200
_TNEF = words_of("application/ms-tnef application/vnd.ms-tnef")
_CMS = words_of("application/pkcs7-mime application/x-pkcs7-mime")
_MAX_SIGNATURES, _MAX_BYTES_IN_PIECES = 3, 256 * 1024
"""Maximum number of signatures that we open, and bytes of one with content in pieces."""
_SIGNED = re.compile(
    r"\s*-----BEGIN PGP SIGNED MESSAGE-----[ \t]*\n(?:[A-Za-z]{1,20}: [^\n]{0,200}\n){0,9}[ \t]*\n"
)
_ENCRYPTED = re.compile(r"\s*-----BEGIN PGP MESSAGE-----")
_WITHOUT_WORDS = (
    (_TNEF, "rich-text"),
    (frozenset(["message/rfc822", "message/global", "multipart/digest"]), "only-forwarded"),
    (frozenset(["message/partial"]), "in-pieces"),
    (words_of("text/rtf application/rtf text/enriched text/richtext"), "rich-text"),
)
"""Media types of letters without text, and the key of the sentence for their sender."""


def open_signed(letter: Message) -> None:
    """Replace S/MIME signatures by the content that they sign (RFC 8551, 3.5.2)."""
    opened = 0
    for part in mime.walk(letter):  # the walk continues into the new payload
        if opened == _MAX_SIGNATURES or not _is_cms(part):
            continue
        if content := _signed_content(mime.part_bytes(part)):
            del part["Content-Disposition"]
            part.set_payload([mime.parse_parts(content)])
            opened += 1


def _is_cms(part: Message) -> bool:
    """True for S/MIME's own parts, some known only by file name (RFC 8551, 3.2.1)."""
    kind = part.get_content_type()
    is_named = kind == "application/octet-stream" and mime.is_file(part, "p7m")
    return (kind in _CMS or is_named) and not part.is_multipart()


def _signed_content(content: bytes) -> bytes:
    """The signed content in clear text; empty if it is encrypted (RFC 5652, 5.1)."""
    from asn1crypto.cms import ContentInfo  # noqa: PLC0415 - few letters need it, and it is slow

    try:
        signed = ContentInfo.load(content)["content"]["encap_content_info"]["content"]
        return bytes(signed) if not signed.method or len(content) <= _MAX_BYTES_IN_PIECES else b""
    except (AttributeError, KeyError, TypeError, ValueError):  # of another type, or broken
        return b""


def find_obstacle(letter: Message, text: str) -> str:
    """Why a letter's words cannot be read, in a sentence for its sender; empty if they can."""
    if _ENCRYPTED.match(text):
        return sentence("encrypted")
    if text.strip():
        return ""
    parts = [*mime.walk(letter)]
    kinds = {part.get_content_type() for part in parts}
    if "multipart/encrypted" in kinds or any(_is_cms(part) for part in parts):
        return sentence("encrypted")
    return next((sentence(key) for held, key in _WITHOUT_WORDS if kinds & held), "")


def strip_signature(text: str) -> str:
    """The words of a letter signed inline (RFC 9580, 7); any other text unchanged."""
    if (found := _SIGNED.match(text)) is None:
        return text
    words = text[found.end() :].partition("\n-----BEGIN PGP SIGNATURE-----")[0]
    return re.sub(r"(?m)^- (?=-|From )", "", words)


def tnef_text(letter: Message) -> str:
    """The plain words in a letter's winmail.dat (MS-OXTNEF, 2.1.3); empty if there are none."""
    for part in mime.walk(letter):
        name = str(part.get_param("name") or "").lower()
        if part.get_content_type() in _TNEF or name == "winmail.dat":
            found = dict(_attributes(mime.part_bytes(part)))
            page = int.from_bytes(found.get(_CODEPAGE, b"")[:4], "little") or 1252
            return mime.decode_text(found.get(_BODY, b"").rstrip(b"\0"), f"cp{page}")
    return ""


def _attributes(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Identifier and data of each attribute, up to the first malformed one."""
    at = 6 if content.startswith(_SIGNATURE) else len(content)
    for _ in range(_MAX_ATTRIBUTES):
        if at + 9 > len(content):
            return
        _level, kind, length = struct.unpack_from("<BII", content, at)
        if at + 9 + length > len(content):
            return
        yield kind, content[at + 9 : at + 9 + length]
        at += 9 + length + 2


MAX_TEXT = 64 * 1024  # characters of a letter's text that are read

_PLAIN = words_of("text/plain text/markdown text/x-markdown")
_LINE_ENDS = re.compile(r"\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
"""Outlook breaks lines with a vertical tab, some telephones with U+2028."""
_HTML = re.compile(r"(?i)\s*<(?:!doctype html|html|head|body|div|p|span|table)\b[^<>]{0,500}>")
"""The start of HTML that is labelled as plain text."""
_PLACEHOLDER_TEXT = re.compile(
    r"(?i)\W*(?:this (?:e-?mail|message|is)|your (?:e-?mail|mail)|to (?:view|read) this|sorry)\b"
    r".{0,120}\bhtml\b.{0,120}",
    re.DOTALL,
)
"""Placeholder texts that programs send to readers without HTML."""
_MIN_WRAP = 40  # characters; no program wraps at less, so a person ended a shorter line
_MAX_JOINED = 300  # characters of a joined line: more would not be read as statements
_MAX_WRAPPED = 60  # lines that may be joined: each is looked for in the whole HTML part


def text_of(letter: Message) -> str:
    """The plain part that has words; else the HTML one as text; bounded at the end of a line."""
    parts = list(mime.parts(letter))
    files = [part for part in parts if mime.is_named(part)] if len(parts) > 1 else []
    text = _words([part for part in parts if part not in files] if files else parts)
    return _cut_at_line(text or _words(files) or _lines(tnef_text(letter)))


def _words(parts: Sequence[Message]) -> str:
    html = placeholder = ""
    for part in parts:
        kind = part.get_content_type()
        # A multipart without parts was sent by a program that got the boundary wrong.
        if kind in _PLAIN or kind.startswith("multipart/"):
            text = _unfold_flowed(part, _cut_at_line(_lines(mime.part_text(part))))
            if _HTML.match(text):
                html = html or html_to_text(text)
            elif len(text) < MAX_TEXT and _PLACEHOLDER_TEXT.fullmatch(text[:500]):
                placeholder = text
            elif any(fold_space(line) for line in text.split("\n")):
                return _unwrap(strip_signature(text), parts)
        elif kind == "text/html" and not html.strip():
            html = html_to_text(mime.part_text(part))
    return _lines(html) if html.strip() else placeholder


def _unwrap(text: str, parts: Iterable[Message]) -> str:
    """Join lines above a quotation that are one line in the HTML part: Gmail wraps them."""
    lines = text.split("\n")
    above = lines[: first_boundary(lines[:_MAX_WRAPPED])]
    if not any(len(line) >= _MIN_WRAP and below.strip() for line, below in pairwise(above)):
        return text
    html = next((one for one in parts if one.get_content_type() == "text/html"), None)
    whole = html_to_text(mime.part_text(html)) if html is not None else ""
    whole = "\n".join(map(fold_space, whole.split("\n")))
    joined = above[:1]
    for last, line in pairwise(above):
        both = f"{fold_space(joined[-1])} {fold_space(line)}"
        is_wrapped = len(last) >= _MIN_WRAP and line.strip() and len(both) <= _MAX_JOINED
        joined[-1:] = [both] if is_wrapped and both in whole else [joined[-1], line]
    return "\n".join([*joined, *lines[len(above) :]])


def _lines(text: str) -> str:
    return _LINE_ENDS.sub("\n", text).replace("\0", "")


def _cut_at_line(text: str) -> str:
    if len(text) <= MAX_TEXT:
        return text
    cut = text[:MAX_TEXT]
    return cut.rpartition("\n")[0] or cut


def _unfold_flowed(part: Message, text: str) -> str:
    """Undo format=flowed (RFC 3676): join the lines of unquoted paragraphs again.

    Quoted lines are left alone: we do not need them, and joining could lose their marks. A space
    at the end of a short line, `D4 `, is a typing error, not a soft line end.
    """
    if str(part.get_param("format") or "").lower() != "flowed":
        return text
    delete = str(part.get_param("delsp") or "").lower() == "yes"
    unfolded: list[str] = []
    is_soft = False
    for line in text.split("\n"):
        quoted = line.startswith(">")
        plain = line if quoted else line.removeprefix(" ")
        if is_soft and not quoted and plain != "-- ":
            unfolded[-1] += plain
        else:
            unfolded.append(plain)
        is_soft = not quoted and plain.endswith(" ") and plain != "-- "
        is_soft = is_soft and (delete or len(plain) >= _MIN_WRAP)
        if is_soft and delete:
            unfolded[-1] = unfolded[-1][:-1]
    return "\n".join(unfolded)
