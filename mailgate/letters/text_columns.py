"""Columns of text: how wide it is in a terminal, and text in lines of some columns. Pure.

Marks of Chinese, Japanese and Korean are two columns wide (Unicode, UAX 11). A line of Chinese or
Japanese may end behind every mark but an opening bracket, and begins with no stop.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata

_WIDE = r"\u3040-\u30ff\u4e00-\u9fff"
_OPENS, _STOPS = (
    r"\u300c\u300e\uff08“",
    r"\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f\uff09\u300d\u300f”",
)
_PIECE = re.compile(rf" |[{_OPENS}]*[{_WIDE}][{_STOPS}]*|[^ {_WIDE}]+")


def width(text: str) -> int:
    """The columns of a text."""
    if text.isascii():
        return len(text)
    return len(text) + sum(unicodedata.east_asian_width(mark) in "WF" for mark in text)


def left(text: str, columns: int) -> str:
    """A text with blanks behind it."""
    return text + " " * (columns - width(text))


def right(text: str, columns: int) -> str:
    """A text with blanks before it."""
    return " " * (columns - width(text)) + text


def in_lines(words: str, columns: int, first: str = "", rest: str = "") -> list[str]:
    """Words in lines that begin with `first` and `rest`; a longer word has a line of its own."""
    if not words or "  " in words or not words.isprintable() or words != words.strip(" "):
        return textwrap.wrap(
            words,
            columns,
            initial_indent=first,
            subsequent_indent=rest,
            break_long_words=False,
            break_on_hyphens=False,
        )
    lines, line, start, blank = list[str](), first, True, ""
    for piece in words.split(" ") if words.isascii() else _PIECE.findall(words):
        if piece == " ":
            blank = " "
        elif start or width(line) + len(blank) + width(piece) <= columns:
            line += ("" if start else blank) + piece
            start, blank = False, " " if words.isascii() else ""
        else:
            lines.append(line)
            line, blank = rest + piece, " " if words.isascii() else ""
    return [*lines, line]
