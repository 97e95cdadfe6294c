# ruff: noqa: RUF001 (languages and punctuation of the letters)
"""Replies as mail programs of many kinds and languages write them.

Each has a program's HTML or text with a person's words and a quotation of our letter; `letters`
has them in every structure and encoding that such programs use.
"""

import base64
import quopri
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from html import escape

from tests.support.blocks import read_blocks
from tests.support.reply_styles import ATTRIBUTIONS, FOLDER, HEADERS, styles

TOP = ("D4", "Nice game so far!")
"""The person's words."""

QUOTED = (
    "Bob played Q16 (move 57). Your move, Black.",
    "",
    "RESIGN",
    "",
    "Reply with your move, such as R4, or: pass. Words below it go to Bob.",
    "RESIGN",
    "On Thu, Nov 19, 2026 at 9:00 AM Alice <alice@players.example> wrote:",
    "pass",
    "K10",
)
"""Our letter with an older one quoted, and lines that must never be obeyed."""

LANGUAGES = {
    "english": "english, Gmail",
    "german": "german",
    "french": "french",
    "dutch": "dutch",
    "spanish": "spanish",
    "italian": "italian",
    "portuguese": "portuguese",
    "swedish": "swedish",
    "polish": "polish",
    "russian": "russian, wrote",
    "japanese": "japanese, wrote",
    "chinese": "chinese",
    "korean": "korean",
}
"""The attribution ("On ... wrote:") of each language, as a key of `ATTRIBUTIONS`."""

_ENGLISH = HEADERS["english"]


def quotation_html() -> str:
    """The quotation in `letters`, as HTML."""
    lines = (line.replace("RESIGN", "resign") for line in QUOTED)
    return "".join(f"<div>{escape(line) or '<br>'}</div>" for line in lines)


def _block(language: str, bold: str = "b") -> str:
    lines = HEADERS.get(language, _ENGLISH).split("\n")
    pieces = []
    for line in lines:
        mark = "：" if "：" in line else ":"
        label, _, value = line.partition(mark)
        pieces.append(f"<{bold}>{label}{mark}</{bold}> {escape(value.strip())}")
    return "<br>".join(pieces)


def _page(shape: str, language: str, quoted: str) -> str:
    """A program's HTML with `TOP` and a quotation."""
    others = {name: _block(name) for name in ("chinese", "german", "korean")}
    return shape.format(
        words="".join(f"<div>{line}</div>" for line in TOP),
        move=TOP[0],
        talk=TOP[1],
        said=escape(ATTRIBUTIONS[LANGUAGES[language]]),
        block=_block(language),
        block_span=_block(language, "span"),
        block_font=_block(language, "font"),
        quoted=quoted,
        **others,
    )


PROGRAMS: Mapping[str, Callable[[str, str], str]] = {
    name: partial(_page, shape.replace("\n", ""))
    for name, shape in read_blocks(FOLDER / "programs.txt").items()
}
"""The HTML of each program, by language and quotation."""
CHARSETS = {
    "german": "iso-8859-1",
    "french": "windows-1252",
    "polish": "iso-8859-2",
    "russian": "koi8-r",
    "japanese": "iso-2022-jp",
    "chinese": "gb2312",
    "korean": "euc-kr",
}
"""The usual charsets before UTF-8."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A raw letter."""

    name: str
    raw: bytes


def _encoded(text: str, charset: str, transfer: str) -> bytes:
    content = text.encode(charset, "replace")
    if transfer == "base64":
        return base64.encodebytes(content)
    return quopri.encodestring(content) if transfer == "quoted-printable" else content


def _part(kind: str, text: str, charset: str, transfer: str) -> bytes:
    head = f"Content-Type: {kind}; charset={charset}\nContent-Transfer-Encoding: {transfer}\n\n"
    return head.encode() + _encoded(text, charset, transfer)


def _multi(kind: str, *parts: bytes) -> bytes:
    head = f"Content-Type: multipart/{kind}; boundary={kind}-b\n\n".encode()
    inner = b"".join(b"--%s-b\n%s\n" % (kind.encode(), part) for part in parts)
    return head + inner + b"--%s-b--\n" % kind.encode()


_PNG = b"Content-Type: image/png; name=x.png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n"
_KEY = b"Content-Type: application/pgp-signature; name=signature.asc\n\n-----BEGIN PGP\n"


def _letter(name: str, content: bytes) -> Sent:
    head = b"From: Bob <bob@players.example>\nSubject: Re: Go game 34\nMIME-Version: 1.0\n"
    return Sent(name, head + content)


def letters(top: tuple[str, str] = TOP) -> Iterator[Sent]:
    """Every program in every language and structure; `top` replaces the words `TOP`."""
    for make, program in PROGRAMS.items():
        for language in LANGUAGES:
            name, html = f"{make}, {language}", program(language, quotation_html())
            html = html.replace(TOP[0], top[0]).replace(TOP[1], top[1])
            plain = "\n".join((*top, "", ATTRIBUTIONS[LANGUAGES[language]], *_marked()))
            charset = CHARSETS.get(language, "utf-8")
            alone = _part("text/html", html, "utf-8", "quoted-printable")
            old = _part("text/html", html, charset, "base64")
            both = _multi("alternative", _part("text/plain", plain, "utf-8", "8bit"), alone)
            yield _letter(f"{name}, HTML", alone)
            yield _letter(f"{name}, HTML in {charset}", old)
            yield _letter(f"{name}, with a picture", _multi("mixed", _multi("related", old, _PNG)))
            yield _letter(f"{name}, both, signed", _multi("signed", both, _KEY))
    for style in styles():
        body = f"{top[0]}\n{top[1]}\n\n{style.below.replace('RESIGN', 'resign')}\n"
        yield _letter(f"{style.name}, text", _part("text/plain", body, "utf-8", "8bit"))
        flowed = _part("text/plain; format=flowed", body, "utf-8", "quoted-printable")
        yield _letter(f"{style.name}, flowed", flowed)


def _marked() -> list[str]:
    return [f"> {line.replace('RESIGN', 'resign')}".rstrip() for line in QUOTED]
