"""Moves as people write them.

Pure; raises only `Unreadable`. Forgiving in form (`d4`, `D-4`, `4d`, `play D4`, `57. D4`), strict
in meaning: nothing is guessed. `near_misses` refuses lines that only look like a move.
"""

import re
import unicodedata
from contextlib import suppress
from functools import lru_cache

from godaemon.errors import Unreadable
from godaemon.games.commands import Play
from godaemon.rules.points import LARGEST, Color, Point, Size, parse_point
from godaemon.texts.catalogue import sentence
from mailgate.reading.reply_trimming import fold_space
from mailgate.word_sets import letters_of

TAIL = " .!,;。、"  # marks after a command that do not change it
_REPLACEMENTS = str.maketrans("‘’ʼ′`´‐‑‒–—―−﹘", "''''''--------")
"""Typographic characters that phones put in place of apostrophes and hyphens."""
_LETTERS = letters_of("""
    K black b schwarz noir noirs negro negra negros negras zwart nero preto preta pretos pretas
    K svart czarny czarne чёрный черный чёрная черная чёрные черные чёрным черным чёрных черных
    K 黒 黒番 黑 黑番 흑
    L white w weiss blanc blancs blanco blanca blancos blancas wit bianco branco branca brancos
    L brancas vit biały bialy białe biale белый белая белые белым белых 白 白番 백
    I i | Y my | S is | F first next | M move | P play plays playing moves to at on
    B start begin open continue | H here off now | W with
    A hane keima kosumi tsuke nobi atari cut extend jump push peep block invade attach descend
    A connect take takes
""")
_COLORS = {"K": Color.BLACK, "L": Color.WHITE}
_CLAIMS = frozenset(["pass", "passes", "resign", "resigns", "gives up"])
"""Words that may follow a colour in place of a move."""
_BEFORE = re.compile("(?P<near>FM?)|(?:I|YMS?)?[KL]?(?P<shape>(?:BH?|A)W?)?[PM]{0,2}")
"""The kinds of words before a vertex, one letter each: `my move is`, `cut at`, `I play`."""
_SEPARATOR = re.compile(" ?[:,-] ?| ")
_NUMBER = re.compile(r"\(#?\d{1,3}\) ?|#?\d{1,3}(?: ?[.):] ?| - ?| )")
"""The number of a move at the start of a line."""
_VERTEX = (
    r"(?<![a-z\d])([a-z][ \-,_./]{0,3}\d{1,2}|\d{1,2}[ -]?[a-z]"
    # Beyond Z there are AA to AZ, BA and BB; no other two letters name a column.
    r"|(?:a[a-z]|b[ab])-?\d{1,2})"
)
_ENDS = (re.compile(rf"{_VERTEX}()\Z"), re.compile(rf"{_VERTEX} ?([bw])\Z"))
"""A vertex at the end of a line, without and with a colour behind it."""
_MAX_LINE = 60  # maximum characters of a line that is a move
_ROW = re.compile(r"\d{1,2} [ox] \d{1,2}")
"""A row of a quoted one-column board, `2  x  2`; it looks like a size, `2 x 2`."""
_STOPS = re.compile(r" ?[.!,;。、]{1,4} ?$")  # not the row of dots of a board: `1  X  .  .  .`
_MAX_STOPS = 7  # maximum characters of stops, with spaces and a line feed
_COMPACT = re.compile(r"[a-z]{1,2}-?\d{1,2}|\d{1,2}-?[a-z]")
_LARGEST = Size(LARGEST, LARGEST)
_WRAPS = (("(", ")"), ("[", "]"), ("{", "}"), ("<", ">"), ('"', '"'), ("'", "'"))
_STONES = re.compile(r"(?i)[⚫●⚪○](?= ?[a-z]\d)")  # a stone as a picture before a vertex


@lru_cache(maxsize=2048)
def normalize(line: str) -> str:
    r"""A line in the form for comparisons: NFKC, folded spaces, lower case.

    >>> normalize("  Play\u00a0Ｄ４ ")
    'play d4'
    """
    if line.isascii():  # the usual case: only the backtick has a replacement
        return " ".join(fold_space(line).replace("`", "'").lower().split())
    plain = fold_space(unicodedata.normalize("NFKC", line)).translate(_REPLACEMENTS)
    plain = _STONES.sub(lambda stone: " black " if stone[0] in "⚫●" else " white ", plain)
    return " ".join(plain.casefold().split())


def fold_spelling(text: str) -> str:
    """A normalized text without accents on Latin letters and apostrophes, which phones leave out.

    >>> fold_spelling("s'il te plaît"), fold_spelling("й が")
    ('sil te plait', 'й が')
    """
    if not text.isascii():
        plain = _ACCENTED.sub(r"\1", unicodedata.normalize("NFD", text))
        text = unicodedata.normalize("NFC", plain)
    return text.replace("'", "")


_ACCENTED = re.compile(r"([a-z])[\u0300-\u036f]+")


def strip_decoration(line: str) -> str:
    """A normalized line without brackets and quotation marks around it, or stops at its end."""
    line = line.lstrip("-•·*¿¡ ").strip("*_~〜“”„«»「」『』 ")
    line = line[:-_MAX_STOPS] + _STOPS.sub("", line[-_MAX_STOPS:])
    for left, right in _WRAPS:
        if line.startswith(left) and line.endswith(right) and len(line) > 2:
            line = line[1:-1].strip(TAIL)
    return line


def read_move(line: str) -> Play | None:
    """The move, if the whole normalized line is one; raises `Unreadable` like `read_point`.

    >>> str(read_move("57. d4").point), str(read_move("black plays q-16").point)
    ('D4', 'Q16')
    >>> read_move("we play at 5") is None
    True
    """
    found = _read_vertex(line)
    return None if found is None else Play(read_point(found[0]))


def color_of_line(line: str) -> Color | None:
    """The colour named in a normalized line with a move, a pass or a resignation, or None."""
    if is_vertex(line):  # the usual case
        return None
    if (found := _read_vertex(line)) is not None:
        return found[1]
    color, *claim = _SEPARATOR.split(strip_decoration(line), maxsplit=1)
    return _COLORS.get(_LETTERS.get(color, "")) if {*claim} & _CLAIMS else None


def _read_vertex(line: str) -> tuple[str, Color | None] | None:
    """The vertex of a line that is a move, letter first, and its colour if one is named."""
    plain = strip_decoration(line)
    if len(line) > _MAX_LINE or _ROW.fullmatch(plain):
        return None
    for found in filter(None, (end.search(plain) for end in _ENDS)):
        number = _NUMBER.match(plain, 0, found.start())
        words = _SEPARATOR.split(plain[number.end() if number else 0 : found.start()])
        letters = "".join(_LETTERS.get(word, "?") for word in (words if words[-1] else words[:-1]))
        before = _BEFORE.fullmatch(letters)
        is_plain = is_vertex(found[1]) and found[1][0].isalpha()
        if before and (is_plain or not (before["near"] or before["shape"])):
            sides = (_COLORS.get(letter) for letter in letters + _LETTERS.get(found[2], ""))
            return put_letter_first(re.sub(r"[\W_]", "", found[1])), next(filter(None, sides), None)
    return None


def is_vertex(word: str) -> bool:
    """True if a normalized word has the form of a vertex."""
    return _COMPACT.fullmatch(word) is not None


def _is_on_a_board(vertex: str) -> bool:
    with suppress(Unreadable):
        return _LARGEST.has(parse_point(vertex))
    return False


def read_point(text: str) -> Point:
    """The point of a vertex such as `q16`; raises `Unreadable` for any other text.

    Points beyond the largest board are unreadable, too.
    """
    try:
        found = parse_point(text.upper().replace("-", ""))
    except Unreadable as error:
        raise Unreadable(error.public, hints=tuple(filter(_is_on_a_board, error.hints))) from error
    if not _LARGEST.has(found):
        raise Unreadable(sentence("no-point", text=text))
    return found


def read_points(text: str) -> tuple[Point, ...] | None:
    """The points of a normalized list such as `q16, c3 and d 4`; None if it has other words.

    >>> [str(found) for found in read_points("q16, c3 and d 4")]
    ['Q16', 'C3', 'D4']
    """
    joined = re.sub(r"\b([a-z]) (?=\d{1,2}\b)", r"\1", text[:1000])
    words = [word for word in re.split(r"[ ,;&.+/]+|\band\b", joined) if word]
    if not words or not all(is_vertex(word) for word in words):
        return None
    return tuple(dict.fromkeys(read_point(put_letter_first(word)) for word in words))


def put_letter_first(word: str) -> str:
    """A vertex with its letter before its number."""
    return word[-1] + word[:-1] if word[0].isdigit() else word
