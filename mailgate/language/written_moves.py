"""Moves as people write them.

Pure; raises `Unreadable` alone. Forgiving in form (`d4`, `D-4`, `4d`, `play D4`, `57. D4`), strict
in meaning: nothing is guessed. `near_misses` refuses what only looks like a move.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from godaemon.errors import Unreadable
from godaemon.games.commands import Play
from godaemon.rules.points import LARGEST, Color, Point, Size, parse_point
from mailgate.reading.reply_trimming import fold_space

TAIL = " .!,;。、"
"""What may stand behind a command without changing it."""

_SAME = str.maketrans("‘’ʼ′`´‐‑‒–—―−﹘", "''''''--------")
"""What telephones write of themselves in place of an apostrophe or a hyphen."""

_COLORS = {
    Color.BLACK: "black|b|schwarz|noirs?|negr[ao]s?|zwart|nero|pret[ao]s?|svart|czarn[ye]"
    "|ч[её]рн[а-я]{2}",
    Color.WHITE: "white|w|weiss|blancs?|blanc[ao]s?|wit|bianco|branc[ao]s?|vit|bia[łl][ye]"
    "|бел[а-я]{2}",
}
_SIGNS = {Color.BLACK: "[黒黑흑]番?", Color.WHITE: "[白백]番?"}
_COLOR = (
    rf"(?:(?:(?P<black>{_COLORS[Color.BLACK]})|(?P<white>{_COLORS[Color.WHITE]}))(?: ?[:,-] ?| )"
    rf"|(?:(?P<kuro>{_SIGNS[Color.BLACK]})|(?P<shiro>{_SIGNS[Color.WHITE]})) ?[:,-]? ?)"
)
_VERTEX = (
    r"(?:(?P<a>[a-z])[ \-,_./]{0,3}(?P<n>\d{1,2})"
    # Beyond Z there are AA to AZ, BA and BB; no other two letters name a column.
    r"|(?P<aa>a[a-z]|b[ab])-?(?P<nn>\d{1,2})|(?P<m>\d{1,2})[ -]?(?P<b>[a-z]))"
)
SHAPES = (
    r"(?:(?:(?:start|begin|open|continue)(?: here| off| now)?|hane|keima|kosumi|tsuke|nobi|atari"
    r"|cut|extend|jump|push|peep|block|invade|attach|descend|connect|takes?)(?: with)?)"
)
"""What a move is called by who makes it, before its point: `cut at D5`."""
_MOVE = re.compile(
    # A board of one column has rows such as `2  x  2`, and boards are called `2 x 2`.
    r"(?!\d{1,2} [ox] \d{1,2}$)(?:#?\d{1,3}(?: ?[.):] ?| - ?| )|\(#?\d{1,3}\) ?)?"
    # A word and its vertex stand apart: `in 5` and `one 1` are no moves.
    r"(?:(?:i|my move|my move is|(?:first|next)(?: move)?(?= ?:? [a-z]-?\d))(?: ?: ?| ))?"
    + _COLOR
    + r"?"
    rf"(?:{SHAPES} (?=(?:(?:at|on|to|in) )?[a-z]{{1,2}}-?\d))?"
    r"(?:(?:plays?|playing|moves?|to|at|on)(?: ?: ?| )){0,2}" + _VERTEX + r"(?: ?(?P<suffix>[bw]))?"
)
_CLAIM = re.compile(_COLOR + r"(?:pass|passes|resign|resigns|gives up)")
_STOPS = re.compile(r" ?[.!,;。、]{1,4} ?$")  # not the row of dots of a board: `1  X  .  .  .`
_MOST_STOPS = 7
"""So many characters these are at most, a line feed with them."""
_COMPACT = re.compile(r"[a-z]{1,2}-?\d{1,2}|\d{1,2}-?[a-z]")
_LARGEST = Size(LARGEST, LARGEST)
_WRAPS = (("(", ")"), ("[", "]"), ("{", "}"), ("<", ">"), ('"', '"'), ("'", "'"))
_STONES = re.compile("[⚫●⚪○](?= ?[a-z]\\d)", re.IGNORECASE)
"""A stone as a picture before a vertex."""


def normalize(line: str) -> str:
    r"""A line in the one form in which it is compared: NFKC, folded spaces, lower case.

    >>> normalize("  Play\u00a0Ｄ４ ")
    'play d4'
    """
    if line.isascii():  # as most are, and then nothing but an accent changes
        return " ".join(fold_space(line).replace("`", "'").lower().split())
    plain = fold_space(unicodedata.normalize("NFKC", line)).translate(_SAME)
    plain = _STONES.sub(lambda stone: " black " if stone[0] in "⚫●" else " white ", plain)
    return " ".join(plain.casefold().split())


def strip_decoration(line: str) -> str:
    """A normalized line without brackets and quotation marks around it, or stops at its end."""
    line = line.lstrip("-•·* ").strip("*_“”„«»「」『』 ")
    line = line[:-_MOST_STOPS] + _STOPS.sub("", line[-_MOST_STOPS:])
    for left, right in _WRAPS:
        if line.startswith(left) and line.endswith(right) and len(line) > 2:
            line = line[1:-1].strip(TAIL)
    return line


def read_move(line: str) -> Play | None:
    """The move that a whole normalized line is, or None; raises `Unreadable` beyond every board.

    >>> str(read_move("57. d4").point), str(read_move("black plays q-16").point)
    ('D4', 'Q16')
    >>> read_move("we play at 5") is None
    True
    """
    found = _found(line)
    if found is None:
        return None
    letters = found["a"] or found["aa"] or found["b"]
    return Play(point(letters + (found["n"] or found["nn"] or found["m"])))


def claimed_color(line: str) -> Color | None:
    """The colour that a normalized line with a move, a pass or a resignation says it is of."""
    if compact(line):  # as most are
        return None
    found = _found(line) or _CLAIM.fullmatch(strip_decoration(line))
    if found is None:
        return None
    named = found.groupdict()
    if named["black"] or named["kuro"] or named.get("suffix") == "b":
        return Color.BLACK
    white = named["white"] or named["shiro"] or named.get("suffix") == "w"
    return Color.WHITE if white else None


def named_color(words: Iterable[str]) -> Color | None:
    """The colour that one of some normalized words names.

    >>> named_color(["ik", "speel", "zwart"]), named_color(["d4"])
    (<Color.BLACK: 1>, None)
    """
    colors = _COLORS.items()
    named = (color for word in words for color, names in colors if re.fullmatch(names, word))
    return next(named, None)


def _found(line: str) -> re.Match[str] | None:
    return _MOVE.fullmatch(strip_decoration(line)) if len(line) <= 60 else None


def compact(word: str) -> bool:
    """True where a normalized word has the form of a vertex."""
    return _COMPACT.fullmatch(word) is not None


def point(text: str) -> Point:
    """The point of a vertex such as `q16`; raises `Unreadable`, also beyond the largest board."""
    try:
        found = parse_point(text.upper().replace("-", ""))
    except Unreadable as error:
        hints = tuple(hint for hint in error.hints if _on_a_board(hint))
        raise Unreadable(error.public, hints=hints) from error
    if not _LARGEST.has(found):
        raise Unreadable(f"“{text}” is not on any board: they have at most {LARGEST} lines a side.")
    return found


def _on_a_board(vertex: str) -> bool:
    try:
        return _LARGEST.has(parse_point(vertex))
    except Unreadable:
        return False


def points(text: str) -> tuple[Point, ...] | None:
    """The points of a normalized list such as `q16, c3 and d 4`; None where it has other words.

    >>> [str(found) for found in points("q16, c3 and d 4")]
    ['Q16', 'C3', 'D4']
    """
    joined = re.sub(r"\b([a-z]) (?=\d{1,2}\b)", r"\1", text[:1000])
    words = [word for word in re.split(r"[ ,;&.+/]+|\band\b", joined) if word]
    if not words or not all(compact(word) for word in words):
        return None
    return tuple(dict.fromkeys(point(letters_first(word)) for word in words))


def letters_first(word: str) -> str:
    """A vertex with its letter before its number."""
    return word[-1] + word[:-1] if word[0].isdigit() else word
