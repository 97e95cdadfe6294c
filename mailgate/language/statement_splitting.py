"""Statements: a line cut at its stops, and the marks that stand for points, numbers and names.

Pure; raises nothing. Smileys and emoji end a statement and are in none.
"""

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache

from mailgate.language.written_moves import normalize, strip_decoration

MAX_LINE = 300
"""Characters of a line that are read as statements; a longer one is a paragraph of talk."""
POINT, NUMBER, SIZE, ADDRESS, NAME = "PNSAB"
"""Placeholders for texts that differ between emails; the rest of a marked text is lower case."""

UNSPACED_SCRIPTS = r"\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af"  # scripts with few or no spaces
_CUT = re.compile(
    r"(?<![.!?;,…–—()])[.!?;,…–—()]++(?=[\s\"'”’)]|$)|[。、，！？；]+"
    rf"|(?<=[{UNSPACED_SCRIPTS}])[.!?;,]+|(?<!\b[a-zA-Z])\s-\s|(?<=[^\W\d_])[!?]+"
)
_SENTENCE = re.compile(rf"(?<=[.!?…])\s+|(?<=[。！？])|(?<=[{UNSPACED_SCRIPTS}][.!?])|\n+")
_STOPS = " \t.!?;,…–—()-。、，！？；"
_SMILE = re.compile(r"(?<!\w)(?:[:;=8x]['-]?[)(dpo/|*3]+|<3|\^_?\^|[xo]{3,})(?!\w)", re.IGNORECASE)
_VERTEX = re.compile(r"(?<![\w.-])(?:[a-z]-?\d{1,2}|a[a-z]\d{1,2}|b[ab]\d{1,2})(?![\w:]|\.\d)")
_SPACED = re.compile(r"(?<![\w.'’])([B-HJ-T]) (\d{1,2})(?!\w|[.:]\d)")
"""A vertex as a phone writes it after dictation: `E 5`."""
_SPLIT_SCRIPT = re.compile(rf"(?<=[{UNSPACED_SCRIPTS}])(?=[a-z]\d)|(?<=\d)(?=[{UNSPACED_SCRIPTS}])")
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w.-]{1,255}")
_SIZE = re.compile(r"\b\d{1,2} ?[x×*] ?\d{1,2}\b")
_DIGITS = re.compile(r"\d+")
_CYRILLIC = "АВСЕНКМОРТавсенкмортБДФГЛбдфгл"
_LATIN = str.maketrans(_CYRILLIC, "ABCEHKMOPTabcehkmoptBDFGLbdfgl")
_COLUMN = re.compile(rf"(?<!\w)[{_CYRILLIC}](?=\d{{1,2}}(?!\w))")
"""Cyrillic letters before a number that look or sound like columns."""
_MODIFIERS = str.maketrans("^`", "  ")
_REPLACEMENTS = {"So": ".", "Sk": " ", "Cf": " "}
"""Replacements for emoji and their modifiers, by Unicode category."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a line: its normalized text, its place, and whether it asks."""

    text: str
    start: int
    end: int
    asks: bool
    stopped: bool = False  # whether it ends a sentence; False before a comma

    @property
    def words(self) -> list[str]:
        """Its words, each without the marks around it."""
        spaced = _SPLIT_SCRIPT.sub(" ", self.text)
        return [word for word in (one.strip("\"'“”‘’*_~<>[]:") for one in spaced.split()) if word]


@lru_cache(maxsize=512)
def statements(line: str) -> tuple[Statement, ...]:
    """The statements of a line, cut at its stops: three in `Nice move! D4 :-) Q16 was good`."""
    line = _SPACED.sub(r" \1\2", line[:MAX_LINE])
    plain = _SMILE.sub(lambda found: ".".ljust(len(found[0])), _replace_emoji(line))
    parts, start = list[Statement](), 0
    cuts = [(cut.start(), cut.end(), cut[0]) for cut in _CUT.finditer(plain)]
    for stop, begins, cut in [*cuts, (len(plain), len(plain), ".")]:
        text = strip_decoration(normalize(plain[start:stop]))
        asks = "?" in cut or "？" in cut
        # An emoji after a statement belongs to the next one.
        end = begins - len(line[stop:begins].lstrip(_STOPS))
        stopped = asks or not cut.strip() or cut[0] in ".!…。！()"
        if any(map(str.isalnum, text)):
            parts.append(Statement(text, start, end, asks, stopped))
        elif parts and asks:  # `what now :-) ?`
            parts[-1] = replace(parts[-1], asks=True)
        start = begins
    return tuple(parts)


def _replace_emoji(line: str) -> str:
    """Replace emoji, except Go stones, by full stops and their modifiers by spaces.

    Positions stay.
    """
    if line.isascii():  # `^` and the grave accent are modifiers
        return line.translate(_MODIFIERS)
    return "".join(
        mark if mark in "⚫⚪●○" else _REPLACEMENTS.get(unicodedata.category(mark), mark)
        for mark in line
    )


def sentences(text: str) -> list[str]:
    """The sentences of some text, each as it was written."""
    return [one for part in _SENTENCE.split(text) if (one := part.strip())]


def vertices(text: str) -> list[str]:
    """The vertices that are named anywhere in some words, each once, in capitals."""
    found = _VERTEX.findall(_separate_vertices(text[:2_000]))
    return list(dict.fromkeys(word.replace("-", "").upper() for word in found))


def _separate_vertices(text: str) -> str:
    """A text in lower case, in which each vertex is a word of its own in Latin letters."""
    latin = _COLUMN.sub(lambda found: found[0].translate(_LATIN), _SPACED.sub(r" \1\2", text))
    return _SPLIT_SCRIPT.sub(" ", normalize(latin))


@lru_cache(maxsize=1024)
def mark_text(text: str, names: tuple[str, ...] = ()) -> str:
    """A text in lower case, with marks for points, sizes, numbers, addresses and people's `names`.

    >>> mark_text("Bob, D4 on 9x9 or 3 more?", ("bob",))
    'B, P on S or N more?'
    """
    plain = _separate_vertices(text)
    for name in names:
        plain = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", NAME, plain)
    for pattern, mark in ((_EMAIL, ADDRESS), (_SIZE, SIZE), (_VERTEX, POINT), (_DIGITS, NUMBER)):
        plain = pattern.sub(mark, plain)
    return plain
