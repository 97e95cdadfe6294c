"""A letter's blocks as plain text.

Every line is checked, so that none reads as a command if a reply quotes it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from godaemon.diagrams.board_style import USUAL, BoardStyle
from godaemon.diagrams.symbols import Part
from godaemon.diagrams.text import legend, text_board, text_part
from godaemon.records.printable import printable
from godaemon.texts.catalogue import say
from mailgate.letters import blocks as b
from mailgate.letters.page_words import (
    align_left,
    align_right,
    is_executed,
    paragraph,
    width,
    wrap_words,
)
from mailgate.reading.our_sentences import marker

WIDTH = 78
"""The width of text (RFC 5322, 2.1.1); only boards of more than 25 columns are wider."""
_MIN_LAST_COLUMN = 20
"""Minimum width of a table's last column, and maximum of the columns in the middle."""


def text_of(letter: b.LetterBlocks, style: BoardStyle = USUAL) -> str:
    """The letter as plain text with Unix line ends; `style` is the style of its boards."""
    pieces = [wrap_safely(paragraph(letter.first)), marker()]
    for block in letter.blocks:
        pieces += _pieces(block, style)
    lines = re.sub(r"\n{3,}", "\n\n", printable("\n\n".join(pieces))).strip("\n").split("\n")
    return "".join(f"{_disarm_line(line.rstrip())}\n" for line in lines)


def _pieces(block: b.Block, style: BoardStyle) -> Iterator[str]:
    """The parts of a block between blank lines."""
    match block:
        case b.Diagram():
            yield text_board(block.rows, last=block.last, sides=style.sides)
            yield legend(block.rows, last=block.last)
            if block.reply is not None:
                yield _choices(block.reply)
        case b.Offer():
            yield wrap_safely(paragraph(f"{block.title} {block.words}"))
            for one in block.blocks:
                yield from _pieces(one, style)
        case _:
            yield _WRITERS[type(block)](block)


def wrap_safely(words: str, *, first: str = "", rest: str = "") -> str:
    """Words in lines of `WIDTH`, broken so that no line looks like a command."""
    plain = words.replace("`", "")
    lines: list[str] = []
    for columns in range(WIDTH, WIDTH - 24, -2):
        lines = wrap_words(plain, columns, first, rest)
        if not any(map(is_executed, lines)):
            break
    return "\n".join(lines)


def _choices(block: b.Choices) -> str:
    label = block.label or say("reply-with")
    rows = [one for text, does in block.rows for one in _rows(text, does, label)]
    longest = min(max((width(line) for _, line, _ in rows), default=0), 16)
    margin = width(f"  {label} ") + longest + 2
    lines, indent = list[str](), " " * margin
    for begins, line, does in rows:
        head = align_left(f"  {begins} {line} ", margin)
        if not does or width(head) > margin:
            lines.append(head.rstrip())
            head = indent
        if does:
            lines.append(wrap_safely(does, first=head, rest=indent))
    lines += ["", wrap_safely(paragraph(block.words))] if block.words else []
    return "\n".join(lines).lstrip("\n")


def _rows(text: str, does: str, label: str) -> Iterator[tuple[str, str, str]]:
    """The rows of a choice: a label, a line to send, and, only in the last, the effect."""
    lines = text.splitlines()
    below = align_right(say("reply-and"), width(label))
    for at, line in enumerate(lines, 1):
        yield label if at == 1 else below, line, does if at == len(lines) else ""


def _quote(block: b.Quote) -> str:
    """A person's words, each line behind a mark at which the reading of replies stops."""
    lines = [wrap_safely(paragraph(block.heading))]
    for line in block.lines:  # not `wrap_safely`, which drops backticks
        parts = wrap_words(line, WIDTH - 6) if line.strip() else []
        lines += [f"> {part}" for part in parts] or [">"]
    return "\n".join(lines)


def _columns(table: b.Table) -> str:
    rows = [[cell.replace("`", "") for cell in row] for row in (table.head, *table.rows) if row]
    rows = rows if table.figures else _narrow_rows(rows)
    first, *others = [max(map(width, column)) for column in zip(*rows, strict=True)]
    align, lines = align_right if table.figures else align_left, list[str]()
    for head, *cells in rows:
        aligned = map(align, cells, others)
        lines.append("  ".join([align_left(head, first), *aligned]).rstrip())
    if table.total:
        lines.insert(-1, "-" * max(map(width, lines)))
    return "\n".join(f"  {line}" for line in lines)


def _narrow_rows(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The rows, each in as many lines as its cells need to stay within the width of a letter."""
    first, *between = [max(map(width, column)) for column in zip(*rows, strict=True)][:-1]
    widths = [first, *(min(one, _MIN_LAST_COLUMN) for one in between)]
    widest = max(_MIN_LAST_COLUMN, WIDTH - 4 - sum(widths) - 2 * len(widths))
    lines = list[list[str]]()
    for columns in range(widest, _MIN_LAST_COLUMN - 1, -2):
        cells = (map(wrap_words, row, (*widths, columns)) for row in rows)
        lines = [[*line] for one in cells for line in zip_longest(*one, fillvalue="")]
        if not any(is_executed(last) for *before, last in lines if not any(before)):
            break
    return lines


def _disarm_line(line: str) -> str:
    """The last check: put a mark or a word before a line that would be read as a command."""
    if not is_executed(line):
        return line
    bare = line.strip()
    marked = (f"... {bare}", f"| {bare}")
    return next((one for one in marked if not is_executed(one)), say("news", words=bare))


_WRITERS: dict[type[b.Block], Callable[[Any], str]] = {
    b.Words: lambda block: wrap_safely(paragraph(block.words)),
    b.Choices: _choices,
    b.Quote: _quote,
    b.Table: _columns,
    b.Items: lambda block: "\n".join(wrap_safely(f"- {one}", rest="  ") for one in block.items),
    b.Paste: lambda block: f"  {block.line}",
    Part: text_part,
}
"""The writer of each kind of block without a whole board."""
