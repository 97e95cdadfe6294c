"""A letter as one HTML page (`page.html`): its head, and its blocks with their boards.

No person's words can become a tag, and no line of ours reads as a command if a reply quotes it. The
page has short lines of ASCII, which need no transfer encoding.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.resources import files
from itertools import chain
from string import Template

from godaemon.diagrams.board_style import USUAL, BoardStyle
from godaemon.diagrams.html_board import (
    STYLE,
    PointLinks,
    html_board,
    html_part,
    html_steps,
    mark_emptied,
)
from godaemon.diagrams.symbols import Part
from godaemon.diagrams.text import legend, text_board, text_part
from godaemon.records.printable import printable
from godaemon.texts.catalogue import current_language
from mailgate.letters.blocks import Block, Diagram, LetterBlocks, MailtoReply, Offer
from mailgate.letters.html_blocks import BOARD, escape_html, html_of_block, link_commands
from mailgate.letters.page_words import html_legend, paragraph, spoken_board, spoken_part
from mailgate.reading.our_sentences import marker

_BREAKS = {"ko": "keep-all"}
"""CSS `word-break` by language: Korean has spaces between its words."""
MAX_BYTES = 98_000
"""Maximum bytes of HTML in a letter; Gmail cuts a longer one off at 102 kB."""
MAX_FULL_BYTES = 45_000
"""Maximum bytes with full links on the board."""
_FULL_LINK = 170
"""Minimum bytes of a full link on a board."""
MAX_POINTS = 625
"""Maximum number of points of a board that is drawn in HTML."""
_LEGEND = '<p style="margin:6px 0;font-size:13px;line-height:18px">{}</p>'
_MARGINS = 24
"""The margins beside the board, in CSS pixels."""
_LONG_LINE = 70
"""A line is broken at the first space after this many characters."""


def html_of(
    letter: LetterBlocks,
    subject: str,
    reply: MailtoReply,
    cids: Sequence[str] = (),
    style: BoardStyle = USUAL,
) -> str:
    """The letter as one HTML page in short lines of ASCII.

    `cids` are the Content-IDs of the pictures that replace its boards, all of them or none.
    If the page is long, the board's links get shorter; if it would be cut off, they are left out.
    """
    points = sum(len(one.sends) for one in letter.blocks if isinstance(one, Diagram))
    links = reply.shorter_forms() if points else ()
    for clicks in (one for one in links if not one.full or points * _FULL_LINK <= MAX_FULL_BYTES):
        page = _page(letter, subject, reply, clicks, cids, style)
        if _size(page) <= (MAX_FULL_BYTES if clicks.full else MAX_BYTES):
            return page
    return _page(letter, subject, reply, None, cids, style)


def _page(
    letter: LetterBlocks,
    subject: str,
    reply: MailtoReply,
    clicks: MailtoReply | None,
    cids: Sequence[str],
    style: BoardStyle,
) -> str:
    """The page with links to `reply`, and the boards' links, if any, to `clicks`.

    Boards are most of it and need no line breaks, so they replace their placeholders last.
    """
    drawn = [one for one in letter.blocks if not (cids and isinstance(one, Diagram))]
    if any(isinstance(block, Diagram) and block.sends and _is_large(block) for block in drawn):
        clicks = None
    write = partial(html_of_block, reply=reply, clicks=clicks is not None, cids=iter(cids))
    page = _template().substitute(
        language=current_language(),
        breaks=_BREAKS.get(current_language(), "normal"),
        title=escape_html(subject),
        styles=_styles(letter.blocks),
        first=link_commands(paragraph(letter.first), reply),
        marker=escape_html(marker()),
        blocks="".join(map(write, letter.blocks)),
    )
    boards = chain.from_iterable(_forms(block, reply, clicks, style) for block in drawn)
    return _fill_in_boards(_fit_to_send(page), [*boards])


@cache
def _template() -> Template:
    """The page without its words, with styles for phones, dark mode, and changed colours."""
    return Template((files("mailgate.letters") / "page.html").read_text("utf-8"))


def _fill_in_boards(page: str, forms: Sequence[Sequence[str]]) -> str:
    """The page with its boards, each in the best form that leaves room for the boards below."""
    parts, left = page.split(BOARD), MAX_BYTES - _size(page)
    levels = [*zip(*forms, strict=True)] or [()]
    least = next((one for one in levels if sum(map(_size, one)) <= left), levels[-1])
    left -= sum(map(_size, least))
    for at, (candidates, smallest) in enumerate(zip(forms, least, strict=True)):
        room = left + _size(smallest)
        best = next((one for one in candidates if _size(one) <= room), smallest)
        left = room - _size(best)
        parts[at] += best
    return "".join(parts)


def _forms(
    block: Block, reply: MailtoReply, clicks: MailtoReply | None, style: BoardStyle
) -> Iterator[tuple[str, str, str, str]]:
    """The forms of each board in a block, the best first; one in a list may be left out."""
    if isinstance(block, Diagram):
        board = _board(block, clicks, style)
        yield board, board, board, board
    elif isinstance(block, Part):
        drawn, text = html_part(block, spoken_part(block)), text_part(block)
        yield drawn, drawn, drawn, f"<pre>{text}</pre>"
    elif isinstance(block, Offer):
        brief = reply.with_brief_subject()
        for one in block.blocks:
            if isinstance(one, Diagram):
                bare = _board(replace(one, sends={}), brief, style)
                yield _board(one, brief, style), bare, _text(one, style), ""


def _fit_to_send(html: str) -> str:
    """HTML in ASCII and in short lines; mail programs see no difference."""
    return "\n".join(map(_break_line, _ascii(printable(html)).split("\n")))


def _ascii(html: str) -> str:
    return html.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _break_line(line: str) -> str:
    start = 0
    while (at := line.find(" ", start + _LONG_LINE)) >= 0:
        line = f"{line[:at]}\n{line[at + 1 :]}"
        start = at + 1
    return line


def _size(html: str) -> int:
    return len(html.encode("ascii").replace(b"\n", b"\r\n"))  # quicker than counting line ends


def _is_large(block: Diagram) -> bool:
    return len(block.rows) * len(block.rows[0]) > MAX_POINTS


def _board(block: Diagram, clicks: MailtoReply | None, style: BoardStyle) -> str:
    """A board in HTML with its legend; a very large one as text, or the letter would be cut."""
    rows, last = block.rows, block.last
    if _is_large(block):
        return _text(block, style)
    sends = PointLinks(clicks.start, block.sends, clicks.full) if clicks else PointLinks("", {})
    drawn = mark_emptied(rows, block.taken)
    label = spoken_board(drawn, last)
    board = html_board(drawn, last=last, links=sends, sides=style.sides, label=label)
    words = _ascii(escape_html(html_legend(drawn)))
    return f"{board}\n{_LEGEND.format(words)}" if words else board


def _text(block: Diagram, style: BoardStyle) -> str:
    board = text_board(block.rows, last=block.last, sides=style.sides)
    text = _ascii(escape_html(f"{board}\n\n{legend(block.rows, last=block.last)}"))
    return f'<pre style="font-size:11px;line-height:14px">\n{text}</pre>'


def _styles(blocks: Sequence[Block]) -> str:
    """The styles that make boards larger on wide screens, and smaller on narrow ones."""
    shown: dict[int, Sequence[str] | Part] = {
        len(one.columns): one for one in blocks if isinstance(one, Part)
    }
    listed = (one.blocks for one in blocks if isinstance(one, Offer))
    boards = (one for one in chain(blocks, *listed) if isinstance(one, Diagram))
    shown |= {len(one.rows[0]): one.rows for one in boards if not _is_large(one)}
    larger = "".join(
        f"@media ({screen}){{.g{wide}{{font-size:{font}!important}}}}\n"
        for wide, one in shown.items()
        for screen, font in html_steps(one, _MARGINS)
    )
    return f"{STYLE}{larger}" if shown else ""
