"""The terms of a game that some words name: `13x13 handicap 2 as black`. Pure; raises nothing.

They are offered as a line, and never acted on: what else such words say is not understood. The
words for them stand in the [terms] of each language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from godaemon.errors import Unreadable
from mailgate.language.lexicon import lexicon
from mailgate.language.new_game import read_terms
from mailgate.language.statements import statements
from mailgate.language.time_limits import split_time
from mailgate.language.written_moves import normalize

_SIZE = re.compile(r"(?<![\w.])(\d{1,2}) ?[x×*] ?(\d{1,2})(?!\w)")
_BOARD = re.compile(r"(?<![\w.])(9|13|19)(?![\w.])")
_NUMBER = re.compile(r"(?<![\w.])(-?\d{1,3}(?:[.,]5)?)(?![\w.])")
_NO_WORD = re.compile(r"[^\w]+")
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")


def terms_in(text: str) -> list[str]:
    """The terms in some sentences as one line, in a list; none where they name none.

    >>> terms_in("Yes but only 2 handicap stones please and can I be black? On the 13x13 board")
    ['13x13 handicap 2 as black']
    >>> terms_in("How is your daughter?")
    []
    """
    limit, plain = split_time(_EMAIL.sub(" ", text[:1_000]))
    words = normalize(plain)
    found = [*_size(words), *_counted(words), *_switched(words), *_color(words)]
    timed = any(map(str.isdigit, limit)) or limit.startswith("no ")
    line = " ".join([*found, *([limit] if timed else [])])
    try:
        return [line] if line and read_terms(line) else []
    except Unreadable:
        return []


def addresses_in(text: str) -> list[str]:
    """The addresses of email in some words."""
    return list(dict.fromkeys(_EMAIL.findall(text[:1_000])))


def names_in(text: str, names: Sequence[str]) -> list[str]:
    """Those of some names of players that stand in some words, in full or by their first part."""
    words = f" {_NO_WORD.sub(' ', normalize(text[:1_000]))} "
    called = ((name, normalize(name)) for name in names if name)
    return [
        name for name, plain in called if f" {plain} " in words or f" {plain.split()[0]} " in words
    ]


def _has(words: str, term: str) -> bool:
    known = lexicon().terms.get(term, frozenset())
    plain = f" {_NO_WORD.sub(' ', words)} "
    return any(f" {one} " in plain or (not one.isascii() and one in words) for one in known)


def _size(words: str) -> list[str]:
    if found := _SIZE.search(words):
        return [f"{found[1]}x{found[2]}"]
    if _has(words, "board") and (lines := _BOARD.search(words)):
        return [f"{lines[1]}x{lines[1]}"]
    sizes = (("small", "9x9"), ("medium", "13x13"), ("large", "19x19"))
    return next(([size] for term, size in sizes if _has(words, term)), [])


def _counted(words: str) -> list[str]:
    """Handicap and komi, each with the number that stands in its statement."""
    found = list[str]()
    for one in statements(words):
        numbers = _NUMBER.findall(_SIZE.sub(" ", one.text))
        for term in ("handicap", "komi"):
            if _has(one.text, term) and len(numbers) == 1:
                found.append(f"{term} {numbers[0].replace(',', '.')}")
    return found


def _switched(words: str) -> list[str]:
    if _has(words, "unrated"):
        return ["unrated"]
    return ["rated"] if _has(words, "rated") else []


def _color(words: str) -> list[str]:
    """The colour that the writer would have; none where both are named."""
    known, plain = lexicon(), set(re.findall(r"\w+", words))
    black, white = bool(plain & known.black), bool(plain & known.white)
    return [f"as {'black' if black else 'white'}"] if black != white else []
