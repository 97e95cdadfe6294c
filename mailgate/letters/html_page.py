"""A letter as one HTML page: its head, and its blocks with their boards. Pure.

Nothing that a person wrote can become a tag, and no line of what we write can be read as a command
when it comes back quoted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from urllib.parse import quote

from godaemon.diagrams.board_style import USUAL, BoardStyle
from godaemon.diagrams.html_board import (
    PointLinks,
    emptied,
    html_board,
    html_part,
    html_steps,
)
from godaemon.diagrams.part import Part
from godaemon.diagrams.small_board import STYLE, small_board
from godaemon.diagrams.text import text_board, text_part
from godaemon.records.printable import printable
from godaemon.texts.catalogue import spoken
from mailgate.letters.blocks import Block, Cut, Diagram, LetterBlocks, Offer
from mailgate.letters.board_words import heard, html_legend, legend, part_heard
from mailgate.letters.html_blocks import BOARD, SMALL_BOARD, escaped, html_of_block, marked
from mailgate.letters.html_head import head
from mailgate.letters.mailto import MailtoReply
from mailgate.letters.safe_words import paragraph
from mailgate.reading.own_text import marker

LIMIT = 98_000
"""How many bytes of HTML a letter may have; Gmail cuts what is longer than 102 kB."""
_ROOM = LIMIT - 15_000
"""Parts of a board behind so many bytes are drawn in signs, so that all of them are seen."""
LARGEST = 625
"""How many points a board may have to be drawn in HTML."""

_FIRST = (
    '<h1 class="t" style="margin:0 0 2px;font-size:18px;line-height:25px;font-weight:bold">'
    "{}</h1>\n"
    '<p class="t" style="margin:0 0 14px;font-size:11px;line-height:15px;opacity:0.75">\n{}</p>\n'
)
_LEGEND = '<p style="margin:6px 0;font-size:13px;line-height:18px">{}</p>'
_END = "</div>\n</body>\n</html>\n"
_MARGINS = 24
"""What is kept free beside the board, in CSS pixels."""
_LONG_LINE = 70
"""From so many characters on a line is broken at its next blank."""


def html_of(
    letter: LetterBlocks, subject: str, reply: MailtoReply, cid: str = "", style: BoardStyle = USUAL
) -> str:
    """The letter as one HTML page in ASCII, in lines that need no encoding on their way.

    `cid` names the part with the picture that stands for the board; "" where there is none.
    Where it would be cut for its length, the board's links get shorter, or there are none.
    """
    page = ""
    for clicks in (*reply.steps(), None):
        page = _page(letter, subject, reply, clicks, cid, style)
        if _size(page) <= LIMIT:
            break
    return page


def _page(
    letter: LetterBlocks,
    subject: str,
    reply: MailtoReply,
    clicks: MailtoReply | None,
    cid: str,
    style: BoardStyle,
) -> str:
    """The page with all links to `reply` but for the board's, which go to `clicks`, if anywhere.

    Boards are most of it and fit to be sent as they are, so they are set in at the very end, where
    the template has a tag that no person's words can make.
    """
    boards = [
        block
        for block in letter.blocks
        if isinstance(block, Cut) or (isinstance(block, Diagram) and not cid)
    ]
    if any(isinstance(block, Diagram) and block.sends and _large(block) for block in boards):
        clicks = None
    write = partial(html_of_block, reply=reply, clicks=clicks is not None, cid=cid)
    first = _FIRST.format(marked(paragraph(letter.first), reply), escaped(marker()))
    title = _fit_to_send(f"<title>{escaped(subject)}</title>")
    body = _fit_to_send("".join((first, *map(write, letter.blocks), _END)))
    whole = _with_boards(
        head(title, _styles(letter.blocks), spoken()) + body, boards, clicks, style
    )
    return _with_small_boards(whole, letter, reply, style)


def _with_boards(
    page: str, boards: Sequence[Cut | Diagram], clicks: MailtoReply | None, style: BoardStyle
) -> str:
    """The page with its boards where they belong."""
    first, *others = page.split(BOARD)
    size, pieces = len(page), [first]
    for block, below in zip(boards, others, strict=True):
        if isinstance(block, Diagram):
            drawn = _board(block, clicks, style)
        else:
            drawn = html_part(block.part, part_heard(block.part))
        if isinstance(block, Cut) and size + len(drawn) > _ROOM:
            drawn = f"<pre>{text_part(block.part)}</pre>"
        size += len(drawn) - len(BOARD)
        pieces += [drawn, below]
    return "".join(pieces)


def _fit_to_send(html: str) -> str:
    """HTML in ASCII and in short lines; mail programs see no difference."""
    return "\n".join(map(_broken, _ascii(printable(html)).split("\n")))


def _ascii(html: str) -> str:
    return html.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _broken(line: str) -> str:
    begun = 0
    while (at := line.find(" ", begun + _LONG_LINE)) >= 0:
        line = f"{line[:at]}\n{line[at + 1 :]}"
        begun = at + 1
    return line


def _with_small_boards(
    page: str, letter: LetterBlocks, reply: MailtoReply, style: BoardStyle
) -> str:
    """The page with the boards of the games in a list: as many with links as have room, then bare.

    Each link's subject is a word: so a page has room for ten boards of 9x9.
    """
    blocks = [one.board for one in letter.blocks if isinstance(one, Offer) and one.board]
    if not blocks:
        return page
    start = escaped(replace(reply, subject="Go").start)
    small = partial(small_board, sides=style.sides)
    names = [heard(block.rows, block.last) for block in blocks]
    bare = [
        small(block.rows, last=block.last, heard=named)
        for block, named in zip(blocks, names, strict=True)
    ]
    left = LIMIT - _size(page) - sum(map(_size, bare))
    for at in reversed(range(len(bare))):
        if left < 0:
            left, bare[at] = left + _size(bare[at]), ""
    for block, plain_board, named in zip(blocks, bare, names, strict=True):
        said = {point: quote(one, safe=":") for point, one in block.sends.items()}
        linked = small(block.rows, last=block.last, start=start, sends=said, heard=named)
        more = _size(linked) - _size(plain_board)
        fits = plain_board and more <= left
        left -= more if fits else 0
        page = page.replace(SMALL_BOARD, linked if fits else plain_board, 1)
    return page


def _size(html: str) -> int:
    """How long it is on its way, where lines end in two characters."""
    return len(html.encode("ascii").replace(b"\n", b"\r\n"))  # counting them takes longer


def _large(block: Diagram) -> bool:
    return len(block.rows) * len(block.rows[0]) > LARGEST


def _board(block: Diagram, clicks: MailtoReply | None, style: BoardStyle) -> str:
    """A board in HTML with its legend; a very large one as text, or the letter would be cut."""
    rows, last = block.rows, block.last
    if _large(block):
        board = text_board(rows, last=last, sides=style.sides)
        text = _ascii(escaped(f"{board}\n\n{legend(rows, last)}"))
        return f'<pre style="font-size:11px;line-height:14px">\n{text}</pre>'
    sends = PointLinks(clicks.start, block.sends, clicks.titled) if clicks else PointLinks("", {})
    drawn = emptied(rows, block.taken)
    board = html_board(drawn, last=last, links=sends, sides=style.sides, heard=heard(drawn, last))
    words = _ascii(escaped(html_legend(drawn)))
    return f"{board}\n{_LEGEND.format(words)}" if words else board


def _styles(blocks: Sequence[Block]) -> str:
    """What small boards need, and how the others are made smaller on narrow screens."""
    shown: dict[int, Sequence[str] | Part] = {
        len(one.part.columns): one.part for one in blocks if isinstance(one, Cut)
    }
    boards = (one.rows for one in blocks if isinstance(one, Diagram) and not _large(one))
    shown |= {len(rows[0]): rows for rows in boards}
    small = f"{_SMALL_BOARDS}\n" if any(isinstance(one, Offer) for one in blocks) else ""
    return small + "".join(
        f"@media (max-width:{below}px) {{ .g{wide} {{ font-size: {font} !important }} }}\n"
        for wide, one in shown.items()
        for below, font in html_steps(one, _MARGINS)
    )


_SMALL_BOARDS = _fit_to_send(STYLE)
