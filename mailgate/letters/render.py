"""A letter's blocks as plain text and as HTML, by the templates; the same content in both.

Pure but for reading the templates, once. Nothing that a person wrote can become a tag, and no line
of what we write can be read as a command when it comes back quoted.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from html import unescape
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined, Template, select_autoescape
from markupsafe import Markup, escape

from godaemon.diagrams.board_style import USUAL, BoardStyle
from godaemon.diagrams.html_board import (
    PointLinks,
    emptied,
    html_board,
    html_legend,
    html_part,
    html_steps,
    summary,
)
from godaemon.diagrams.part import Part
from godaemon.diagrams.small_board import STYLE, small_board
from godaemon.diagrams.text import legend, text_board, text_part
from mailgate.language.parser import is_command_line
from mailgate.letters.blocks import Block, Choices, Cut, Diagram, LetterBlocks, Offer, Table
from mailgate.letters.mailto import MailtoReply
from mailgate.reading.reply_trimming import MARKER

LIMIT = 98_000
"""How many bytes of HTML a letter may have; Gmail cuts what is longer than 102 kB."""
_ROOM = LIMIT - 15_000
"""Parts of a board behind so many bytes are drawn in signs, so that all of them are seen."""
LARGEST = 625
"""How many points a board may have to be drawn in HTML."""
WIDTH = 78
"""How wide text is (RFC 5322, 2.1.1); only boards of more than 25 columns are wider."""

_ODD = re.compile(r"[^\n -~]")
_SENT = re.compile(r"`([^`]*)`")
_KEY = "font-family:Menlo,Consolas,monospace"
_SEND = "color:#0b57d0;font-weight:bold"
_HIDDEN = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF}
_MARGINS = 24
"""What is kept free beside the board, in CSS pixels."""
_LONG_LINE = re.compile(r"([^\n]{70,}?) ")


_obeyed = lru_cache(maxsize=4096)(is_command_line)
"""The same lines stand in most letters, and a board's rows come back."""


def text_of(letter: LetterBlocks, style: BoardStyle = USUAL) -> str:
    """The letter as plain text, lines ending in a line feed; its boards in that style."""
    text = _template("letter.txt.j2").render(
        letter=letter,
        marker=MARKER,
        text_board=partial(text_board, fancy=style.signs, sides=style.sides),
        legend=partial(legend, fancy=style.signs),
    )
    text = re.sub(r"\n{3,}", "\n\n", printable(text)).strip("\n")
    return "".join(f"{_no_command(line.rstrip())}\n" for line in text.split("\n"))


def html_of(
    letter: LetterBlocks,
    subject: str,
    reply: MailtoReply,
    cid: str = "",
    style: BoardStyle = USUAL,
) -> str:
    """The letter as one HTML page in ASCII, in lines that need no encoding on their way.

    `cid` names the part with the picture that stands for the board; "" where there is none.
    Where it would be cut for its length, the board's links get shorter, or there are none.
    """
    page = ""
    for clicks in (*reply.steps(), None):
        page = _page(letter, subject, reply, clicks, cid, style)
        if len(page) + page.count("\n") <= LIMIT:
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
    page = _template("letter.html.j2").render(
        letter=letter,
        subject=subject,
        marker=MARKER,
        reply=reply,
        clicks=clicks,
        cid=cid,
    )
    plain = printable(page).encode("ascii", "xmlcharrefreplace").decode("ascii")
    whole = _LONG_LINE.sub("\\1\n", plain.strip("\n")) + "\n"
    for block in boards:
        if isinstance(block, Diagram):
            drawn = _board(block, clicks, style)
        else:
            drawn = html_part(block.part)
        if isinstance(block, Cut) and len(whole) + len(drawn) > _ROOM:
            drawn = f"<pre>{text_part(block.part)}</pre>"
        whole = whole.replace("<board>", drawn, 1)
    return _with_small_boards(whole, letter, reply, style)


def _with_small_boards(
    page: str, letter: LetterBlocks, reply: MailtoReply, style: BoardStyle
) -> str:
    """The page with the boards of the games in a list: as many with links as have room, then bare.

    Each link's subject is a word: so a page has room for ten boards of 9x9.
    """
    blocks = [one.board for one in letter.blocks if isinstance(one, Offer) and one.board]
    start = str(escape(replace(reply, subject="Go").start))
    small = partial(small_board, sides=style.sides)
    bare = [small(block.rows, last=block.last) for block in blocks]
    left = LIMIT - _size(page) - sum(map(_size, bare))
    for at in reversed(range(len(bare))):
        if left < 0:
            left, bare[at] = left + _size(bare[at]), ""
    for block, plain_board in zip(blocks, bare, strict=True):
        said = {point: quote(one, safe=":") for point, one in block.sends.items()}
        linked = small(block.rows, last=block.last, start=start, sends=said)
        more = _size(linked) - _size(plain_board)
        fits = plain_board and more <= left
        left -= more if fits else 0
        page = page.replace("<small-board>", linked if fits else plain_board, 1)
    return page


def _size(html: str) -> int:
    """How long it is on its way, where lines end in two characters."""
    return len(html) + html.count("\n")


def _large(block: Diagram) -> bool:
    return len(block.rows) * len(block.rows[0]) > LARGEST


def printable(text: str) -> str:
    """The text without control characters, broken characters, or marks that turn its direction."""
    return _ODD.sub(lambda found: _visible(found[0]), text.expandtabs(4))


@lru_cache(maxsize=4096)
def _visible(mark: str) -> str:
    hidden = unicodedata.category(mark) in {"Cc", "Cs", "Zl", "Zp"} or ord(mark) in _HIDDEN
    return "" if hidden else mark


def wrapped(words: str, *, first: str = "", rest: str = "") -> str:
    """Words in lines of `WIDTH`, broken where no line comes to look like a command."""
    plain = words.replace("`", "")
    lines: list[str] = []
    for width in range(WIDTH, WIDTH - 24, -2):
        lines = textwrap.wrap(
            plain,
            width,
            initial_indent=first,
            subsequent_indent=rest,
            break_long_words=False,
            break_on_hyphens=False,
        )
        if not any(map(_obeyed, lines)):
            break
    return "\n".join(lines)


def paragraph(words: str) -> str:
    """A paragraph; with a word before it where the whole of it, read alone, would be a command."""
    return f"News: {words}" if _obeyed(words.replace("`", "")) else words


def _choices(block: Choices) -> str:
    longest = min(max(len(said) for said, _ in block.rows), 16)
    margin = len(f"  {block.label} ") + longest + 2
    lines = []
    for said, does in block.rows:
        head = f"  {block.label} {said} ".ljust(margin)
        if len(head) > margin:
            lines += [head.rstrip(), wrapped(does, first=" " * margin, rest=" " * margin)]
        else:
            lines.append(wrapped(does, first=head, rest=" " * margin))
    return "\n".join(lines)


def _quoted(lines: Iterable[str]) -> str:
    """A person's words, each line behind a mark at which the reading of replies stops."""
    return "\n".join(wrapped_words(line, "> ") if line.strip() else ">" for line in lines)


def wrapped_words(line: str, mark: str) -> str:
    """Somebody's own line, its backticks kept."""
    kept = textwrap.wrap(line, WIDTH - 6, break_long_words=False, break_on_hyphens=False)
    return "\n".join(mark + part for part in kept)


def _listed(items: Iterable[str]) -> str:
    return "\n".join(wrapped(item, first="- ", rest="  ") for item in items)


def _board(block: Diagram, clicks: MailtoReply | None, style: BoardStyle) -> str:
    """A board in HTML with its legend; a very large one as text, or the letter would be cut."""
    rows, last = block.rows, block.last
    if _large(block):
        explained = f"{legend(rows)}{', ( ) the last move' if last else ''}"
        board = text_board(rows, last=last, sides=style.sides)
        text = escape(f"{board}\n\n{explained}")
        return f'<pre style="font-size:11px;line-height:14px">\n{text}</pre>'
    sends = PointLinks(clicks.start, block.sends, clicks.titled) if clicks else PointLinks("", {})
    drawn = emptied(rows, block.taken)
    explained = html_legend(drawn).encode("ascii", "xmlcharrefreplace").decode("ascii")
    board = html_board(drawn, last=last, links=sends, sides=style.sides)
    return f"{board}\n{explained}"


def _steps(blocks: Iterable[Block]) -> list[tuple[int, int, str]]:
    """How the letter's boards are made smaller on narrow screens, by their columns."""
    shown: dict[int, Sequence[str] | Part] = {
        len(one.part.columns): one.part for one in blocks if isinstance(one, Cut)
    }
    boards = (one.rows for one in blocks if isinstance(one, Diagram) and not _large(one))
    shown |= {len(rows[0]): rows for rows in boards}
    return [(wide, *step) for wide, one in shown.items() for step in html_steps(one, _MARGINS)]


def _columns(table: Table) -> str:
    """A table in columns set apart by two blanks."""
    rows = [row for row in (table.head, *table.rows) if row]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(_cells(row, widths, table.figures)).rstrip() for row in rows]
    if table.total:
        lines.insert(-1, "-" * max(map(len, lines)))
    return "\n".join(f"  {line}" for line in lines)


def _cells(row: Sequence[str], widths: Sequence[int], figures: bool) -> Iterable[str]:  # noqa: FBT001
    for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
        yield cell.rjust(width) if figures and column else cell.ljust(width)


def _no_command(line: str) -> str:
    """The last guard: a line that would read as a command gets a mark before it."""
    if not _obeyed(line):
        return line
    marked = f"... {line.strip()}"
    return f"> {line.strip()}" if _obeyed(marked) else marked


def _marked(words: str, reply: MailtoReply) -> Markup:
    """Words in HTML, with what is to be sent as a link that sends it."""
    return Markup(_SENT.sub(lambda found: _sent(found[1], reply), str(escape(words))))  # noqa: S704


def _sent(escaped: str, reply: MailtoReply) -> str:
    """What is to be sent: a link, or in bold where it is only an example of how to write it."""
    said = unescape(escaped)
    if "@" in said or not _obeyed(said):
        return f'<b style="{_KEY}">{escaped}</b>'
    return f'<a class="s" href="{escape(reply.href(said))}" style="{_KEY};{_SEND}">{escaped}</a>'


def _key(said: str, style: str, reply: MailtoReply, label: str) -> Markup:
    """What can be replied, as a button that sends it; what is only told of is none."""
    if label != Choices.LABEL or not _obeyed(said):
        return Markup('<b class="s" style="{}">{}</b>').format(style, said)
    link = Markup('<a class="s" href="{}" style="{}">{}</a>')
    return link.format(reply.href(said), style, said)


@lru_cache(maxsize=4)
def _template(name: str) -> Template:
    environment = Environment(
        loader=PackageLoader("mailgate.letters", "templates"),
        autoescape=select_autoescape(["html.j2"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "wrapped": wrapped,
        "paragraph": paragraph,
        "steps": _steps,
        "text_part": text_part,
        "heard": lambda block: summary(block.rows, last=block.last),
        "choices": _choices,
        "quoted": _quoted,
        "columns": _columns,
        "listed": _listed,
        "marked": _marked,
        "key": _key,
    }
    environment.globals |= {
        "small_boards": STYLE,
    }
    return environment.get_template(name)
