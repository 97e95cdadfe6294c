"""A letter's blocks in HTML, with a placeholder for each board. Cannot fail.

All words go through `escape_html`, so that no person's words can become a tag. Styles are inline,
because mail programs drop the head of a page.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from html import unescape

from godaemon.diagrams.symbols import Part
from godaemon.diagrams.text import text_board
from godaemon.texts.catalogue import say
from mailgate.letters import blocks as b
from mailgate.letters.page_words import button_words, is_executed, paragraph, spoken_board

BOARD = "<board>"
"""The placeholder of a board: no escaped words contain it."""

_BOARD = '<div class="gw" style="margin:0 0 {}px;overflow-x:auto">\n{}\n</div>\n'
_QUIET = "margin:0 0 12px;font-size:13px;line-height:19px;opacity:0.75"
_MONOSPACE = "font-family:Menlo,Consolas,monospace"
_AWAITED = "padding:12px 18px;border-radius:6px;background-color:#7a4e0e;color:#fff"
"""The button of the awaited reply; other replies are links that are as easy to tap."""
_PRESSED = "display:inline-block;{};margin:0 10px 0 0;font-size:15px;line-height:20px"
_BUTTON = _PRESSED.format(f"{_AWAITED};text-decoration:none")
_LINK = _PRESSED.format("padding:12px 6px 12px 0;font-weight:bold")
_KEY = f"padding:8px 0;{_MONOSPACE};font-weight:bold;white-space:nowrap"
_ALT_TEXT = f"font-size:12px;line-height:15px;white-space:pre;{_MONOSPACE}"
_PASTE = (
    "margin:0 0 14px;padding:8px 10px;border:1px solid #b98a3c;border-radius:4px;"
    f"{_MONOSPACE};font-size:14px;word-break:break-all"
)
_LINE = re.compile(r"(`{1,2})([^`]*)\1")


def escape_html(words: str) -> str:
    words = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return words.replace("'", "&#39;").replace('"', "&#34;")


def link_commands(words: str, reply: b.MailtoReply) -> str:
    """Words in HTML: each command is a link that sends it, and an example of one in bold."""

    def _command_html(found: re.Match[str]) -> str:
        mark, written = found.groups()
        line = unescape(written)
        if mark == "``" or not _is_link(line):
            return f'<b style="{_MONOSPACE}">{written}</b>'
        return _link(reply, line, f"{_MONOSPACE};font-weight:bold", written)

    return _LINE.sub(_command_html, escape_html(words))


def _is_link(line: str) -> bool:
    """True for a command, unless it is an example in which the reader writes their own words."""
    example = "@" in line and ("@example." in line or not line.startswith("new "))
    return is_executed(line) and not example


def _link(reply: b.MailtoReply, line: str, style: str, shown: str) -> str:
    return f'<a href="{escape_html(reply.href(line))}" style="{style}">{shown}</a>'


def html_of_block(
    block: b.Block, reply: b.MailtoReply, *, clicks: bool, cids: Iterator[str]
) -> str:
    """A block with links to `reply`; `clicks` says that the letter's boards have links, too.

    The next of `cids`, if any, is the Content-ID of the picture that replaces a board.
    """
    if isinstance(block, b.Diagram):
        cid = next(cids, "")
        return _diagram(block, reply, cid, clicking=clicks and bool(block.sends) and not cid)
    if isinstance(block, b.Offer):
        title = f"<b>{escape_html(paragraph(block.title))}</b> {escape_html(block.words)}"
        to_game = partial(html_of_block, reply=block.reply, clicks=False, cids=iter(()))
        blocks = "".join(map(to_game, block.blocks))
        return f'<div class="t">\n<p style="margin:0 0 4px">{title}</p>\n</div>\n{blocks}'
    return f'<div class="t">\n{_html_of_text(block, reply)}\n</div>\n'


def _html_of_text(
    block: b.Words | b.Paste | Part | b.Choices | b.Quote | b.Items | b.Table, reply: b.MailtoReply
) -> str:
    match block:
        case b.Words(words, small):
            style = _QUIET if small else "margin:0 0 12px"
            html = f'<p style="{style}">{link_commands(paragraph(words), reply)}</p>\n'
        case b.Paste(line):
            html = f'<p style="{_PASTE}">{escape_html(line)}</p>\n'
        case Part():
            html = _BOARD.format(18, BOARD)
        case b.Choices():
            html = _choices(block, reply)
        case b.Quote():
            html = _quote(block)
        case b.Items(items):
            shown = (link_commands(one, reply) for one in items)
            rows = "".join(f'<li style="margin:0 0 4px">{one}</li>\n' for one in shown)
            html = f'<ul style="margin:0 0 12px;padding-left:22px">\n{rows}</ul>\n'
        case b.Table():
            html = _table(block, reply)
    return html


def _diagram(block: b.Diagram, reply: b.MailtoReply, cid: str, *, clicking: bool) -> str:
    """A board; its replies are above it in the source, and below it on the page."""
    content = _picture(block, cid) if cid else BOARD
    board = _BOARD.format(12, content)
    if block.reply is None:
        return board
    words = block.reply.clicks if clicking and block.reply.clicks else block.reply.words
    question = _choices(replace(block.reply, words=words), reply)
    return (
        '<div style="display:table;table-layout:fixed;width:100%">\n'
        f'<div style="display:table-footer-group">\n<div class="t">\n{question}\n</div>\n</div>\n'
        f'<div style="display:table-header-group">\n{board}</div>\n</div>\n'
    )


def _picture(block: b.Diagram, cid: str) -> str:
    """A board's picture, with words for screen readers, and the board as text if it is blocked."""
    style = f"display:block;max-width:100%;height:auto;border:0;border-radius:6px;{_ALT_TEXT}"
    board = escape_html(text_board(block.rows, last=block.last))
    labels = f'alt="{board}" aria-label="{escape_html(spoken_board(block.rows, block.last))}"'
    return f'<img class="gp" src="cid:{escape_html(cid)}" {labels} style="{style}">'


def _awaited_reply(block: b.Choices) -> str:
    """The line of the filled button, if any: the first of several answers."""
    sent = [line for _, line in block.buttons] or [line for line, _ in block.rows]
    return sent[0] if len(sent) > 1 and block.is_awaited else ""


def _choices(block: b.Choices, reply: b.MailtoReply) -> str:
    """A list of lines; or a question, if any, below the awaited button and above the others."""
    awaited = _awaited_reply(block)
    if block.rows and not block.buttons:
        rows = "".join(_choice(block, *row, reply, awaited) for row in block.rows)
        return f'<ul style="margin:0 0 12px;padding:0;list-style:none">\n{rows}</ul>\n'
    awaited_button = _buttons(reply, [one for one in block.buttons if one[1] == awaited], awaited)
    others = _buttons(reply, [one for one in block.buttons if one[1] != awaited])
    question = link_commands(paragraph(block.words), reply)
    question = f'<p style="margin:0 0 4px">{question}</p>\n' if block.words else ""
    return f"{awaited_button}{question}{others}"


def _choice(block: b.Choices, line: str, does: str, reply: b.MailtoReply, awaited: str) -> str:
    label, key = escape_html(block.label or say("reply-with")), escape_html(line)
    if block.label:
        effect = escape_html(does)
        return f'<li style="margin:0 0 6px">{label} <b style="{_KEY}">{key}</b> {effect}</li>\n'
    style = f"{_BUTTON};{_MONOSPACE}" if line == awaited else _KEY
    sent = all(map(_is_link, line.splitlines()))
    shown = _link(reply, line, style, key) if sent else f'<b style="{_KEY}">{key}</b>'
    effect = f"&nbsp;– {escape_html(does)}" if does else ""
    return f'<li style="margin:0 0 14px">{label} {shown}{effect}</li>\n'


def _quote(block: b.Quote) -> str:
    box = "padding:10px 14px;border:1px solid #c99a4b;border-left-width:4px;border-radius:6px"
    heading = escape_html(paragraph(block.heading))
    lines = "<br>".join(escape_html(line.replace("  ", "\u00a0\u00a0")) for line in block.lines)
    return (
        f'<div style="margin:0 0 14px;{box}">\n'
        f'<p style="margin:0 0 4px;font-size:13px;opacity:0.75">{heading}</p>\n'
        f'<blockquote cite="" lang="" dir="auto" style="margin:0">{lines}</blockquote>\n</div>\n'
    )


def _table(block: b.Table, reply: b.MailtoReply) -> str:
    kind, style = "", "font-size:15px;line-height:21px"
    if not block.figures and len(block.rows[0]) > 2:
        kind, style = ' class="k"', "font-size:14px;line-height:20px"
    rows = _row(block, [*map(escape_html, block.head)], head=True) if block.head else ""
    for at, row in enumerate(block.rows, 1):
        cells = [link_commands(cell, reply) or "&nbsp;" for cell in row]
        rows += _row(block, cells, total=block.total and at == len(block.rows))
    return (
        '<div style="margin:0 0 14px;overflow-x:auto">\n'
        f'<table{kind} cellpadding="0" cellspacing="0" border="0"'
        f' style="border-collapse:collapse;{style}">\n{rows}</table>\n</div>\n'
    )


def _row(table: b.Table, cells: Sequence[str], *, head: bool = False, total: bool = False) -> str:
    """A row of cells in HTML; the first cell is its heading."""
    line, bottom, html = "border-top:1px solid #999;font-weight:bold;" if total else "", 2, ""
    for at, cell in enumerate(cells, 1):
        tag, weight = "td", line
        if head:
            tag, bottom = 'th scope="col"', 4
        elif at == 1:
            tag, weight = 'th scope="row"', line or "font-weight:normal;"
        gap = 0 if at == len(cells) else 10
        side = "right" if table.figures and at > 1 else "left"
        style = f"{weight}padding:2px {gap}px {bottom}px 0;vertical-align:top;text-align:{side}"
        html += f'<{tag} style="{style}">{cell}</{tag[:2]}>\n'
    return f"<tr>{html}</tr>\n"


def _buttons(reply: b.MailtoReply, buttons: Sequence[tuple[str, str]], awaited: str = "") -> str:
    label = button_words if len(buttons) == 1 else str
    links = "".join(
        f"{_link(reply, line, _BUTTON if line == awaited else _LINK, escape_html(label(words)))}\n"
        for words, line in buttons
    )
    return f'<p style="margin:0 0 8px">\n{links}</p>\n' if links else ""
