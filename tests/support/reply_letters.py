# ruff: noqa: RUF001 (the languages and marks that letters are written in)
"""Whole letters as mail programs of many makes and languages write them, in answer to one of ours.

Each is what the program's HTML and text look like, around a person's words and our letter quoted;
`letters` sends them in every structure and encoding that such programs use.
"""

from __future__ import annotations

import base64
import quopri
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape

from tests.support.reply_styles import ATTRIBUTIONS, HEADERS, styles

TOP = ("D4", "Nice game so far!")
"""What the person wrote."""

QUOTED = (
    "Bob played Q16 (move 57). Your move, Black.",
    "",
    "RESIGN",
    "",
    "Reply with a point, such as R4, or: pass. Words below it go to Bob.",
    "RESIGN",
    "On Thu, Nov 19, 2026 at 9:00 AM Alice <alice@players.example> wrote:",
    "pass",
    "K10",
)
"""Our letter, an older one of the player's in it, and lines that must never be obeyed."""

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
"""A language, and how its programs say "On ... wrote:"."""

_ENGLISH = HEADERS["english"]


def planted() -> str:
    """What is quoted in `letters`, as HTML."""
    lines = (line.replace("RESIGN", "resign") for line in QUOTED)
    return "".join(f"<div>{escape(line) or '<br>'}</div>" for line in lines)


def _divs() -> str:
    return "".join(f"<div>{line}</div>" for line in TOP)


def _block(language: str, bold: str = "b") -> str:
    lines = HEADERS.get(language, _ENGLISH).split("\n")
    pieces = []
    for line in lines:
        mark = "：" if "：" in line else ":"
        label, _, value = line.partition(mark)
        pieces.append(f"<{bold}>{label}{mark}</{bold}> {escape(value.strip())}")
    return "<br>".join(pieces)


def _said(language: str) -> str:
    return escape(ATTRIBUTIONS[LANGUAGES[language]])


def gmail(language: str, quoted: str) -> str:
    """Gmail in a browser, and its apps."""
    return (
        f'<div dir="ltr">{_divs()}</div><br><div class="gmail_quote gmail_quote_container">'
        f'<div dir="ltr" class="gmail_attr">{_said(language)}<br></div><blockquote'
        f' class="gmail_quote" style="margin:0px 0px 0px 0.8ex">{quoted}</blockquote></div>'
    )


def apple(language: str, quoted: str) -> str:
    """Apple Mail and iPhones."""
    return (
        f'<html><head></head><body style="overflow-wrap: break-word;">{TOP[0]}<div>{TOP[1]}</div>'
        f'<div><br><blockquote type="cite"><div>{_said(language)}</div><br'
        f' class="Apple-interchange-newline"><div>{quoted}</div></blockquote></div></body></html>'
    )


def iphone(language: str, quoted: str) -> str:
    """An iPhone with its signature, the attribution outside of the quotation."""
    return (
        f'<html><body dir="auto">{TOP[0]}<div>{TOP[1]}<br id="lineBreakAtBeginningOfSignature">'
        f'<div dir="ltr">Sent from my iPhone</div><div dir="ltr"><br><blockquote type="cite">'
        f'{_said(language)}<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">'
        f"{quoted}</div></blockquote></div></body></html>"
    )


def outlook(language: str, quoted: str) -> str:
    """Outlook for Windows: no mark but a line above the header block."""
    top = "".join(f'<p class="MsoNormal">{line}<o:p></o:p></p>' for line in TOP)
    return (
        f'<html xmlns:o="urn:schemas-microsoft-com:gateway:gateway"><body lang="EN-US"><div'
        f' class="WordSection1">{top}<p class="MsoNormal"><o:p>&nbsp;</o:p></p><div><div'
        f' style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in">'
        f'<p class="MsoNormal">{_block(language)}<o:p></o:p></p></div></div>'
        f'<p class="MsoNormal"><o:p>&nbsp;</o:p></p>{quoted}</div></body></html>'
    )


def outlook_web(language: str, quoted: str) -> str:
    """Outlook in a browser."""
    return (
        f'<div class="elementToProof" style="font-size: 12pt">{_divs()}</div><div'
        f' id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div'
        f' id="divRplyFwdMsg" dir="ltr"><font face="Calibri">{_block(language)}</font></div>'
        f'<div class="BodyFragment">{quoted}</div>'
    )


def outlook_phone(language: str, quoted: str) -> str:
    """Outlook on a telephone."""
    return (
        f'<div dir="ltr">{_divs()}</div><div id="ms-outlook-mobile-signature" dir="ltr">Get <a'
        ' href="https://aka.ms/o0ukef">Outlook for iOS</a></div><div'
        ' id="mail-editor-reference-message-container" class="ms-outlook-mobile-reference-message'
        f' skipProofing"><hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg">'
        f"{_block(language)}</div>{quoted}</div>"
    )


def outlook_gone(language: str, quoted: str) -> str:
    """A letter of Outlook's that a gateway has stripped of identifiers and styles."""
    return f"<div>{_divs()}<br>{_block(language, 'span')}<br><br>{quoted}</div>"


def thunderbird(language: str, quoted: str) -> str:
    """Thunderbird."""
    return (
        f"<html><head></head><body><p>{TOP[0]}</p><p>{TOP[1]}</p>"
        f'<div class="moz-cite-prefix">{_said(language)}<br></div><blockquote type="cite"'
        f' cite="mid:34@example.org">{quoted}</blockquote><div class="moz-signature">-- <br>'
        f"resign</div></body></html>"
    )


def yahoo(language: str, quoted: str) -> str:
    """Yahoo's web mail."""
    return (
        f'<div class="ydp1f2e3dyahoo-style-wrap"><div dir="ltr">{_divs()}</div></div><div'
        f' id="yahoo_quoted_8123" class="yahoo_quoted"><div style="color:#26282a;"><div>'
        f"{_said(language)}</div><div><div>{quoted}</div></div></div></div>"
    )


def proton(language: str, quoted: str) -> str:
    """Proton Mail."""
    return (
        f'<div style="font-family: Arial;">{_divs()}</div><div class="protonmail_signature_block'
        f' protonmail_signature_block-empty"></div><div class="protonmail_quote">{_said(language)}'
        f'<br><br><blockquote class="protonmail_quote" type="cite">{quoted}</blockquote></div>'
    )


def fastmail(language: str, quoted: str) -> str:
    """Fastmail."""
    return (
        f"{_divs()}<div><br></div><div>{_said(language)}<br></div><blockquote"
        f' type="cite" id="qt" style="">{quoted}</blockquote><div><br></div>'
    )


def zoho(language: str, quoted: str) -> str:
    """Zoho Mail."""
    return (
        f'<div style="font-family: Verdana">{_divs()}<br><div class="zmail_extra_hr"'
        f' style="border-top: 1px solid"></div><div class="zmail_extra" data-zbluepencil-ignore='
        f'"true"><br><div>---- {_said(language)} ---</div><br><blockquote id="blockquote_zmail">'
        f"{quoted}</blockquote></div></div>"
    )


def qq(_language: str, quoted: str) -> str:
    """QQ Mail: a title between rules, and bare divisions."""
    return (
        f'{_divs()}<div><!--emptysign--></div><div><br></div><div><div style="font-size: 12px">'
        f"------------------&nbsp;原始邮件&nbsp;------------------</div><div>{_block('chinese')}"
        f"</div><div>{quoted}</div></div>"
    )


def netease(_language: str, quoted: str) -> str:
    """NetEase 163."""
    return (
        f'<div style="line-height:1.7">{_divs()}<br><p>At 2026-11-20 10:00:00, "Go"'
        f' &lt;go@example.org&gt; wrote:</p><blockquote id="isReplyContent" style="PADDING-LEFT:'
        f' 1ex">{quoted}</blockquote></div>'
    )


def gmx(_language: str, quoted: str) -> str:
    """GMX and Web.de: a division of a name, without a class."""
    return (
        f'<html><head></head><body><div style="font-family: Verdana">{_divs()}<div>&nbsp;<div'
        f' name="quote" style="margin:10px 5px 5px 10px; border-left:2px solid #C3D9E5;"><div>'
        f'{_block("german")}</div><div name="quoted-content">{quoted}</div></div></div></div>'
        "</body></html>"
    )


def mail_ru(language: str, quoted: str) -> str:
    """Mail.ru and Yandex."""
    return (
        f'<HTML><BODY>{_divs()}<br><br><blockquote style="border-left:1px solid #0857A6">'
        f"{_said(language)}<br>&nbsp;<div>{quoted}</div></blockquote></BODY></HTML>"
    )


def naver(_language: str, quoted: str) -> str:
    """Naver and Daum."""
    return (
        f"<html><body><p>{TOP[0]}</p><p>{TOP[1]}</p><p><br></p><div>-----Original"
        f" Message-----<br>{_block('korean')}</div><div>{quoted}</div></body></html>"
    )


def samsung(language: str, quoted: str) -> str:
    """Samsung Email."""
    return (
        f'<html><body>{_divs()}<div><br></div><div id="composer_signature" dir="auto"><div'
        f' style="font-size:12px">Sent from my Galaxy</div></div><div><!-- originalMessage -->'
        f"<div>-------- Original message --------</div><div>{_block(language, 'span')}</div>"
        f"{quoted}</div></body></html>"
    )


def k9(language: str, quoted: str) -> str:
    """K-9 Mail and Thunderbird for Android."""
    return (
        f'<!DOCTYPE html><html><body>{"<br>".join(TOP)}<br><br><div class="gmail_quote"><div'
        f' dir="auto">{_said(language)}</div><blockquote class="gmail_quote">{quoted}'
        f'</blockquote></div><div class="k9mail-signature">-- <br>resign</div></body></html>'
    )


def tuta(language: str, quoted: str) -> str:
    """Tuta."""
    return (
        f'{_divs()}<br><br>{_said(language)}<br><blockquote class="tutanota_quote">{quoted}'
        "</blockquote>"
    )


def spark(language: str, quoted: str) -> str:
    """Spark."""
    return (
        f'<html><body><div name="messageBodySection">{_divs()}</div><div'
        f' name="messageSignatureSection"><br>resign</div><div name="messageReplySection">'
        f'{_said(language)}<br><blockquote type="cite">{quoted}</blockquote></div></body></html>'
    )


def zimbra(language: str, quoted: str) -> str:
    """Zimbra."""
    return (
        f'<html><body><div style="font-size: 12pt">{_divs()}<div data-marker="__SIG_PRE__">resign'
        f'</div><hr id="zwchr" data-marker="__DIVIDER__"><div data-marker="__HEADERS__">'
        f'{_block(language)}</div><div data-marker="__QUOTED_TEXT__">{quoted}</div></div>'
        "</body></html>"
    )


def notes(language: str, quoted: str) -> str:
    """HCL Notes: fonts and breaks, and nothing to tell them by."""
    top = f'<font size=2 face="sans-serif">{"<br>".join(TOP)}</font>'
    return f"{top}<br><br><br>{_block(language, 'font')}<br><hr noshade><br>{quoted}"


def roundcube(language: str, quoted: str) -> str:
    """Roundcube."""
    return (
        f'<html><body><p>{TOP[0]}</p><p>{TOP[1]}</p><p id="reply-intro">{_said(language)}</p>'
        f'<blockquote type="cite" style="padding: 0 0.4em">{quoted}</blockquote></body></html>'
    )


def unmarked(language: str, quoted: str) -> str:
    """A program that says who wrote, and marks nothing."""
    return f"{_divs()}<p>{_said(language)}</p>{quoted}"


def bare(language: str, quoted: str) -> str:
    """A program that only indents, and says nothing, in any language."""
    del language
    return f"<p>{'<br>'.join(TOP)}</p><blockquote>{quoted}</blockquote>"


PROGRAMS: tuple[Callable[[str, str], str], ...] = (
    *(gmail, apple, iphone, outlook, outlook_web, outlook_phone, outlook_gone, thunderbird, yahoo),
    *(proton, fastmail, zoho, qq, netease, gmx, mail_ru, naver, samsung, k9, tuta, spark, zimbra),
    *(notes, roundcube, unmarked, bare),
)
CHARSETS = {
    "german": "iso-8859-1",
    "french": "windows-1252",
    "polish": "iso-8859-2",
    "russian": "koi8-r",
    "japanese": "iso-2022-jp",
    "chinese": "gb2312",
    "korean": "euc-kr",
}
"""What programs of these languages used before UTF-8, and some do now."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A letter as it arrives."""

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
    """Every program in every language, as HTML alone and in the structures programs send.

    `top` is written instead of `TOP`; two empty lines make letters of people who wrote nothing.
    """
    for program in PROGRAMS:
        for language in LANGUAGES:
            name, html = f"{program.__name__}, {language}", program(language, planted())
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
        for transfer in ("base64", "quoted-printable"):
            content = _part("text/plain; format=flowed", body, "utf-8", transfer)
            yield _letter(f"{style.name}, flowed, {transfer}", content)


def _marked() -> list[str]:
    return [f"> {line.replace('RESIGN', 'resign')}".rstrip() for line in QUOTED]
