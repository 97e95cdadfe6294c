"""Time limits, as people write them into a proposal: `3 days per move`, `1h + 5x30 byo-yomi`.

Pure. Each token of a text becomes a letter, by a table of words; a time limit is a run of pieces,
and each piece has a form in these letters. Raises `Unreadable` for what may mean two things, with
both as hints.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from itertools import groupby, pairwise
from operator import mul
from typing import NamedTuple

from godaemon.errors import Unreadable
from godaemon.games.game_clock import DEFAULT, NONE, TimeSettings
from mailgate.address import clean_quote
from mailgate.word_sets import words_of

LONGEST = timedelta(days=366)
"""More than that nobody has in all, or for a move."""
SHORTEST = timedelta(minutes=1)
"""Less than that nobody has for their first move."""
_LOOKED_AT = 1_000
"""Characters in which a proposal says its time."""
_TOKEN = re.compile(
    r"(?i)(?P<A>(?<!\S)\S*@\S*|\b(?:vs\.?|versus|against) [^\s,;@]++(?!@))"
    r"|(?P<b>byo.?yomi)|(?P<S>[1-6][05](?= ?byo))|(?P<N>half an?|\d{1,4}(?:\.\d)?(?![\d.]))"
    r"|[\d.]+|\b(?!x\d)[^\W\d_]+[\d_]\w*|[^\W\d_]+|\S"
)
"""A token; no part of an address, or of an opponent's name, is a time."""
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800, "mo": 2_592_000}
_NAMED = (
    "half a=0.5 half an=0.5 a=1 an=1 one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9"
    " ten=10 twelve=12 fourteen=14 fifteen=15 twenty=20 thirty=30 sixty=60 ninety=90"
)
_NUMBERS = {word: float(number) for word, number in re.findall(r"([a-z][a-z ]*)=([\d.]+)", _NAMED)}
_WORDS = {
    "U": "s sec secs second seconds m min mins minute minutes h hr hrs hour hours d day days"
    " w week weeks mo month months",
    "a": "a an",
    "c": "canadian",
    "d": "the single whole entire",
    "E": "each",
    "e": "per every any for /",
    "f": "fischer",
    "g": "game games player players side sides person persons us color colors colour colours",
    "h": "deadline deadlines hurry",
    "i": "increment increments bonus added",
    "j": "japanese",
    "k": "apiece both all total absolute altogether main sudden death",
    "l": "time clock clocks timelimit timelimits limit limits control controls settings",
    "m": "move stone stones turn turns",
    "M": "moves",
    "o": "no none off unlimited without",
    "p": "period periods",
    "q": "more than never most up max maximum maximal cap capped limited",
    "t": "to",
    "u": "untimed",
    "v": "overtime extra bank ( )",
    "w": "and of with within at in , ; &",
    "x": "x × * times",
    "+": "+ plus then followed by",
    "-": "-",
    ":": ": =",
}
_LETTERS = dict.fromkeys(_NUMBERS, "N") | {
    word: letter for letter, words in _WORDS.items() for word in words.split()
}
_AMOUNT = r"(?<!-)(?:[Na]-?U){1,2}(?!-)"
_FORMS = {
    "none": "u|w?l{1,2}:*o|o[ae]?(?:h|l{1,2})",
    "periods": rf"Nx(?:{_AMOUNT}|S)|[Na]j?b?[pb][wa]{_AMOUNT}",
    "stones": rf"N(?:[mM][weE][eE]?|e){_AMOUNT}|{_AMOUNT}[eE]N[mM]",
    "amount": _AMOUNT,
    "move": "[aeE]{1,2}d?[mM]|[iM]",
    "all": "[aeE]{1,2}d{0,2}w?g|E|k+",
    "most": "o?q+[wt]?",
    "fischer": "f",
    "byo": "j?b|j[lv]",
    "canadian": "c",
    "plus": r"\++",
    "usual": "wa?l{1,2}:?|l{2}:?",
    "word": "[lv]:?",
    "weak": "[wa]",
}
_PIECES = [(kind, re.compile(form)) for kind, form in _FORMS.items()]
"""What a time limit is made of; the first form that fits is meant."""
_BEGINS = words_of("none periods stones amount fischer byo canadian usual")
"""The pieces of which one must be there, or the others are not about time."""
_SYSTEMS = words_of("fischer byo canadian periods none")
"""With these an amount is neither for each move nor for the game."""


class _Piece(NamedTuple):
    """Tokens in a row that have a form, and where they stand; "" is the kind of any other token."""

    kind: str
    words: list[str]
    begin: int
    end: int


def _pieces(text: str) -> Iterator[_Piece]:
    tokens = [*_TOKEN.finditer(text[:_LOOKED_AT])]
    said = [found[0].casefold() for found in tokens]
    pairs = zip(tokens, said, strict=True)
    letters = "".join(found.lastgroup or _LETTERS.get(word, "?") for found, word in pairs)
    at = 0
    while at < len(tokens):
        fits = ((kind, form.match(letters, at)) for kind, form in _PIECES)
        kind, end = next(((kind, found.end()) for kind, found in fits if found), ("", at + 1))
        yield _Piece(kind, said[at:end], tokens[at].start(), tokens[end - 1].end())
        at = end


def split_time(text: str) -> tuple[str, str]:
    """The time limit that a proposal's words name, or "", and the words without it.

    >>> split_time("9x9 vs bob@example.org 3 days per move")
    ('3 days per move', '9x9 vs bob@example.org')
    >>> split_time("9x9 vs Max 3d per move")
    ('3d per move', '9x9 vs Max')
    """
    limits, rest, at = list[str](), list[str](), 0
    for of_time, found in groupby(_pieces(text), lambda piece: bool(piece.kind)):
        run = [*found]
        if of_time and _BEGINS & {piece.kind for piece in run}:
            end = max(piece.end for piece in run if piece.kind != "weak")
            limits.append(text[run[0].begin : end].strip(" ,;"))
            rest.append(text[at : run[0].begin])
            at = end
    return " ".join(limits), " ".join(" ".join([*rest, text[at:]]).split())


def read_time(phrase: str) -> str:
    """The settings of a phrase, as `TimeSettings` writes them; "" for no clocks.

    >>> read_time("10 days plus 36 hours per move")
    '10d+36h'
    """
    pieces = [piece for piece in _pieces(phrase) if piece.kind]
    kinds = [piece.kind for piece in pieces]
    if "none" in kinds and not {"amount", "periods", "stones"} & {*kinds}:
        return ""
    try:
        settings = _settings(pieces, {*kinds})
        settings = settings and TimeSettings.parse(str(settings))
    except ValueError as fault:  # `0 days per move`, `300 moves in 10 days`, `3d 2d per move`
        raise _unclear(phrase, []) from fault
    if settings is None:
        raise _unclear(phrase, kinds)
    if max(settings.total(settings.full), settings.increment, settings.cap) > LONGEST:
        raise Unreadable("A year is the longest time that a game here gives anybody.")
    if settings.total(settings.full) < SHORTEST:
        raise Unreadable(
            "A minute is the shortest time that a game here gives anybody.",
            hints=("3 days per move", "1h each"),
        )
    return str(settings)


def _settings(pieces: list[_Piece], kinds: set[str]) -> TimeSettings | None:
    """The one system that pieces can mean; None where there are several, or there is none."""
    if kinds <= {"usual", "word", "weak"}:
        return DEFAULT
    times, cap = _times(pieces)
    main, more = [*times, NONE, NONE][:2]
    counted = next((piece for piece in pieces if piece.kind in ("periods", "stones")), None)
    if len(times) > 2 or "none" in kinds or (cap and (counted or not more)):
        found = None
    elif counted and not more:
        many, stones = _count(counted.words), counted.kind == "stones"
        found = TimeSettings(main, overtime=_amount(counted.words), count=many, canadian=stones)
    elif more and "byo" in kinds and not cap:
        found = TimeSettings(main, overtime=more, count=1)
    elif more and kinds & {"plus", "move", "fischer"}:
        found = TimeSettings(main, more, cap or main)
    elif "move" in kinds:
        found = TimeSettings(overtime=main, count=1)
    else:
        found = TimeSettings(main) if "all" in kinds else None
    return found


def _times(pieces: list[_Piece]) -> tuple[list[timedelta], timedelta]:
    """The amounts, that for each move last, and what no bank goes above: `max 20 days`."""
    times, cap = list[timedelta](), NONE
    for before, piece in pairwise([pieces[0], *pieces]):
        if piece.kind == "amount" and times and before.kind == "most":
            cap = _amount(piece.words)
        elif piece.kind == "amount":
            times.append(_amount(piece.words))
    order = [piece.kind for piece in pieces if piece.kind in ("amount", "move")]
    turned = order.count("move") == 1 and order.index("move") < 2 == len(times)
    return times[::-1] if turned else times, cap


def _count(words: list[str]) -> int:
    """The number of periods or stones: `5x30s`, `15 stones in 10 days`, `10 days for 15 moves`."""
    return int(_number(words[-2 if _LETTERS.get(words[-1]) in ("m", "M") else 0]))


def _amount(words: list[str]) -> timedelta:
    """The time that words come to: `1 day 12 hours`, `36h`; raises `ValueError` for `3d 2d`."""
    words = [word for word in words if word != "-"]
    units = [at for at, word in enumerate(words) if _LETTERS.get(word) == "U"]
    names = [words[at] for at in units]
    lengths = [_SECONDS["mo" if name.startswith("mo") else name[0]] for name in names]
    if lengths != sorted({*lengths}, reverse=True):
        raise ValueError(words)
    seconds = sum(map(mul, (_number(words[at - 1]) for at in units), lengths))
    return timedelta(seconds=int(seconds) if units else int(words[-1]))  # `5x30 byo-yomi`


def _number(word: str) -> float:
    return _NUMBERS.get(word) or float(word)


def _unclear(phrase: str, kinds: list[str]) -> Unreadable:
    said = clean_quote(phrase)
    if kinds.count("amount") == 1 and not _SYSTEMS & {*kinds}:
        message = f"“{said}” may be for each move, or for the whole game: please say which."
        return Unreadable(message, hints=(f"{phrase} per move", f"{phrase} each"))
    message = f"I do not understand the time limit “{said}”."
    return Unreadable(message, hints=("3 days per move", "10d+36h", "time none"))


def read_span(text: str) -> timedelta | None:
    """The span that words come to, and nothing but it; None where they are none, as `3d 2d` is.

    >>> read_span("2 weeks"), read_span("soon")
    (datetime.timedelta(days=14), None)
    """
    pieces = [*_pieces(text)]
    if [piece.kind for piece in pieces] == ["amount"]:
        with suppress(ValueError):
            return _amount(pieces[0].words)
    return None
