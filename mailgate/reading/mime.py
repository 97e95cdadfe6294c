"""A letter's bytes as MIME parts, within fixed time and memory, and its headers as text.

Anything over the limits (bytes, lines, parts, the length of a header) is cut off at the end of a
line, because the new text is at the top. Raises nothing: undecodable characters are replaced.
"""

import binascii
import codecs
import re
from collections.abc import Callable, Iterator
from email.message import Message
from email.parser import BytesParser
from email.policy import Compat32
from itertools import islice

from godaemon.records.sgf_charset import codec_of, fits
from mailgate.sender_checks import MAX_FIELD
from mailgate.word_sets import words_of

MAX_BYTES = 2 * 1024 * 1024  # bytes of a letter that are read
MAX_LINES = 50_000
MAX_TYPED_PARTS = 64  # maximum Content-Type fields that are read, which limits how deep parts nest
MAX_BOUNDARIES = 1_000
MAX_PARTS = 200
MAX_HEADER = 2_000
MAX_REFERENCES = 8_000

_CUT_AT_START = words_of("references in-reply-to")
_MULTIBYTE = ("iso2022", "gb18030", "cp932", "cp949", "cp950", "big5", "euc_", "hz", "johab")
"""Multi-byte charsets: one broken character does not make us doubt the declared charset."""
_SHIFTED = re.compile(rb"\x1b(?:\$[@B]([^\x1b\r\n]*)|\(I([^\x1b\r\n]*)|\([BJ])")
"""Runs of ISO-2022-JP: pairs of JIS X 0208, Katakana of half the width, or ASCII."""
_SOFT_END = re.compile(r"=[ \t]++(?=\r?\n)")
"""A soft line end of quoted-printable with spaces that were added in transit (RFC 2045, 6.7)."""
_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bqBQ])\?([^?]{0,900})\?=(\s+(?==\?))?")
_META = re.compile(rb"(?i)<meta[^>]{1,200}charset\s{0,3}=\s{0,3}[\"']?([a-z0-9_:.-]{2,40})")
_BASE64 = re.compile(r"(?:[ \t]*+[A-Za-z0-9+/]++={0,2}[ \t]*+(?:[\r\n]++|$)|[ \t]*+[\r\n]++)*+")
"""Whole lines of base64; plain text that a mailing list appended is ignored."""
_CONTROLS = re.compile(rb"[\0-\x08\x0e-\x1a\x1c-\x1f]")  # control characters that no text has
_MIN_BASE64 = 24  # shorter texts may look like base64 by chance
_ENCLOSED = words_of("image audio video application")
_FOR_PROGRAMS = "asc|sig|p7s|p7m|p7c|ics|vcf|dat"  # endings of signatures, keys, cards, calendars
_HEAD = 4_096  # bytes of an HTML part that are searched for its charset if its header names none


class _Bounded(Compat32):
    """A policy that never raises, limits the length of headers, and returns them as text."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        """A field's name and value, cut at the end; reference fields are cut at the start."""
        name, value = super().header_source_parse(sourcelines)
        if name.lower() in _CUT_AT_START:
            return name, value[-MAX_REFERENCES:]
        limit = MAX_FIELD if name.lower() == "authentication-results" else MAX_HEADER
        return name, value[:limit]

    # The base class would return a Header object for bytes beyond ASCII.
    def header_fetch_parse(self, name: str, value: str) -> str:  # noqa: ARG002
        """A field's value as text; raw bytes are decoded as UTF-8 if they are that."""
        return value if value.isascii() else decode_text(value.encode("utf-8", "surrogateescape"))


def parse_parts(raw: bytes) -> Message:
    """The letter as a tree of parts, within the limits."""
    return BytesParser(policy=_Bounded()).parsebytes(_cut_to_limits(raw))


def parts(letter: Message) -> Iterator[Message]:
    """The leaves that a person reads, in order, without attachments and forwarded letters."""
    shown = (one for one in _descend(letter, _is_shown) if _is_shown(one))
    return islice((one for one in shown if not one.is_multipart()), MAX_PARTS)


def walk(letter: Message) -> Iterator[Message]:
    """Every part, with wrappers and attachments but without the parts of forwarded letters.

    At most `MAX_PARTS`.
    """
    return islice(_descend(letter, lambda part: not _is_letter(part)), MAX_PARTS)


def _descend(letter: Message, opens: Callable[[Message], bool]) -> Iterator[Message]:
    """A letter and its parts, in order, but nothing within a part that `opens` refuses."""
    stack = [letter]
    while stack:
        part = stack.pop()
        yield part
        if opens(part):
            stack.extend(reversed(parts_within(part)))


def parts_within(part: Message) -> list[Message]:
    """The parts of a multipart; [] for a leaf."""
    # For a leaf, get_payload() would decode, and raise on some parameters: check before.
    inner = part.get_payload() if part.is_multipart() else []
    return [one for one in inner if isinstance(one, Message)]


def _is_shown(part: Message) -> bool:
    return not (_is_letter(part) or _is_attachment(part))


def _is_attachment(part: Message) -> bool:
    return str(part.get("Content-Disposition", "")).strip().lower().startswith("attachment")


def part_bytes(part: Message) -> bytes:
    """A part's content, with its transfer encoding undone as far as possible."""
    try:
        if encoded := _base64_of(part):
            digits = encoded.rstrip("=")
            digits = digits[: len(digits) - (len(digits) % 4 == 1)]  # one alone encodes no byte
            return binascii.a2b_base64(digits + "=" * (-len(digits) % 4))
        payload = part.get_payload()
        is_damaged = isinstance(payload, str) and payload.isascii() and _SOFT_END.search(payload)
        if is_damaged and _encoding(part) == "quoted-printable":
            part.set_payload(_SOFT_END.sub("=", str(payload)))
        content = part.get_payload(decode=True)
    except (ValueError, LookupError, AssertionError, TypeError):
        content = b""
    return content if isinstance(content, bytes) else b""


def _encoding(part: Message) -> str:
    return str(part.get("Content-Transfer-Encoding", "")).strip().lower()


def _base64_of(part: Message) -> str | None:
    """The first lines of base64 in a part that declares base64; None for any other part."""
    if _encoding(part) != "base64":
        return None
    try:
        payload = part.get_payload()
    except (ValueError, LookupError, TypeError):
        return ""
    found = _BASE64.match(payload) if isinstance(payload, str) else None
    return re.sub(r"\s+", "", found[0]) if found else ""


def part_text(part: Message) -> str:
    """A part's content as text, even with a wrong transfer encoding or charset."""
    content, encoded = part_bytes(part), _base64_of(part)
    charset = part.get_content_charset() or ""
    if encoded is not None and not _was_base64(encoded, content, charset):
        del part["Content-Transfer-Encoding"]
        content = part_bytes(part)
    if not charset and part.get_content_type() == "text/html":
        named = _META.search(content[:_HEAD])
        charset = named[1].decode("ascii") if named else ""
    return decode_text(content, charset)


def _was_base64(encoded: str, content: bytes, charset: str) -> bool:
    """False for plain text that declares base64: decoded, it is no text."""
    codec = codec_of(charset) or "utf-8"
    readable = _CONTROLS.search(content) is None or codec.startswith("utf-16")
    whole = encoded.endswith("=") or (len(encoded) % 4 == 0 and fits(content, codec))
    return readable and (whole or len(encoded) >= _MIN_BASE64)


def headers_of(letter: Message) -> dict[str, str]:
    """The first value of each field by its lower-case name, unfolded, encoded words left alone."""
    fields = reversed(letter.items())
    return {name.lower(): " ".join(str(value).split()) for name, value in fields}


def header_words(value: str) -> str:
    """A header's text with its encoded words (RFC 2047) decoded."""
    pieces: list[str] = []
    end, charset, pending = 0, "", b""
    for found in _WORD.finditer(value):
        if pending and (found.start() != end or found[1].lower() != charset):
            pieces.append(decode_text(pending, charset))
            pending = b""
        pieces.append(value[end : found.start()])
        # Neighbours are joined first: some programs cut a character in two.
        pending, charset, end = pending + _word_bytes(found), found[1].lower(), found.end()
    return "".join([*pieces, decode_text(pending, charset), value[end:]])


def decode_text(content: bytes, charset: str = "") -> str:
    """Bytes as text: in the charset declared, else as UTF-8, else as windows-1252.

    A declared East Asian charset is kept even if some character is broken.
    """
    if content.startswith(codecs.BOM_UTF8):
        return content[3:].decode("utf-8", errors="replace")
    declared = codec_of(charset)
    if declared.startswith("utf-16") and b"\0" not in content:
        declared = ""  # UTF-16 text with a line end or a Latin letter has zero bytes
    japanese = declared.startswith("iso2022_jp")
    variant = {"cp950": "big5hkscs", "big5hkscs": "cp950"}.get(declared, "")
    for name in (declared, variant, "" if japanese else "utf-8"):
        try:
            if name:
                return content.decode(name)
        except (UnicodeError, ValueError):
            continue
    if japanese:
        return _SHIFTED.sub(_as_shift_jis, content).decode("cp932", errors="replace")
    if declared.startswith(_MULTIBYTE):
        return content.decode(declared, errors="replace")
    text = content.decode("utf-8", errors="replace")
    is_utf8 = sum(mark > "\x7f" for mark in text) > 2 * text.count("\ufffd")
    return text if is_utf8 else content.decode("cp1252", errors="replace")


def _as_shift_jis(found: re.Match[bytes]) -> bytes:
    """A run of ISO-2022-JP as Windows' Shift-JIS, in which two rows share a first byte.

    Windows puts characters that JIS lacks into rows 13 and 89 to 92 (CP50221).
    """
    if found[2]:
        return bytes(byte | 0x80 for byte in found[2])
    pairs, shifted = found[1] or b"", bytearray()
    for row, cell in zip(pairs[::2], pairs[1::2], strict=False):
        shifted.append((row - 0x21) // 2 + (0x81 if row < 0x5F else 0xC1) & 0xFF)
        shifted.append((cell + 0x1F + (cell >= 0x60) if row % 2 else cell + 0x7E) & 0xFF)
    return bytes(shifted)


def body_of(raw: bytes) -> bytes:
    """The body of a letter with LF line ends, and without blank lines at either end.

    Of a large letter it is the beginning: headers, which differ on each way to us, do not count.
    """
    found = re.search(rb"\A(?=\r?\n)|\n\r?\n", raw)
    begin = found.end() if found else len(raw)
    return raw[begin : begin + MAX_BYTES].replace(b"\r\n", b"\n").strip(b"\n")


def _cut_to_limits(raw: bytes) -> bytes:
    if len(raw) > MAX_BYTES:
        raw = raw[:MAX_BYTES].rpartition(b"\n")[0]
    ends = [
        _find_nth(b"\n", raw, MAX_LINES),
        _find_nth(b"content-type", raw.lower(), MAX_TYPED_PARTS),
        _find_nth(b"\n--", raw, MAX_BOUNDARIES),
    ]
    end = min(ends)
    return raw if end >= len(raw) else raw[: raw.rfind(b"\n", 0, end) + 1]


def _find_nth(piece: bytes, raw: bytes, count: int) -> int:
    """The place of a piece behind `count` others; the end if there are no more."""
    *before, rest = raw.split(piece, count + 1)
    return len(raw) - len(rest) - len(piece) if len(before) > count else len(raw)


def _is_letter(part: Message) -> bool:
    """True if the content belongs to another letter, as in a digest."""
    kind = part.get_content_type()
    return kind.startswith("message/") or kind == "multipart/digest"


def is_named(part: Message) -> bool:
    fields = (part.get("Content-Disposition", ""), part.get("Content-Type", ""))
    return any(re.search(r"(?i)\b(?:file)?name\*?(?:0\*?)?\s?=", field) for field in fields)


def is_file(part: Message, endings: str, *kinds: str) -> bool:
    """True if a part has one of these media types, or a file name with such an ending."""
    if part.get_content_type() in kinds:
        return True
    names = re.compile(rf"(?i)name.*\.(?:{endings})\b", re.DOTALL)
    fields = (str(part.get("Content-Disposition", "")), str(part.get("Content-Type", "")))
    return any(names.search(header_words(field)) for field in fields)


def is_enclosed(part: Message) -> bool:
    """True for a file that a person encloses, such as a photo; not for a signature or its logo."""
    is_for_people = part.get_content_maintype() in _ENCLOSED and is_named(part)
    is_shown_in_text = "Content-ID" in part and not _is_attachment(part)
    return is_for_people and not is_shown_in_text and not is_file(part, _FOR_PROGRAMS)


def _word_bytes(found: re.Match[str]) -> bytes:
    content = found[3].encode("utf-8", "replace")
    try:
        if found[2] in "qQ":
            return binascii.a2b_qp(content, header=True)
        return binascii.a2b_base64(content + b"=" * (-len(content) % 4))
    except (binascii.Error, ValueError):
        return content
