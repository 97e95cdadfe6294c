"""HTML letters as text, with what mail programs mark as a quotation cut out of the tree.

Pure; raises `Unreadable` where the parser gives up. A quotation becomes a line `>`, a signature a
line `-- `, and a place from which on everything is quoted ends the text: so `new_text` reads
HTML and plain letters by the same boundaries.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator

from bs4 import BeautifulSoup
from bs4.element import NavigableString, PageElement, PreformattedString, Tag
from bs4.exceptions import ParserRejectedMarkup

from godaemon.errors import Unreadable

MAX_HTML = 256 * 1024
"""How many characters of an HTML part are read; the new text stands at the top of it."""

_QUOTES = frozenset(
    [
        "gmail_quote",
        "gmail_quote_container",
        "gmail_attr",
        "moz-cite-prefix",
        "moz-email-headers-table",
        "yahoo_quoted",
        "yahooquotedtext",
        "protonmail_quote",
        "zmail_extra",
        "front-blockquote",
        "outlookmessageheader",
        "quoted",
        "quotedtext",
        "cite",
        "tutanota_quote",
        "mailmateheader",
        "moz-forward-container",
        "ntes-mailmaster-quote",
        "isreplycontent",
        "isforwardcontent",
        "missive_quote",
        "blockquote_zmail",
        "qt",
        "reply-intro",
        "edo-original",
        "__pbconvbody",
        "messagereplysection",
        "__quoted_text__",
        "quote",
        "xm_compose_origin_mail_container",
    ]
)
"""Identifiers, classes, names and markers of what programs quote: see `_marks`."""

_SIGNATURES = frozenset(
    [
        "gmail_signature",
        "moz-signature",
        "protonmail_signature_block",
        "applemailsignature",
        "signature",
        "ms-outlook-mobile-signature",
        "composer_signature",
        "k9mail-signature",
        "imail_signature",
        "ntes-signature",
        "divneteasemailcard",
        "xm_write_card",
        "messagesignaturesection",
        "__sig_pre__",
        "__sig_post__",
    ]
)
_ENDS = frozenset(
    [
        "divrplyfwdmsg",
        "appendonsend",
        "outlookmessageheader",
        "replysplit",
        "olk_src_body_section",
        "mail-editor-reference-message-container",
        "stopspelling",
        "origbody",
        "ms-outlook-mobile-reference-message",
        "ms-outlook-mobile-body-separator-line",
        "zwchr",
        "__divider__",
        "__headers__",
        "zmail_extra_hr",
        "__pbconvhr",
    ]
)
_HIDDEN = frozenset(["head", "script", "style", "title", "template", "noscript", "object", "svg"])
_BLOCKS = frozenset(
    [
        "address",
        "blockquote",
        "article",
        "caption",
        "center",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "tr",
        "ul",
    ]
)
_OUTLOOK_LINE = re.compile(
    r"(?i)border:\s?none;[^\"]{0,200}border-top:[^;]{0,30}solid|border-style:\s?solid none none"
    r"|border-left:\s?none;[^\"]{0,100}border-top:[^;]{0,30}solid"
    r"|border-top:[^;]{0,30}solid[^;]{0,40};[^\"]{0,100}border-left:\s?none"
)
"""The line that Outlook draws above From, Sent and To, in whichever language these are."""
_UNSEEN = re.compile(
    r"(?i)(?:^|[;\s])(?:display\s?:\s?none|mso-hide:\s?all|visibility\s?:\s?hidden"
    r"|(?:font-size|max-height|opacity)\s?:\s?0(?:px|pt|em|%)?\s*(?:;|!|$))"
)
_KEPT = re.compile(r"(?i)white-space\s?:\s?(?:pre|break-spaces)")
"""What keeps the line ends of the source, as `<pre>` does."""
_INDENTED = re.compile(r"(?i)(?<![-\w])border\s?:\s?none")
"""How Gmail and Apple's Mail write an indented paragraph: as a `<blockquote>` without a line."""
_BARRED = re.compile(r"(?i)border-(?:inline-)?(?:left|start)\s?:\s?(?!none)")
_PREFIX = re.compile(r"(?:x_|aolmail_|yiv\d{1,12}|ydp[0-9a-f]{1,10}|m_-?\d{1,20})*+")
"""What web mail puts before the names that another program gave."""
_DATA = re.compile(r"data:[^\"'<>\s]{200,}")
_TAG = re.compile(r"""</?[A-Za-z](?:[^<>"']++|"[^"]*+"|'[^']*+')*+>""")
_DECLARATION = re.compile(r"<[!?][^>]*+>")
_LONGEST_TAG = 4_000
_MOST_TAGS = 20_000
_BREAK = "\0"
"""Where a block begins or ends: any number of them are one line end, as a browser shows it."""
_BOUNDARY = f"{_BREAK}-----Original Message-----{_BREAK}"


def html_to_text(html: str) -> str:
    """The words of an HTML part, a block a line."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # bs4 warns where a text looks like an address or a file.
        try:
            soup = BeautifulSoup(_tame(html), "html.parser")
        except ParserRejectedMarkup as error:
            message = "We could not read this letter's HTML: send it as plain text, please."
            raise Unreadable(message, detail=str(error)[:200]) from error
    text = "".join(_pieces(soup))
    text = re.sub(r" *\n? *(?:\0 *)+", "\n", text)
    return "\n".join(line.strip(" ") for line in text.split("\n"))


def _tame(html: str) -> str:
    """HTML without comments and declarations, and with every `<` that opens no tag as text.

    Python's parser takes quadratic time over tags that never end; this bounds what it is given.
    """
    html = _DATA.sub("data:", html[: 4 * MAX_HTML])[:MAX_HTML]
    pieces: list[str] = []
    position = 0
    for _ in range(_MOST_TAGS):
        start = html.find("<", position)
        if start < 0:
            return "".join([*pieces, html[position:]])
        pieces.append(html[position:start])
        text, position = _markup(html, start)
        pieces.append(text)
    return "".join(pieces)


def _markup(html: str, start: int) -> tuple[str, int]:
    """What to keep of the markup that starts here, and where it ends."""
    if html.startswith("<!--", start):
        end = html.find("-->", start + 2)
        return "", len(html) if end < 0 else end + 3
    if found := _DECLARATION.match(html, start, start + _LONGEST_TAG):
        return "", found.end()
    if found := _TAG.match(html, start, start + _LONGEST_TAG):
        return found[0], found.end()
    return "&lt;", start + 1


def _pieces(root: Tag) -> Iterator[str]:
    # A stack of our own: a hostile letter nests deeper than Python calls.
    stack: list[tuple[PageElement | str, bool]] = [(root, False)]
    while stack:
        node, kept = stack.pop()
        if isinstance(node, Tag):
            special = _special(node)
            if special is not None:
                yield special
                if special is _BOUNDARY:
                    return
                continue
            block = node.name in _BLOCKS
            if block:
                yield _BREAK
                stack.append((_BREAK, kept))
            if node.name in ("td", "th"):
                yield " "
            inner = kept or node.name == "pre" or _KEPT.search(_style(node)) is not None
            stack.extend((child, inner) for child in reversed(node.contents))
        elif isinstance(node, NavigableString):
            yield _words(node, kept=kept)
        elif isinstance(node, str):
            yield node


def _words(node: NavigableString, *, kept: bool) -> str:
    if isinstance(node, PreformattedString):  # Comments, declarations.
        return ""
    text = str(node).replace(_BREAK, "")
    return text if kept else re.sub(r"[ \t\r\n\f]+", " ", text)


def _special(node: Tag) -> str | None:
    """What stands for a node that is not walked into; None for an ordinary one."""
    name, style = node.name, _style(node)
    if name in _HIDDEN or node.has_attr("hidden") or _UNSEEN.search(style):
        return ""
    if name == "br":
        return "\n"
    if name == "hr":
        return _BOUNDARY if _marks(node) & _ENDS else f"{_BREAK}________{_BREAK}"
    marks = _marks(node)
    if marks & _ENDS or _OUTLOOK_LINE.search(style):
        return _BOUNDARY
    if marks & _QUOTES or (name == "blockquote" and not _is_indented(node, style)):
        return f"{_BREAK}>{_BREAK}"
    return f"{_BREAK}-- {_BREAK}" if marks & _SIGNATURES else None


def _style(node: Tag) -> str:
    return str(node.get("style") or "")[:_LONGEST_TAG] if node.attrs else ""  # as most have not


def _is_indented(node: Tag, style: str) -> bool:
    """True where a quotation is none: a paragraph that its writer has indented."""
    if not _INDENTED.search(style) or _BARRED.search(style):
        return False
    return set(node.attrs) <= {"style", "dir"}


def _marks(node: Tag) -> set[str]:
    """A node's identifier, classes, name and marker, lower-case, as its own program gave them."""
    if not node.attrs:
        return set()
    found: str | list[str] = node.get("class") or ""
    classes = found if isinstance(found, list) else found.split()
    named = [str(node.get(key) or "") for key in ("id", "name", "data-marker")]
    return {_PREFIX.sub("", word.lower(), count=1) for word in [*named, *classes] if word}
