"""Time limits, as people write them into a proposal: `3 days per move`, `1h + 5x30 byo-yomi`.

Pure. A phrase is cut out of the words around it, and read by the pieces that it is made of. Raises
`Unreadable` for what may mean two things, with both as hints.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta

from godaemon.errors import Unreadable
from godaemon.games.game_clock import DEFAULT, NONE, TimeSettings
from mailgate.address import clean_quote
from mailgate.word_sets import words_of

LONGEST = timedelta(days=366)
"""More than that nobody has in all, or for a move."""
SHORTEST = timedelta(minutes=1)
"""Less than that nobody has for their first move."""
_OPPONENT = re.compile(
    r"(?i)(?<!\S)\S*@\S*|(?:(?<=\bvs )|(?<=\bvs\. )|(?<=\bversus )|(?<=\bagainst ))[^\s,;]+"
)
_NAMED = "\uffff"
"""Stands for an opponent who is named: no part of a name is a time."""
_WORDS = (
    "half a=0.5 half an=0.5 a=1 an=1 one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9"
    " ten=10 twelve=12 fourteen=14 fifteen=15 twenty=20 thirty=30 sixty=60 ninety=90"
)
_NUMBERS = {word: float(number) for word, number in re.findall(r"([a-z][a-z ]*)=([\d.]+)", _WORDS)}
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800, "mo": 2_592_000}
_UNIT = r"(?:months?|mo|days?|d|weeks?|w|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)"
_NUMBER = rf"(?:\d{{1,4}}(?:\.\d)?[ -]?|(?:{'|'.join(sorted(_NUMBERS, key=len)[::-1])})[ -])"
_EACH = rf"(?:{_NUMBER}{_UNIT}(?![a-z]) ?){{1,2}}(?<! )(?![\w-])"
_AMOUNT = rf"(?<![\w.-]){_EACH}"
_ONE = re.compile(rf"({_NUMBER})({_UNIT})(?![a-z])")
_BYO_YOMI = r"(?:byo[ -]?yomi|japanese (?:time|byo[ -]?yomi|overtime))"
_EVERY = r"(?:(?:per|an?|each|every|any|for|/) ?){1,2}(?:the |single )?"
_STONES = r"(?:moves?|stones?|turns?)"
_WEAK = ("and", "of", "with", "within", "at", "in", "a", "an")
_PIECES = {
    "none": r"(?:time|clocks?|time ?limits?|time controls?)[ :=]*(?:none|no|off|unlimited)\b"
    r"|\b(?:un(?:timed|limited time)|no hurry"
    r"|(?:with)?(?:no|out)(?: any| an?)? (?:clocks?|deadlines?|time(?: ?limits?| ?controls?)?))\b",
    "periods": rf"(?<![\w.-])(?P<n>\d{{1,2}}) ?(?:[x×*]|times) ?"
    rf"(?P<each>{_EACH}|[1-6][05](?= ?byo))|(?<![\w.-])(?P<n2>{_NUMBER})(?:{_BYO_YOMI} )?"
    rf"(?:periods?|{_BYO_YOMI}) (?:of|at|with|a) (?P<each2>{_AMOUNT})",
    "stones": rf"(?<![\w.-])(?P<s>\d{{1,3}}) ?(?:{_STONES} (?:in|per|every|each|within|for)(?: each"
    rf"| every)?|/) ?(?P<in>{_EACH})|(?P<in2>{_AMOUNT}) (?:for|per|every|each|/) ?"
    rf"(?P<s2>\d{{1,3}}) {_STONES}",
    "amount": _AMOUNT,
    "move": rf"\b{_EVERY}(?:move|stone|turn)s?\b|/ ?(?:move|stone|turn)s?\b|\b(?:increments?|bonus"
    r"|added|moves)\b",
    "all": r"\b(?:(?:for|per|a|each|every|/) ?){1,2}(?:the )?(?:whole |entire )?(?:game|player|side"
    r"|person|of us|colou?r)s?\b|/ ?(?:player|side|game)\b|\b(?:each|apiece|both|in (?:all|total)"
    r"|total|sudden death|absolute|altogether|main time)\b",
    "most": r"\b(?:no more than|never more than|at most|up to|max(?:imum|imal)?|cap(?:ped)?"
    r"|limited?)(?: (?:at|to|of))?\b",
    "fischer": r"\bfischer\b",
    "byo": rf"\b{_BYO_YOMI}\b",
    "canadian": r"\bcanadian\b",
    "plus": r"\+|\b(?:plus|then|followed by)\b",
    "word": r"\b(?:with |at |in )?(?:a |an )?(?:clocks?|time ?(?:limits?|controls?|settings?)?"
    r"|overtime|extra|bank|main time)\b[:=]?|[()]",
    "weak": rf"\b(?:{'|'.join(_WEAK)})\b|[,;&]",
}
_PIECE = re.compile(
    "|".join(f"(?P<{name}>{piece})" for name, piece in _PIECES.items()), re.IGNORECASE
)
_BEGINS = words_of("none periods stones amount fischer byo canadian word")
"""The pieces of which one must be there, or the others are not about time."""
_NAMES = words_of("word weak")
_VERSUS = re.compile(r"(?i)\b(?:vs|versus|against)\.? (?:[^\s@]+ )?$")
"""Before a word such as `clock` or `bank`, which then is somebody's name."""
_BETWEEN = re.compile(rf"(?i)\s+|\b(?:{'|'.join(_WEAK)})\b|[,;&]")


def split_time(text: str) -> tuple[str, str]:
    """The time limit that a proposal's words name, or "", and the words without it.

    >>> split_time("9x9 vs bob@example.org 3 days per move")
    ('3 days per move', '9x9 vs bob@example.org')
    >>> split_time("9x9 untimed vs 3d@example.org")
    ('untimed', '9x9 vs 3d@example.org')
    >>> split_time("9x9 vs Max 3d per move")
    ('3d per move', '9x9 vs Max')
    """
    opponents = iter(_OPPONENT.findall(text))
    plain = _OPPONENT.sub(lambda found: "@" if "@" in found[0] else _NAMED, text)
    spans = _runs(plain)
    limit = " ".join(plain[begin:end].strip(" ,;") for begin, end in spans)
    for begin, end in reversed(spans):
        plain = f"{plain[:begin]} {plain[end:]}"
    rest = re.sub(f"[@{_NAMED}]", lambda _: next(opponents), plain)
    return limit, " ".join(rest.split())


def _runs(text: str) -> list[tuple[int, int]]:
    """Where pieces of a time limit stand side by side, and one of them means time for sure."""
    runs: list[tuple[int, int, set[str]]] = []
    for found in _PIECE.finditer(text[:_LOOKED_AT]):
        kind = _kind(found)
        if runs and not _BETWEEN.sub("", text[runs[-1][1] : found.start()]):
            begin, end, kinds = runs[-1]
            runs[-1] = (begin, end if kind == "weak" else found.end(), kinds | {kind})
        else:
            runs.append((found.start(), found.end(), {kind}))
    return [
        (begin, end)
        for begin, end, kinds in runs
        if kinds & _BEGINS and not (kinds <= _NAMES and _VERSUS.search(text[:begin]))
    ]


_LOOKED_AT = 1_000
"""Characters in which a proposal says its time."""


def _kind(found: re.Match[str]) -> str:
    return next(name for name in _PIECES if found[name] is not None)


@dataclass(slots=True)
class _Pieces:
    """What the pieces of a phrase come to."""

    kinds: set[str] = field(default_factory=set)
    amounts: list[timedelta] = field(default_factory=list)
    moves: list[int] = field(default_factory=list)
    """The places among the amounts of those that are for each move."""
    most: int | None = None
    """The place of the one that no bank goes above."""
    overtime: timedelta = NONE
    count: int = 0


def read_time(phrase: str) -> str:
    """The settings of a phrase, as `TimeSettings` writes them; "" for no clocks.

    >>> read_time("10 days plus 36 hours per move")
    '10d+36h'
    """
    pieces = _Pieces()
    try:
        for found in _PIECE.finditer(phrase.casefold()):
            _take(pieces, _kind(found), found)
        if "none" in pieces.kinds:
            return _none(pieces)
        settings = DEFAULT if pieces.kinds <= {"word", "weak"} else _settings(pieces)
        settings = settings and TimeSettings.parse(str(settings))
    except ValueError as fault:  # `0 days per move`, `300 moves in 10 days`, `3d 2d per move`
        raise _not_understood(phrase) from fault
    if settings is None:
        raise _unclear(phrase, pieces)
    if max(settings.total(settings.full), settings.increment, settings.cap) > LONGEST:
        raise Unreadable("A year is the longest time that a game here gives anybody.")
    if settings.total(settings.full) < SHORTEST:
        raise Unreadable(
            "A minute is the shortest time that a game here gives anybody.",
            hints=("3 days per move", "1h each"),
        )
    return str(settings)


def _none(pieces: _Pieces) -> str:
    if pieces.amounts or pieces.count:
        raise ValueError("with a time, and without")
    return ""


def _take(pieces: _Pieces, kind: str, found: re.Match[str]) -> None:
    pieces.kinds.add(kind)
    if kind == "periods":
        pieces.count = int(_number(found["n"] or found["n2"]))
        each = found["each"] or found["each2"]
        pieces.overtime = timedelta(seconds=int(each)) if each.isdecimal() else _amount(each)
    elif kind == "stones":
        pieces.count = int(found["s"] or found["s2"])
        pieces.overtime = _amount(found["in"] or found["in2"])
    elif kind == "amount":
        if pieces.most == len(pieces.amounts) and not pieces.amounts:
            pieces.most = None  # `at most 3 days per move`
        pieces.amounts.append(_amount(found[0]))
    elif kind == "move":
        pieces.moves.append(max(len(pieces.amounts) - 1, 0))
    elif kind == "most":
        pieces.most = len(pieces.amounts)


def _settings(pieces: _Pieces) -> TimeSettings | None:
    """The one system that pieces can mean; None where there are several, or there is none."""
    cap, amounts = NONE, list(pieces.amounts)
    if pieces.most is not None and 0 < pieces.most < len(amounts):
        cap = amounts.pop(pieces.most)
    main = amounts[0] if amounts else NONE
    if pieces.count:
        stones = "stones" in pieces.kinds
        fits = pieces.overtime and len(amounts) < 2 and not cap
        return (
            TimeSettings(main, NONE, NONE, pieces.overtime, pieces.count, stones) if fits else None
        )
    if len(amounts) == 2:
        if pieces.moves == [0]:
            amounts.reverse()
        main, more = amounts
        if "byo" in pieces.kinds and not cap:
            return TimeSettings(main, overtime=more, count=1)
        said = pieces.kinds & {"plus", "move", "fischer"}
        return TimeSettings(main, more, cap or main) if said else None
    if len(amounts) != 1 or cap:
        return None
    if pieces.moves:
        return TimeSettings(overtime=main, count=1)
    return TimeSettings(main) if "all" in pieces.kinds else None


def _unclear(phrase: str, pieces: _Pieces) -> Unreadable:
    said = clean_quote(phrase)
    if len(pieces.amounts) == 1 and not pieces.kinds & {"fischer", "byo", "canadian", "periods"}:
        message = f"“{said}” may be for each move, or for the whole game: please say which."
        return Unreadable(message, hints=(f"{phrase} per move", f"{phrase} each"))
    return _not_understood(phrase)


def _not_understood(phrase: str) -> Unreadable:
    message = f"I do not understand the time limit “{clean_quote(phrase)}”."
    return Unreadable(message, hints=("3 days per move", "10d+36h", "time none"))


def read_span(text: str) -> timedelta | None:
    """The span that words come to, and nothing but it; None where they are none, as `3d 2d` is.

    >>> read_span("2 weeks"), read_span("soon")
    (datetime.timedelta(days=14), None)
    """
    with suppress(ValueError):
        return _amount(text) if re.fullmatch(_AMOUNT, text) else None
    return None


def _number(text: str) -> float:
    text = text.strip(" -")
    return _NUMBERS.get(text) or float(text)


def _amount(text: str) -> timedelta:
    """The time that words come to: `1 day 12 hours`, `36h`; raises `ValueError` for `3d 2d`."""
    seconds, unit = 0.0, LONGEST.total_seconds()
    for number, word in _ONE.findall(text):
        smaller = _SECONDS["mo" if word.startswith("mo") else word[0]]
        if smaller >= unit:
            raise ValueError(text)
        unit = smaller
        seconds += _number(number) * unit
    return timedelta(seconds=int(seconds))
