"""HTML letters as text, with what mail programs mark as a quotation cut out of the tree.

Raises `Unreadable` if the parser gives up. A quotation becomes a line `>`, a signature a line `--
`, and the text ends where everything below is quoted, so that `new_text` finds the same boundaries
in HTML as in plain letters. We build the tree ourselves, because BeautifulSoup takes half a minute
for a quarter of a megabyte of deep nesting. A blockquote that cites nothing, has no attribution
above it and none of our words in it is its writer's own indented text.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

from godaemon.errors import Unreadable
from mailgate.reading.attribution import find_attribution, find_heading, may_end_attribution
from mailgate.reading.our_sentences import find_our_sentence, is_ours
from mailgate.reading.program_phrases import words
from mailgate.word_sets import words_of

MAX_HTML = 256 * 1024  # characters of an HTML part that are read; the new text is at its top

_QUOTES = frozenset(words("html-quotes"))
_SIGNATURES = frozenset(words("html-signatures"))
_ENDS = frozenset(words("html-ends"))
"""Ids and classes of mail programs; `words/html_marks.toml` explains them."""
_EMPTY = words_of(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track"
    " wbr"
)
"""Elements without an end tag."""
_HIDDEN = words_of("head script style title template noscript object svg")
_BLOCKS = words_of(
    "address blockquote article caption center dd details div dl dt fieldset figure footer form h1"
    " h2 h3 h4 h5 h6 header li main nav ol p pre section summary table tbody tr ul"
)
_OUTLOOK_LINE = re.compile(
    r"(?i)border(?:-left)?:\s?none;[^\"]{0,200}border-top:[^;]{0,30}solid"
    r"|border-style:\s?solid none none"
    r"|border-top:[^;]{0,30}solid[^;]{0,40};[^\"]{0,100}border-left:\s?none"
)
"""The line that Outlook draws above From, Sent and To, in whichever language these are."""
_INVISIBLE = re.compile(
    r"(?i)(?:^|[;\s])(?:display\s?:\s?none|mso-hide:\s?all|visibility\s?:\s?hidden"
    r"|(?:font-size|max-height|opacity)\s?:\s?0(?:px|pt|em|%)?\s*(?:;|!|$))"
)
_KEEPS_LINES = re.compile(r"(?i)white-space\s?:\s?(?:pre|break-spaces)")
"""A style that keeps the line ends of the source, as `<pre>` does."""
_CITES = re.compile(r"(?i)cite|quot")  # in the attributes of a quotation
_BARRED = re.compile(r"(?i)border-(?:inline-)?(?:left|start)\s?:\s?(?!none)")
_PREFIX = re.compile(r"(?:x_|aolmail_|yiv\d{1,12}|ydp[0-9a-f]{1,10}|m_-?\d{1,20})*+")
"""Prefixes that web mail adds to other programs' names."""
_DATA = re.compile(r"data:[^\"'<>\s]{200,}")
_TAG = re.compile(r"""</?[A-Za-z](?:[^<>"']++|"[^"]*+"|'[^']*+')*+>""")
_DECLARATION = re.compile(r"<[!?][^>]*+>")
_MAX_TAG = 4_000
_MAX_TAGS = 6_000  # `MAX_HTML` of our own letters has fewer
_BREAK = "\0"
"""Marks the start or end of a block; several in a row are one line end, as in a browser."""
_INDENT, _OUTDENT = "\1", "\2"
"""These enclose the content of a blockquote; like `_BREAK`, they cannot occur in HTML."""
_MAX_INDENT = 5  # a blockquote nested deeper than this is a quotation: people do not indent so far
_MAX_ABOVE = 8  # lines above a blockquote in which we look for an attribution
_BOUNDARY = f"{_BREAK}-----Original Message-----{_BREAK}"


@dataclass(slots=True)
class _Node:
    """An element, or the root of all."""

    name: str = ""
    attrs: dict[str, str] = field(default_factory=dict)
    contents: "list[_Node | str]" = field(default_factory=list)


class _Tree(HTMLParser):
    """Builds a tree of elements in linear time, at any depth."""

    def __init__(self) -> None:
        super().__init__()
        self.root = _Node()
        self._open = [self.root]
        self._names: Counter[str] = Counter()
        self._text: list[str] = []

    def handle_data(self, data: str) -> None:
        self._text.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = _Node(tag, {key: value or "" for key, value in attrs})
        self.end_text()
        self._open[-1].contents.append(node)
        if tag not in _EMPTY:
            self._open.append(node)
            self._names[tag] += 1

    def handle_endtag(self, tag: str) -> None:
        """Close an element, and the open elements in it."""
        self.end_text()
        while self._names[tag]:
            closed = self._open.pop().name
            self._names[closed] -= 1
            if closed == tag:
                return

    def end_text(self) -> None:
        if self._text:
            self._open[-1].contents.append("".join(self._text))
            self._text.clear()


def html_to_text(html: str) -> str:
    """The words of an HTML part, with a line for each block."""
    tree = _Tree()
    try:
        tree.feed(_clean_markup(re.sub("[\0-\2]", "", html)))
        tree.close()
    except AssertionError as error:
        message = "We could not read this email's HTML: send it as plain text, please."
        raise Unreadable(message, detail=str(error)[:200]) from error
    tree.end_text()
    text = _break_lines("".join(_pieces(tree.root)))
    return "\n".join(_mark_quotations(line.strip(" ") for line in text.split("\n")))


def _mark_quotations(lines: Iterable[str]) -> list[str]:
    """The lines with `>` in place of each quoting blockquote."""
    levels: list[list[str]] = [[]]
    for line in lines:
        if line == _INDENT:
            levels.append([])
        elif line != _OUTDENT:
            levels[-1].append(line)
        else:
            inside, above = levels.pop(), levels[-1][-_MAX_ABOVE:]
            is_quoted = len(levels) > _MAX_INDENT or _is_quoted(inside, above)
            levels[-1] += [">"] if is_quoted else inside
    # A blockquote is still open if a boundary inside it ended the text.
    return levels[0] if len(levels) == 1 else [*levels[0], ">"]


def _is_quoted(inside: Sequence[str], above: Sequence[str]) -> bool:
    """True for a blockquote below an attribution, or with our words or a quotation in it."""
    near = [plain for line in above if (plain := unicodedata.normalize("NFKC", line))]
    last = len(near) - 1
    may_end = bool(near) and may_end_attribution(near, last)
    has_attribution = may_end and find_attribution(near, last) is not None
    ours = find_our_sentence([*inside]) is not None or any(map(is_ours, inside))
    return has_attribution or find_heading(near, len(near)) < len(near) or ours or ">" in inside


def _break_lines(text: str) -> str:
    r"""Turn breaks into line ends: several in a row, and a line end before them, become one.

    >>> _break_lines("a\n \0 \0b")
    'a\nb'
    """
    first, *pieces = [piece.strip(" ") for piece in text.split(_BREAK)]
    if not pieces:
        return first
    inner = [piece.removesuffix("\n") for piece in pieces[:-1] if piece]
    return "\n".join([first.removesuffix("\n"), *inner, pieces[-1]])


def _clean_markup(html: str) -> str:
    """HTML without comments and declarations, and with every `<` that opens no tag as text.

    Python's parser takes quadratic time over tags that never end; this limits its input.
    """
    html = _DATA.sub("data:", html[: 4 * MAX_HTML])[:MAX_HTML]
    pieces: list[str] = []
    position = 0
    for _ in range(_MAX_TAGS):
        start = html.find("<", position)
        if start < 0:
            return "".join([*pieces, html[position:]])
        pieces.append(html[position:start])
        text, position = _read_markup(html, start)
        pieces.append(text)
    return "".join(pieces)


def _read_markup(html: str, start: int) -> tuple[str, int]:
    """The markup at `start` that is kept, and the index of its end."""
    if html.startswith("<!--", start):
        end = html.find("-->", start + 2)
        return "", len(html) if end < 0 else end + 3
    if found := _DECLARATION.match(html, start, start + _MAX_TAG):
        return "", found.end()
    if found := _TAG.match(html, start, start + _MAX_TAG):
        return found[0], found.end()
    return "&lt;", start + 1


def _pieces(root: _Node) -> Iterator[str]:
    # A stack of our own: a hostile letter nests deeper than Python calls.
    stack: list[tuple[_Node | str, bool]] = [(root, False)]
    while stack:
        node, kept = stack.pop()
        if isinstance(node, str):
            yield node if kept else re.sub(r"[ \t\r\n\f]+", " ", node)
            continue
        special = _text_of_special(node)
        if special is not None:
            yield special
            if special is _BOUNDARY:
                return
            continue
        if node.name in _BLOCKS:
            around = (_INDENT, _OUTDENT) if node.name == "blockquote" else ("", "")
            yield f"{_BREAK}{around[0]}{_BREAK}"
            stack.append((f"{_BREAK}{around[1]}{_BREAK}", kept))
        if node.name in ("td", "th"):
            yield " "
        inner = kept or node.name == "pre" or _KEEPS_LINES.search(_style(node)) is not None
        stack.extend((child, inner) for child in reversed(node.contents))


def _text_of_special(node: _Node) -> str | None:
    """The text for a node that is not walked into; None for an ordinary one."""
    name, style = node.name, _style(node)
    if name in _HIDDEN or "hidden" in node.attrs or _INVISIBLE.search(style):
        return ""
    if name == "br":
        return "\n"
    if name == "hr":
        return _BOUNDARY if _identifiers(node) & _ENDS else f"{_BREAK}________{_BREAK}"
    marks = _identifiers(node)
    if marks & _ENDS or _OUTLOOK_LINE.search(style):
        return _BOUNDARY
    if marks & _QUOTES or (name == "blockquote" and _is_citation(node, style)):
        return f"{_BREAK}>{_BREAK}"
    return f"{_BREAK}-- {_BREAK}" if marks & _SIGNATURES else None


def _style(node: _Node) -> str:
    return node.attrs.get("style", "")[:_MAX_TAG]


def _is_citation(node: _Node, style: str) -> bool:
    """True if a blockquote is marked as a quotation, or has a line beside it."""
    words = (word for pair in node.attrs.items() for word in pair)
    return bool(_BARRED.search(style) or _CITES.search(" ".join(words)))


def _identifiers(node: _Node) -> set[str]:
    """A node's id, classes, name and marker in lower case, without web mail's prefixes."""
    if not node.attrs:
        return set()
    classes = node.attrs.get("class", "").split()
    named = [node.attrs.get(key, "") for key in ("id", "name", "data-marker")]
    return {_PREFIX.sub("", word.lower(), count=1) for word in [*named, *classes] if word}
