"""Words on the page of a letter: safe lines, columns, and words about boards.

No line of ours may read as a command if a reply quotes it. Characters of Chinese, Japanese and
Korean are two columns wide (Unicode, UAX 11). A line of Chinese or Japanese may end behind any
character but an opening bracket, and never begins with a stop.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from godaemon.diagrams.html_board import GLYPHS
from godaemon.diagrams.symbols import Part, size_of
from godaemon.diagrams.text import LEGENDS
from godaemon.rules.points import Point
from godaemon.texts.catalogue import say
from mailgate.language.command_lines import is_command_line

is_executed = lru_cache(maxsize=4096)(is_command_line)
"""True if a line would be executed; cached, because most letters have the same lines."""
_WIDE_STOP = re.compile("(?<=[。！？]) ")
"""A space after a full-width stop, which needs none."""


def paragraph(words: str) -> str:
    """A paragraph; if it would read as a command, with a word in front."""
    words = _WIDE_STOP.sub("", words)
    return say("news", words=words) if is_executed(words.replace("`", "")) else words


def button_words(words: str) -> str:
    return f"{words} →" if is_executed(words) else words


_CJK, _OPENS = r"\u3040-\u30ff\u4e00-\u9fff", r"\u300c\u300e\uff08“"
_STOPS = r"\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f\uff09\u300d\u300f”"
_BLANKS = " \u3000"
_PIECE = re.compile(
    rf"[{_BLANKS}]+(?!>)|[{_OPENS}]*[{_CJK}][{_STOPS}]*|(?:[{_BLANKS}]>|[^{_BLANKS}{_CJK}])+"
)
"""The pieces between which a line may be broken; no line may begin with a quotation mark `>`."""
_CONTROLS = dict.fromkeys(b"\n\v\f\r", " ")


def width(text: str) -> int:
    if text.isascii():
        return len(text)
    return len(text) + sum(unicodedata.east_asian_width(mark) in "WF" for mark in text)


def align_left(text: str, columns: int) -> str:
    return text + " " * (columns - width(text))


def align_right(text: str, columns: int) -> str:
    return " " * (columns - width(text)) + text


def wrap_words(words: str, columns: int, first: str = "", rest: str = "") -> list[str]:
    """Words in lines that begin with `first` and `rest`; a longer word has a line of its own.

    Without words there is no line.
    """
    lines, line, blank, used = list[str](), first, "", width(first)
    for piece in _PIECE.findall(words.expandtabs().translate(_CONTROLS)):
        if not piece.strip(_BLANKS):
            blank = piece
            continue
        used += width(blank + piece)
        if used <= columns or line == first:
            line += blank + piece
        else:
            lines.append(line)
            line, used = rest + piece, width(rest + piece)
        blank = ""
    return [*lines, line] if line != first else []


def html_legend(rows: Sequence[str]) -> str:
    """The legend of the signs on a board in HTML, without living stones; "" if it has none."""
    shown = "".join(rows)
    words = [say(LEGENDS[state], sign=GLYPHS[state]) for state in "cx" if state in shown]
    words += [say("legend-squares")] if "B" in shown or "W" in shown else []
    words += [say("legend-taken", sign=GLYPHS["t"])] if "t" in shown else []
    return say("comma").join(words)


def spoken_board(rows: Sequence[str], last: Point | None) -> str:
    stones = "".join(rows)
    black, white = (sum(map(stones.count, states)) for states in ("bc", "wx"))
    key = "board-heard-last" if last else "board-heard"
    return say(key, size=size_of(rows), black=black, white=white, point=last)


def spoken_part(part: Part) -> str:
    """A screen reader's words for a part of a board: its marks."""
    marks = [say("part-played", point=part.last)] if part.last else []
    marks += [say("part-sign", sign=sign, point=point) for point, sign in part.signs.items()]
    return say("part-heard", marks=say("comma").join(marks))
