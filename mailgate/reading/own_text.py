"""Sentences of our own letters that may stand, quoted without any mark, in somebody's answer.

Pure; raises nothing. Nothing of it is ever a command; here it is known so that it is not taken for
the words of whoever sends it back either.
"""

from __future__ import annotations

import re

MARKER = "-- reply above this line --"
"""The line that our letters carry above all else; nothing at or below it is ever read."""

FULL = 60
"""A line of this length may have been wrapped, and the line right under it be its rest."""

_MARK = MARKER.strip("- ")
_MARK_BROKEN = re.compile(r"-- reply(?: above(?: this)?)?$")
"""Where a program has broken that line."""
_ABOUT_A_GAME = re.compile(
    r"\b[Gg]ame \d{1,9}\b|\bit is your (?:turn|move)\b|\bis to move\b|\(move \d{1,4}\)"
)
"""What the first sentence of a letter about a game says."""
_SURELY_OURS = re.compile(
    r"\bThis is game \d{1,9} after move \d|\bYou are (?:Black|White) and it is (?:your|[A-Z])"
    r"|^Game \d{1,9} (?:against .{1,80} has started|is over)|\binvites you to a game of Go by email"
    r"|^Shall I invite .{1,80} to a game of Go\?|^You play Go by answering my letters"
)
"""What nobody but us writes, wherever it stands."""
_OUR_LINE = re.compile(
    r"(?:[-•*] ?)?(?:Reply with: |What would work: |Click or tap (?:the point|a stone) you? )"
    r"|(?:[A-HJ-Z] ){4,}[A-Z]?$|X black, O white\b|Last move:|Prisoners:"
    r"|In atari: |Nothing is in atari\.|Marked dead: |No stone is marked dead\."
)
"""Lines that our letters have below the marker, for programs that lose it."""
_SHORTEST = 9
_SENTENCE = 3
"""Of how many words at least our sentences are."""


def is_ours(line: str) -> bool:
    """True where a line is our marker, in any dress, or one that stands below it."""
    if len(line) < _SHORTEST:
        return False
    return bool(_OUR_LINE.match(line) or _MARK in line.casefold() or _MARK_BROKEN.search(line))


def our_sentence(lines: list[str]) -> int | None:
    """Where a sentence begins that nobody but us writes; None where there is none."""
    for at, line in enumerate(lines):
        if len(line) >= _SHORTEST and _SURELY_OURS.search(line):
            return _begin(lines, at)
    return None


def without_ours(lines: list[str], *, quoted: bool) -> list[str]:
    """What stands above our marker, without the sentence that our letters have there.

    It is there where a program quotes without any mark, and is nobody's words to an opponent. Where
    all of our letter follows (`quoted`) it is a paragraph of its own, whatever it says.
    """
    found = [index for index, line in enumerate(lines) if _ABOUT_A_GAME.search(line)]
    if not found:
        return lines[: _last_sentence(lines)] if quoted else lines
    end = found[-1]
    while end < len(lines) and lines[end]:
        end += 1
    return lines[: _begin(lines, found[-1])] + lines[end:]


def _begin(lines: list[str], last: int) -> int:
    """Where the sentence begins that ends in this line: a program may have wrapped it."""
    while last > 0 and len(lines[last - 1]) >= FULL:
        last -= 1
    return last


def _last_sentence(lines: list[str]) -> int:
    """Where the last paragraph begins, if it is a sentence with another paragraph above it."""
    end = len(lines)
    while end > 0 and not lines[end - 1]:
        end -= 1
    start = end
    while start > 0 and lines[start - 1]:
        start -= 1
    words = len(" ".join(lines[start:end]).split())
    return start if words >= _SENTENCE and any(lines[:start]) else len(lines)
