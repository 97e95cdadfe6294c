"""A letter's blocks as plain text. Pure.

Every line of it is looked at before it goes out, so that none can be read as a command when it
comes back quoted; but for those of boards, which are none (`godaemon.diagrams.text`).
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from godaemon.diagrams.board_style import USUAL, BoardStyle
from godaemon.diagrams.text import legend, text_board, text_part
from godaemon.records.printable import printable
from mailgate.letters.blocks import (
    Block,
    Choices,
    Cut,
    Diagram,
    Items,
    LetterBlocks,
    Offer,
    Paste,
    Quote,
    Table,
    Todo,
    Words,
)
from mailgate.letters.safe_words import obeyed, paragraph
from mailgate.reading.reply_trimming import MARKER

WIDTH = 78
"""How wide text is (RFC 5322, 2.1.1); only boards of more than 25 columns are wider."""
_NARROWEST = 20
"""How wide the last column of a table is, whatever stands before it."""
NARROW = 4
"""On a board of so few columns a row may look like a move."""

_DRAWN = "\0"
"""Stands for a board until all else has been looked at; nothing else can hold it."""


def text_of(letter: LetterBlocks, style: BoardStyle = USUAL) -> str:
    """The letter as plain text, lines ending in a line feed; its boards in that style."""
    boards: list[str] = []
    pieces = [printable(wrapped(paragraph(letter.first))), MARKER]
    for block in letter.blocks:
        pieces += _pieces(block, style, boards)
    lines = re.sub(r"\n{3,}", "\n\n", "\n\n".join(pieces)).strip("\n").split("\n")
    drawn = iter(boards)
    return "".join(
        [f"{next(drawn) if one == _DRAWN else _no_command(one.rstrip())}\n" for one in lines]
    )


def _pieces(block: Block, style: BoardStyle, boards: list[str]) -> Iterator[str]:
    """What a block has that blank lines set apart; the boards in it are put down elsewhere."""
    match block:
        case Diagram():
            yield _drawn(block, style, boards)
            last = ", ( ) the last move" if block.last else ""
            yield legend(block.rows, fancy=style.signs) + last
            if block.reply is not None:
                yield printable(_WRITERS[type(block.reply)](block.reply))
        case Offer():
            yield from _offer(block, style, boards)
        case _:
            yield printable(_WRITERS[type(block)](block))


def _drawn(block: Diagram, style: BoardStyle, boards: list[str]) -> str:
    board = text_board(block.rows, last=block.last, fancy=style.signs, sides=style.sides)
    if len(block.rows[0]) <= NARROW:
        return board
    boards.append(board)
    return _DRAWN


def _offer(block: Offer, style: BoardStyle, boards: list[str]) -> Iterator[str]:
    head = printable(wrapped(paragraph(f"{block.title} {block.words}")))
    choices = printable(_choices(block.rows))
    if not (block.said or block.board):
        yield f"{head}\n{choices}"
        return
    yield head
    yield from map(printable, map(_quote, block.said))
    if block.board is not None:
        yield from _pieces(block.board, style, boards)
    yield choices


def wrapped(words: str, *, first: str = "", rest: str = "") -> str:
    """Words in lines of `WIDTH`, broken where no line comes to look like a command."""
    plain = words.replace("`", "")
    lines: list[str] = []
    for width in range(WIDTH, WIDTH - 24, -2):
        lines = _in_lines(plain, width, first, rest)
        if not any(map(obeyed, lines)):
            break
    return "\n".join(lines)


def _in_lines(words: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """What `textwrap` makes of words, without its pains where single blanks part them."""
    if not words or "  " in words or not words.isprintable() or words != words.strip(" "):
        return textwrap.wrap(
            words,
            width,
            initial_indent=first,
            subsequent_indent=rest,
            break_long_words=False,
            break_on_hyphens=False,
        )
    begun, *others = words.split(" ")
    lines, line = [], first + begun
    for word in others:
        if len(line) + len(word) < width:
            line = f"{line} {word}"
        else:
            lines.append(line)
            line = rest + word
    return [*lines, line]


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


def _quote(block: Quote) -> str:
    """A person's words, each line behind a mark at which the reading of replies stops."""
    lines = [wrapped(paragraph(block.whose))]
    for line in block.lines:  # not `wrapped`, as their backticks are kept
        parts = _in_lines(line, WIDTH - 6) if line.strip() else []
        lines += [f"> {part}" for part in parts] or [">"]
    return "\n".join(lines)


def _columns(table: Table) -> str:
    """A table in columns set apart by two blanks."""
    rows = [row for row in (table.head, *table.rows) if row]
    if not table.figures:
        rows = [line for row in rows for line in _narrow(row, rows)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(_cells(row, widths, table.figures)).rstrip() for row in rows]
    if table.total:
        lines.insert(-1, "-" * max(map(len, lines)))
    return "\n".join(f"  {line}" for line in lines)


def _narrow(row: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterable[tuple[str, ...]]:
    """A row in as many lines as its last cell needs to stay within the width of a letter."""
    *first, last = row
    taken = sum(max(len(one[column]) for one in rows) + 2 for column in range(len(first)))
    for number, part in enumerate(_in_lines(last, max(_NARROWEST, WIDTH - 4 - taken)) or [""]):
        yield (*(first if not number else [""] * len(first)), part)


def _cells(row: Sequence[str], widths: Sequence[int], figures: bool) -> Iterable[str]:  # noqa: FBT001
    for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
        yield cell.rjust(width) if figures and column else cell.ljust(width)


def _no_command(line: str) -> str:
    """The last guard: a line that would read as a command gets a mark before it."""
    if not obeyed(line):
        return line
    marked = f"... {line.strip()}"
    return f"> {line.strip()}" if obeyed(marked) else marked


_WRITERS: dict[type[Block], Callable[[Any], str]] = {
    Words: lambda block: wrapped(paragraph(block.words)),
    Todo: lambda block: wrapped(paragraph(block.words)),
    Choices: _choices,
    Quote: _quote,
    Table: _columns,
    Items: lambda block: "\n".join(wrapped(one, first="- ", rest="  ") for one in block.items),
    Paste: lambda block: f"  {block.line}",
    Cut: lambda block: text_part(block.part),
}
"""How the blocks are written that hold no whole board."""
