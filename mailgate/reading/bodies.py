"""The words of a letter: which of its parts a person reads, and what stands in that one.

Pure; raises `Unreadable` where an HTML part cannot be taken apart. A part that is no attachment but
has a name is a file that somebody added, and is read only where there are no other words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from email.message import Message

from mailgate.reading import mime, opaque_parts
from mailgate.reading.html_text import html_to_text
from mailgate.reading.reply_trimming import fold_space
from mailgate.word_sets import words_of

MAX_TEXT = 64 * 1024
"""How many characters of a letter's text are read."""

_PLAIN = words_of("text/plain text/markdown text/x-markdown")
_MARKED_UP = words_of("text/html text/enriched text/richtext")
_LINE_ENDS = re.compile(r"\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
"""Outlook breaks lines with a vertical tab, some telephones with U+2028."""
_HTML = re.compile(r"(?i)\s*<(?:!doctype html|html|head|body|div|p|span|table)\b[^<>]{0,500}>")
"""How HTML begins that a program sends as plain text."""
_NO_HTML_SHOWN = re.compile(
    r"(?i)\W*(?:this (?:e-?mail|message|is)|your (?:e-?mail|mail)|to (?:view|read) this|sorry)\b"
    r".{0,120}\bhtml\b.{0,120}",
    re.DOTALL,
)
"""What programs write in the place of the words, for readers without HTML."""
_NARROWEST = 40
"""No program wraps lines at less: what is shorter was ended by hand."""


def text_of(letter: Message) -> str:
    """The plain part that has words; else the HTML one as text; bounded at the end of a line."""
    parts = list(mime.parts(letter))
    files = [part for part in parts if mime.is_named(part)] if len(parts) > 1 else []
    text = _words([part for part in parts if part not in files] if files else parts)
    return _bounded(text or _words(files) or _lines(opaque_parts.tnef_text(letter)))


def _words(parts: Iterable[Message]) -> str:
    html = instead = ""
    for part in parts:
        kind = part.get_content_type()
        # What says that it has parts, and has none, was sent by a program that lost its boundary.
        if kind in _PLAIN or kind.startswith("multipart/"):
            text = _flowed(part, _bounded(_lines(mime.part_text(part))))
            if _HTML.match(text):
                html = html or html_to_text(text)
            elif len(text) < MAX_TEXT and _NO_HTML_SHOWN.fullmatch(text[:500]):
                instead = text
            elif any(fold_space(line) for line in text.split("\n")):
                return opaque_parts.clear_signed(text)
        elif kind in _MARKED_UP and not html.strip():
            html = html_to_text(_enriched(mime.part_text(part), kind))
    return _lines(html) if html.strip() else instead


def _enriched(text: str, kind: str) -> str:
    """Enriched text (RFC 1896), whose paragraphs are apart by blank lines, as HTML."""
    return text if kind == "text/html" else re.sub(r"\r?\n\s*\n", "<p>", text[:MAX_TEXT])


def _lines(text: str) -> str:
    """Text with its line ends as LF and without NUL."""
    return _LINE_ENDS.sub("\n", text).replace("\0", "")


def _bounded(text: str) -> str:
    if len(text) <= MAX_TEXT:
        return text
    cut = text[:MAX_TEXT]
    return cut.rpartition("\n")[0] or cut


def _flowed(part: Message, text: str) -> str:
    """format=flowed undone (RFC 3676): soft line ends of unquoted paragraphs joined again.

    Quoted lines are left as they are: nobody reads them, and joining could lose their marks. A
    space at the end of a short line, `D4 `, is a slip and no soft line end.
    """
    if str(part.get_param("format") or "").lower() != "flowed":
        return text
    delete = str(part.get_param("delsp") or "").lower() == "yes"
    done: list[str] = []
    soft = False
    for line in text.split("\n"):
        quoted = line.startswith(">")
        plain = line if quoted else line.removeprefix(" ")
        if soft and not quoted and plain != "-- ":
            done[-1] += plain
        else:
            done.append(plain)
        soft = not quoted and plain.endswith(" ") and plain != "-- "
        soft = soft and (delete or len(plain) >= _NARROWEST)
        if soft and delete:
            done[-1] = done[-1][:-1]
    return "\n".join(done)
