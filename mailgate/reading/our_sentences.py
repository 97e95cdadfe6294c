"""The marker in our letters, and sentences of theirs that an answer may quote without any mark.

Raises nothing. They are never commands; we recognise them so that they do not count as the sender's
own words either.
"""

import re
from collections.abc import Sequence
from functools import cache
from itertools import dropwhile
from unicodedata import normalize

from godaemon.texts.catalogue import first_sentences, say, sentence_pattern

_WRAPPED_MARKER = re.compile(r"-- reply(?: above(?: this)?)?$")  # the marker, wrapped by a program
FULL = 60  # a line of this length may have been wrapped, and go on in the next

_OURS = (
    *("you-played", "they-played", "colour-played", "you-passed", "they-passed", "colour-passed"),
    *("this-is-game", "started", "accepted", "teaching-started", "over"),
    *("invites-you", "invites-you-known"),
    *("invitation-withdrawn", "invitation-expired", "asked-named", "asked-someone"),
)
_TURNS = ("your-move", "their-move", "color-to-move")
"""Messages at the start of our letters; people do not write those in `_OURS`."""
_KEYS = (
    *("reply-with", "reply-with-point", "click-point", "also-reply", "no-move-yet"),
    *("in-atari", "prisoners", "marked-dead", "none-dead", "last-played"),
)
"""Messages below the marker; they tell our letter if a program has lost the marker."""
_BOARD = r"(?:[A-HJ-Z] ){4,}[A-Z]?$"
_MIN_LENGTH = 9
_MIN_BEGINNING = 4
"""Minimum characters before a message's first variable to recognise a line of ours."""
_MIN_WORDS = 3  # minimum words in a sentence of ours


def marker() -> str:
    """The line below the first sentence of our letters, from which nothing is read."""
    return f"-- {say('reply-above')} --"


@cache
def _marks() -> frozenset[str]:
    """The words of the marker in each language."""
    return frozenset(map(str.casefold, first_sentences("reply-above")))


@cache
def _pattern_of(keys: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(sentence_pattern, keys)))


@cache
def _line_beginnings() -> re.Pattern[str]:
    """Beginnings of lines below our marker, in every language."""
    messages = (one.partition("{")[0].rstrip("`") for key in _KEYS for one in first_sentences(key))
    beginnings = {re.escape(one) for one in messages if len(one) >= _MIN_BEGINNING}
    return re.compile(f"(?:[-•*] ?)?(?:{'|'.join([_BOARD, *sorted(beginnings)])})")


def is_ours(line: str) -> bool:
    """True if a line is our marker, in any form, or begins like a line below it."""
    if len(line) < _MIN_LENGTH:
        return False
    plain = normalize("NFKC", line)
    has_marker = any(one in plain.casefold() for one in _marks()) or _WRAPPED_MARKER.search(plain)
    return bool(has_marker or _line_beginnings().match(plain))


def find_our_sentence(lines: list[str]) -> int | None:
    """The line in which a sentence begins that only we write; None if there is none."""
    for at, line in enumerate(lines):
        if len(line) >= _MIN_LENGTH and _pattern_of(_OURS).search(normalize("NFKC", line)):
            return _find_beginning(lines, at)
    return None


def strip_our_text(lines: list[str], *, quoted: bool) -> list[str]:
    """The lines above our marker, without our letter's first sentence.

    A program that quotes without any marks leaves that sentence there. If our whole letter follows
    (`quoted`), it is the last paragraph, whatever it says.
    """
    pattern = _pattern_of(_OURS + _TURNS)
    found = [at for at, line in enumerate(lines) if pattern.search(normalize("NFKC", line))]
    if not found:
        return lines[: _find_last_sentence(lines)] if quoted else lines
    below = dropwhile(bool, lines[found[-1] :])
    return [*lines[: _find_beginning(lines, found[-1])], *below]


def _find_beginning(lines: list[str], last: int) -> int:
    """The first line of the sentence that ends in this line: a program may have wrapped it."""
    while last > 0 and len(lines[last - 1]) >= FULL:
        last -= 1
    return last


def _find_last_sentence(lines: list[str]) -> int:
    """The start of the last paragraph, if it is a sentence below another paragraph."""
    end = len(lines)
    while end > 0 and not lines[end - 1]:
        end -= 1
    start = end
    while start > 0 and lines[start - 1]:
        start -= 1
    words = len(" ".join(lines[start:end]).split())
    return start if words >= _MIN_WORDS and any(lines[:start]) else len(lines)
