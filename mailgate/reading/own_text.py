"""Sentences of our own letters that may stand, quoted without any mark, in somebody's answer.

Pure; raises nothing. Nothing of it is ever a command; here it is known so that it is not taken for
the words of whoever sends it back either.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from unicodedata import normalize

from godaemon.texts.catalogue import in_all_languages, pattern, say

MARKER = "-- reply above this line --"
"""The line that our letters carry above all else; nothing at or below it is ever read."""


def marker() -> str:
    """The marker in the reader's language."""
    return f"-- {say('reply-above')} --"


FULL = 60  # a line of this length may go on in the next: it was wrapped

_MARK = MARKER.strip("- ")
_MARK_BROKEN = re.compile(r"-- reply(?: above(?: this)?)?$")  # where a program has broken that line
_OURS = (
    *("you-played", "they-played", "colour-played", "you-passed", "they-passed", "colour-passed"),
    *("this-is-game", "started", "accepted", "teaching-started", "over"),
    *("invites-you", "invites-you-known"),
    *("invitation-withdrawn", "invitation-expired", "asked-named", "asked-someone"),
)
_TURNS = ("your-move", "their-move", "color-to-move")
"""The messages that our letters begin with: nobody else writes the first ones."""
_BELOW = (
    *("reply-with", "reply-with-point", "click-point", "also-reply", "no-move-yet"),
    *("in-atari", "prisoners", "marked-dead", "none-dead", "last-played"),
)
"""Messages that our letters have below the marker, for programs that lose it."""
_BOARD = r"(?:[A-HJ-Z] ){4,}[A-Z]?$"
_SHORTEST = 9
_BEGINNING = 4
"""Characters of a message, before its first variable, by which a line is known for ours."""
_SENTENCE = 3  # words of a sentence of ours, at least


@cache
def _says(keys: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(pattern, keys)))


@cache
def _marks() -> frozenset[str]:
    return frozenset(one.casefold() for one in (_MARK, *in_all_languages("reply-above")))


@cache
def _begins() -> re.Pattern[str]:
    """Beginnings of lines below our marker, in every language."""
    said = (one.partition("{")[0].rstrip("`") for key in _BELOW for one in in_all_languages(key))
    begins = {re.escape(one) for one in said if len(one) >= _BEGINNING}
    return re.compile(f"(?:[-•*] ?)?(?:{'|'.join([_BOARD, *sorted(begins)])})")


def is_ours(line: str) -> bool:
    """True if a line is our marker, in any dress, or one that stands below it."""
    if len(line) < _SHORTEST:
        return False
    plain = normalize("NFKC", line)
    folded = plain.casefold()
    marked = any(one in folded for one in _marks()) or _MARK_BROKEN.search(plain)
    return bool(marked or _begins().match(plain))


def our_sentence(lines: list[str]) -> int | None:
    """Where a sentence begins that nobody but us writes; None if there is none."""
    for at, line in enumerate(lines):
        if len(line) >= _SHORTEST and _says(_OURS).search(normalize("NFKC", line)):
            return _begin(lines, at)
    return None


def without_ours(lines: list[str], *, quoted: bool) -> list[str]:
    """The lines above our marker, without our own sentence there.

    It is there where a program quotes without any mark, and is nobody's words to an opponent. Where
    all of our letter follows (`quoted`) it is a paragraph of its own, whatever it says.
    """
    says = _says(_OURS + _TURNS)
    found = [at for at, line in enumerate(lines) if says.search(normalize("NFKC", line))]
    if not found:
        return lines[: _last_sentence(lines)] if quoted else lines
    end = found[-1]
    while end < len(lines) and lines[end]:
        end += 1
    return lines[: _begin(lines, found[-1])] + lines[end:]


def _begin(lines: list[str], last: int) -> int:
    """The first line of the sentence that ends in this line: a program may have wrapped it."""
    while last > 0 and len(lines[last - 1]) >= FULL:
        last -= 1
    return last


def _last_sentence(lines: list[str]) -> int:
    """The start of the last paragraph, if it is a sentence below another paragraph."""
    end = len(lines)
    while end > 0 and not lines[end - 1]:
        end -= 1
    start = end
    while start > 0 and lines[start - 1]:
        start -= 1
    words = len(" ".join(lines[start:end]).split())
    return start if words >= _SENTENCE and any(lines[:start]) else len(lines)
