"""Near misses of moves, refused: why each is none, and the exact lines that would work.

Pure; raises `Unreadable` alone. A near-miss is neither obeyed nor passed on to the opponent, who
would read a move there while the game stood still.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches

from godaemon.errors import Unreadable
from godaemon.rules.points import LARGEST, Point, Size, from_sgf
from mailgate.address import clean_quote
from mailgate.language.new_game import EXAMPLE
from mailgate.language.written_moves import (
    TAIL,
    compact,
    letters_first,
    normalize,
    point,
    read_move,
    strip_decoration,
)
from mailgate.late_patterns import late
from mailgate.word_sets import words_of

POLITE = words_of(
    "please pls plz thanks thank you thx ty cheers sorry sir bitte danke merci gracias grazie"
    " bedankt then now gg :) :-) ;) hi hello ok okay so and is my move i play"
)
"""Words that say nothing beside a move, and so show that the line was meant as one."""

_BETWEEN = POLITE | {"or", "oder", "ou", "und", "et", "y", "o", "e"}
_LEADING = re.compile(
    r"\(?(?:[a-z]-?\d{1,2}|[b-hj-z] \d{1,2}|\d{1,2}[a-z])(?![a-z0-9'])[):;.,!?-]*"
)
_LEADS = re.compile(
    r"(?:i|i'll|i will|i'd|my move|play|move|black|white|b|w|ok|okay|so|hi|hello|yes|no|next|stone"
    r"|go|re|fwd?|zug|mein zug|ich (?:spiele|setze|nehme|ziehe)|je (?:joue|pose)|mon coup|coup|yo"
    r"|juego|mi jugada|jugada|ik (?:speel|zet)|mijn zet|zet|gioco|mossa|jogo|jogada|gram|ruch"
    r"|ход|мой ход|играю|hane|kosumi|keima|tsuke|nobi|atari|cut|extend|jump)\b"
)
"""How a short line begins that ends in a vertex and means it."""
_WISHES = re.compile(
    r"(?:i'll|i will|i'd|i would|i want to|i'm going|let me|let's|my (?:next )?move|here's)\b"
)
_LONG_WISH = 7
_CONFUSED = re.compile(r"([a-z])(?:-| ?: ?| )?(?=[oil|]*[0-9])([0-9oil|]{1,3})")
_APART = re.compile(r"([a-hj-t])(1) ([0-9])(?![\w.:])(?: [a-z]+){0,2}[.!]*$")
_TWICE = re.compile(r"([a-z])\1-?(\d{1,2})")
_NUMERALS = [
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
_SPOKEN = {
    "aitch": "h",
    "cue": "q",
    "eff": "f",
    "ell": "l",
    "ess": "s",
    **{
        name: name[0]
        for name in words_of(
            "alpha alfa bravo charlie delta echo foxtrot golf hotel juliet juliett kilo lima mike"
            " november oscar papa quebec romeo sierra tango bee cee dee gee jay kay pee tee queue"
        )
    },
}
_MISHEARD = {"ay": "a", "be": "b", "see": "c", "sea": "c", "pea": "p", "are": "r", "tea": "t"}
"""The same, where only the words before it tell that it is a point."""
_SPOKEN_NUMBER = rf"[ -]({'|'.join(_NUMERALS)}|[0-9]{{1,2}})"
_SAYS = r"(?:(?:i|i'll|my|move|play|take|go|place|put|stone|is|at|on|to|the|ok|please)[ ,:]+)"
_SPELT = re.compile(
    rf"(?:{_SAYS}*(?:([a-hj-t])[ -]({'|'.join(_NUMERALS)})"
    rf"|({'|'.join(sorted(_SPOKEN))}){_SPOKEN_NUMBER})"
    rf"|(?!i see\b){_SAYS}+({'|'.join(_MISHEARD)}){_SPOKEN_NUMBER})"
    r"(?:[ ,]+(?:please|thanks?|thank you|then|now|period|full stop|sent|from|my|i?phone))*"
)
"""A point as a telephone takes it down."""
_DICTATED = late(
    rf"\b(?!(?:golf|tango|papa|mike|victor|alpha)\b)([b-hj-t]|{'|'.join(sorted(_SPOKEN))})[ -]"
    rf"({'|'.join(_NUMERALS[1:])})\b(?! (?:of|days|weeks|hours|minutes|stones?|points?|moves?)\b)"
)
"""A letter and a numeral, one behind the other, anywhere."""
_MISSPELT = late(r"(?<![\w'])([b-hj-t]) ([a-z]{3,9})(?![\w'])")
_BEGINS = late(
    rf"(?:ok |so |and )*({'|'.join(_MISHEARD)})[ -]({'|'.join(_NUMERALS[2:])})\b(?! of\b)"
)
_COLUMN = late(
    r"\bcolumn (?P<a>[a-hj-t])\b[ ,]*(?:and )?(?:on )?(?:row|line) (?P<m>\d{1,2})\b|\b(?:row"
    r"|line) (?P<n>\d{1,2})\b[ ,]*(?:and )?(?:on |in )?column (?P<b>[a-hj-t])\b|\b(?:crossing"
    r"|intersection|point) (?:of|where) (?P<c>[a-hj-t]) (?:and|meets) (?P<o>\d{1,2})\b"
    r"|\b(?:crossing|intersection|point|corner|line|column) (?:of |on )?(?:line "
    r"|column )?(?P<e>[a-hj-t]) and (?:line |row |number )?(?P<q>\d{1,2})\b"
    rf"|^(?:{_SAYS})*(?P<d>[a-hj-t]) (?:on|for \w+|as in \w+)[ ,]+(?:and )?"
    rf"(?P<p>{'|'.join(_NUMERALS)}|\d{{1,2}})(?: please)?[.!]*$"
)
_COUNTED_ROW = late(
    rf"\bcolumn (?P<column>[a-hj-t])\b.{{0,20}}?\b(?:(?P<word>{'|'.join(_NUMERALS)}|first|second"
    r"|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)|(?P<digits>\d{1,2})(?:st|nd|rd|th)?)"
    r" (?:row|line) from (?:the )?(?P<side>bottom|top)\b"
)
"""A column by its letter and a row by how far it is from a side."""
_GLUED = re.compile(r"(?:[a-z]\d{1,2}){2,}")
_NUMBERS = re.compile(r"(\d{1,2}) ?([-/,x*×]) ?(\d{1,2})")
_KANJI = re.compile(r"(\d{1,2}) ?[のノ之の]? ?([一二三四五六七八九十]{1,3})")
_DIGITS = "一二三四五六七八九"
_NOT_LATIN = re.compile(r"[\u0370-\u052f]-?\d{1,2}")
_SGF = re.compile(r";?[bw] ?\[([a-z])([a-z])\]|([a-s])([a-s])")
_TWO_LETTER_WORDS = words_of(
    "ad ah ai al am an as be bo co da de di do eg ed eh el em en er es fa fe go gg ha he hh hi hm"
    " id ie if im in is ja jk ka kk la le li lo ma me mi mm na ne nm no np of oh ok om op or os pa"
    " pc pm ps qi ko re se sh si so lg mg bg br kr gl hf gn gm"
)
"""Words and greetings of two letters in the languages that people close a letter in."""
_CORNERS = {
    "hoshi": (4, 4),
    "komoku": (3, 4),
    "sansan": (3, 3),
    "san-san": (3, 3),
    "takamoku": (4, 5),
    "mokuhazushi": (3, 5),
}
"""Names of points by how far they lie from two sides of the board."""
_LOOKALIKES = str.maketrans(
    "АВСЕНКМОРТХЅЈԚԜԌасеорхуѕјᴅԁѵԛԝԍΑΒΕΖΗΚΜΝΟΡΤΥΧοαρνӏｏ",
    "ABCEHKMOPTXSJQWGaceopxysjddvqwgABEZHKMNOPTYXoapvlo",
)
_USUAL = Size(19, 19)


def refuse_near_move(said: str, *, moved: bool, size: Size | None = None) -> None:
    """Raises `Unreadable` for a line that looks like a move but is none, quoting it.

    `moved` says that the letter has its move already, so that a vertex may begin a sentence. `size`
    is the board's where it is known, so that only its own points are offered.
    """
    line = normalize(said[:500])
    if len(line) > 400:
        return
    near = _question(line) or _lookalike(line) or _spelt(line)
    if not moved:  # below a move `MP3` and `3-3` are talk
        near = (
            near
            or _column(line)
            or _apart(line)
            or _confused(line)
            or _from_the_sides(line, size or _USUAL)
            or _numbers(line, size or _USUAL)
            or _other(line, size)
        )
    near = near or _company(line, moved=moved)
    if near is not None:
        why, meant = near
        hints = tuple(text.upper() if compact(text) else text for text in dict.fromkeys(meant))
        raise Unreadable(f"“{clean_quote(said)}” {why}. Nothing was done.", hints=hints)


_Near = tuple[str, tuple[str, ...]]
"""Why a line is no move, to follow its quotation, and what would be one."""


def _company(line: str, *, moved: bool) -> _Near | None:
    """A vertex with other words about it: `D4 thanks!`, `ok D4`, `D4 Q16`."""
    words = [word.strip(TAIL + "()?:") for word in re.split(r"[ /]", line)]
    words = [word for word in words if any(mark.isalnum() for mark in word)]
    others = [word for word in words if not compact(word)]
    vertices = [word for word in words if compact(word)]
    if len(set(vertices)) > 1 and all(word in _BETWEEN for word in others):
        return "holds more than one point, and an email holds one move", real_points(vertices[:3])
    if vertices and not others and all(compact(one) for one in line.split()):
        return None if moved else ("is not a point of any board", real_points(vertices[:1]))
    leading = _LEADING.match(line)
    if leading and not vertices:
        vertices = [re.sub(r"[^a-z0-9]", "", leading[0])]
    last = bool(vertices) and len(words) <= _LONG_WISH and words[-1] == vertices[-1]
    wish = last and (_WISHES.match(line) or (len(words) <= 4 and _LEADS.match(line)))
    if vertices and (all(word in POLITE for word in others) or ((leading or wish) and not moved)):
        named = [*dict.fromkeys(vertices)][:3]
        turns = tuple(word for word in ("pass", "resign") if word in others)
        return "says more than a move: put the move on a line of its own", real_points(
            named
        ) + turns
    return None


def real_points(vertices: Iterable[str]) -> tuple[str, ...]:
    """The points of some normalized vertices; what could be meant, of those that there are not.

    >>> real_points(["d4", "i7"])
    ('D4', 'H7', 'J7')
    """
    found: list[str] = []
    for word in vertices:
        try:
            found.append(str(point(letters_first(word))))
        except Unreadable as error:
            found += error.hints
    return tuple(found)


def _question(line: str) -> _Near | None:
    meant = line.rstrip("?! ")
    if line.endswith("?") and (move := read_move(meant)):
        return "is a question; without the question mark it is a move", (str(move.point),)
    return None


def _lookalike(line: str) -> _Near | None:
    """Letters of another alphabet that look like ours (normalized lines are in lower case)."""
    latin = line.upper().translate(_LOOKALIKES).casefold()
    if latin != line and latin.isascii() and (move := read_move(latin)):
        return "has a letter of another alphabet that only looks like a Latin one", (
            str(move.point),
        )
    if _NOT_LATIN.fullmatch(line):
        return "has a letter of another alphabet: the columns are the Latin letters A to T", ()
    return None


def _spelt(line: str) -> _Near | None:
    said = (strip_decoration(one) for one in re.split(r"[.!] ", line))
    found = next(filter(None, map(_SPELT.fullmatch, said)), None)
    if found is None:
        return None
    letter, number = filter(None, found.groups())
    letter = (_SPOKEN | _MISHEARD).get(letter, letter)
    return "says a point in words", real_points([letter + _digits(number)])


def dictated(line: str) -> tuple[str, ...]:
    """The points that a telephone took down, in whatever words; none for others.

    >>> dictated("ok so i think i take dee seventeen no wait d sixteen tell bob hi")
    ('D17', 'D16')
    >>> dictated("see sixteen thank you"), dictated("i see two of them")
    (('C16',), ())
    """
    found = [match.groups() for match in _DICTATED.finditer(line)]
    if found or re.search(r"\b(?:full stop|period|comma)\b", line):
        found += re.findall(r"\b([b-hj-t]) (\d{1,2})\b", line)
    if not found and len(line.split()) <= _LONG_WISH and (begins := _BEGINS.match(line)):
        found = [begins.groups()]
    for letter, number in _MISSPELT.findall(line) if not found else ():
        meant = get_close_matches(number, _NUMERALS[2:], n=1, cutoff=0.8)
        found += [(letter, one) for one in meant]
    names = _SPOKEN | _MISHEARD
    return real_points(names.get(letter, letter) + _digits(number) for letter, number in found)


def _digits(number: str) -> str:
    return number if number.isdecimal() else str(_NUMERALS.index(number) + 1)


def _column(line: str) -> _Near | None:
    """A point by its column and its row."""
    found = _COLUMN.search(line)
    if found is None:
        return None
    named = found.groupdict()
    letter, number = (next(filter(None, map(named.get, names))) for names in ("abcde", "mnopq"))
    return "says a point in words", real_points([letter + _digits(number)])


def _apart(line: str) -> _Near | None:
    found = _APART.match(strip_decoration(line))
    if found is None:
        return None
    both = (found[1] + found[2] + found[3], found[1] + found[2])
    return "has a blank in its number", real_points(both)


def _confused(line: str) -> _Near | None:
    text = strip_decoration(line)
    if re.fullmatch(r"0\d{1,2}", text):
        return "begins with a zero; perhaps the letter O is meant", (f"o{int(text[1:])}",)
    if re.fullmatch(r"[a-z]\d{3,}", text):
        return "is not on any board", (text[:2], text[:3])
    if twice := _TWICE.fullmatch(text):
        return "has its letter twice", real_points([twice[1] + twice[2]])
    if _GLUED.fullmatch(text):
        both = re.findall(r"[a-z]\d{1,2}", text)
        return "holds more than one point, and an email holds one move", real_points(both)
    found = _CONFUSED.fullmatch(text)
    if found is None:
        return None
    meant = found[1] + found[2].translate(str.maketrans("oil|", "0111")).lstrip("0")
    confused = meant != text.replace("-", "") and read_move(meant)
    why = "mixes up letters and digits: O and 0, or l and 1" if found[2] not in meant else _WRITTEN
    return (why, (meant,)) if confused else None


_PLACES = (
    r"\b(?:upper|lower|top|bottom|left|right|middle|centre|center|corner|side|hand|points?|star)\b"
)
_PLACE = late(_PLACES)
_PLACED = late(
    r"\b(?:the|an?|my|at|in|on|of|is|move|play|place|put|i|i'll|stone|please)\b|[,:](?!\d)"
    rf"|{_PLACES}"
)
"""Words about a point that has another name: `the 4-4 point in the upper right corner`."""
_RELATIVE = late(
    r"(?:(?:i'll|i|will|would|let me|want to|play|put|place|go|one|two|an?|stones?|just|exactly"
    r"|directly|immediately|please|points?|spaces?|steps?|lines?|diagonal(?:ly)?|to|on|at|the)"
    r"[ ,]+)*(?:left|right|above|below|under|beside|behind|next|between|adjacent|north|south|east"
    r"|west)(?: (?:of|to|from))? (?:(?:my|your|his|her|the|that|last|first|black|white|two|three"
    r"|lone|lonely|single) )+(?:stones?|groups?|move)"
    r"(?:,? (?:on|to|at) the \w+)?"
)
"""A point by the stones that it lies beside."""
_SHIFTED = late(
    r"(?:please )?(?:put|place|play|same|move)\b.*\b(?:one|two|an?) (?:lines?|points?|spaces?|rows?"
    r"|columns?|steps?) (?:more |further |to the )*(?:left|right|up|down|lower|higher|above|below)"
)
"""A point by how far it lies from another."""


def _in_words_of_go(text: str) -> bool:
    """True for a move by its shape or place alone: `3-3 invasion bottom right`, `hane`."""
    words = [word.strip(TAIL + ",()") for word in REFERENCE.sub(" ", text).split()]
    words = [word for word in words if word]
    return (
        len(words) <= 2 * _LONG_WISH
        and any(word in _SHAPE_NAMES for word in words)
        and all(word in _SHAPE_NAMES or word in _ABOUT_SHAPES for word in words)
    )


REFERENCE = late(
    r"\b(?:(?:from|of|near|beside|above|below|under|over|towards?|off|next to|between|around"
    r"|against)|(?:to |at |on )?(?:my|your|his|her|their|the)(?: \w+)?) [a-z]-?\d{1,2}\b"
)
"""A point from which another is told: `one space jump from Q16`."""
_SHAPE_NAMES = words_of(
    """
    hane nobi kosumi keima kogeima ogeima ikken niken tobi tsuke komoku mokuhazushi takamoku sansan
    san-san hoshi shimari kakari hiraki knight's knights 3-3 4-4 3-4 4-3 3-5 5-3 4-5 5-4
    invasion invade approach enclosure extension extend jump attach peep wedge corner edge star
    anywhere somewhere wherever random
    """
)
"""Shapes and places by which somebody may mean a move, where nothing else is said."""
_ABOUT_SHAPES = words_of(
    """
    i i'll i'd i'm will would like want to take play move go put place stone a an the my your his
    her last first next other empty free open big small one two knight high low
    towards toward between over around under above below beside space diagonal then
    please just in on at of from for with and top bottom upper lower left right middle centre center
    side point facing yours mine near it that this you me here there now ok okay let's think guess
    prefer rather might maybe perhaps hmm pls plz thanks
    """
)


def _numbers(line: str, size: Size) -> _Near | None:
    text = " ".join(_PLACED.sub(" ", strip_decoration(line)).split())
    found = _NUMBERS.fullmatch(text)
    if found is None:
        return None
    if found[2] in "x*×":
        wide, high = int(found[1]), int(found[3])
        real = 1 <= wide <= LARGEST and 1 <= high <= LARGEST
        proposal = f"new {wide}x{high} vs bob@example.org" if real else EXAMPLE
        return "is the size of a board; a new game is proposed like this", (proposal,)
    meant = _named(found[1], found[3], size, line)
    return "could be any of four corners: name the point", meant


def _named(one: int | str, other: int | str, size: Size, said: str = "") -> tuple[str, ...]:
    """The points so many lines from the sides, in the corner that some words name, or in each."""
    named = {*re.findall(r"\w+", re.sub(r"\bfacing (?:the )?\w+", " ", said))}
    sides = [here for words, here in _SIDES if named & words]
    found = dict.fromkeys(_corners(int(one), int(other), size))
    return tuple(str(point) for point in found if all(here(point, size) for here in sides))


_SIDES: tuple[tuple[frozenset[str], Callable[[Point, Size], bool]], ...] = (
    (
        words_of("top upper oben obere oberen oberer haut arriba alto boven cima superior"),
        lambda point, size: 2 * point.row >= size.height,
    ),
    (
        words_of("bottom lower unten untere unteren unterer bas abajo basso onder baixo inferior"),
        lambda point, size: 2 * point.row < size.height,
    ),
    (
        words_of(
            "left links linke linken linker gauche izquierda izquierdo sinistra sinistro esquerda"
            " esquerdo"
        ),
        lambda point, size: 2 * point.column < size.width,
    ),
    (
        words_of(
            "right rechts rechte rechten rechter droite derecha derecho destra destro direita"
            " direito"
        ),
        lambda point, size: 2 * point.column >= size.width,
    ),
)
"""The sides of a board by their words, and whether a point lies there."""
_NAMED_POINT = late(
    r"\b(?:hoshi|komoku|san-?san|takamoku|mokuhazushi|star(?:[ -]?point)?|sternpunkt"
    r"|[3-5] ?[-/ ] ?[3-5])\b"
)


def of_a_corner(text: str, size: Size) -> tuple[str, ...]:
    """The points that a name and a corner tell; none for other words.

    >>> of_a_corner("the star point top left", Size(19, 19))
    ('D16',)
    """
    named = _NAMED_POINT.findall(text)
    if not named:
        return ()
    name = re.sub("stern?[ -]?punkt|star(?:[ -]?point)?", "hoshi", named[0])
    name = name.replace("sansan", "san-san")
    one, other = _CORNERS.get(name) or (int(name[0]), int(name[-1]))
    if one == other == 4 and min(size.width, size.height) < 13:
        one = other = 3
    both = (*_named(one, other, size, text), *_named(other, one, size, text))
    found = _near(tuple(dict.fromkeys(both)), text, size)
    return found if len(named) == 1 or len(found) == 1 else ()


def of_a_column(text: str, size: Size) -> tuple[str, ...]:
    """The point of a column and a row that is counted; none for other words.

    >>> of_a_column("on column o, third row from the bottom", Size(19, 19))
    ('O3',)
    """
    found = _COUNTED_ROW.search(text)
    if found is None:
        return ()
    word = found["word"] or ""
    names = _ORDINALS if word in _ORDINALS else _NUMERALS
    row = int(found["digits"]) if found["digits"] else names.index(word) + 1
    row = row if found["side"] == "bottom" else size.height + 1 - row
    return real_points([f"{found['column']}{row}"]) if row > 0 else ()


def of_the_middle(text: str, size: Size) -> tuple[str, ...]:
    """The point in the middle of a board, for words that mean it; none for others.

    >>> of_the_middle("the centre point please", Size(9, 9)), of_the_middle("tengen", Size(8, 8))
    (('E5',), ())
    """
    odd = size.width % 2 and size.height % 2
    return (str(Point(size.width // 2, size.height // 2)),) if odd and _CENTRE.search(text) else ()


_CENTRE = late(
    r"\btengen\b|\b(?:cent(?:re|er|ral)|middle) (?:point|spot|star|of the board)\b"
    r"|\bin(?:to)? the (?:very |exact |dead )*(?:middle|cent(?:re|er))(?: please)?$"
    r"|\b(?:mittelpunkt|mitte des bretts|centro del (?:tablero|todo)|centre du (?:plateau|goban))\b"
    r"|天元"
)


def _near(found: tuple[str, ...], text: str, size: Size) -> tuple[str, ...]:
    """Those in the quarter of the board of the one point that some words name, if they name one."""
    named = [point(one) for one in re.findall(r"(?<!\w)[a-hj-t]\d{1,2}(?!\w)", text)]
    if len(named) != 1 or not size.has(named[0]):
        return found
    sides = [here(named[0], size) for _, here in _SIDES]
    return tuple(
        one for one in found if [here(point(one.lower()), size) for _, here in _SIDES] == sides
    )


_ORDINALS = [
    *("first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth"),
]
_COUNTED = late(
    rf"\b(?:({'|'.join(_ORDINALS)})|(\d{{1,2}})(?:st|nd|rd|th))"
    r"(?: (?:line|point|row|column|one|space|place))? from (?:the )?(left|right|top|bottom)\b"
)


def _from_the_sides(text: str, size: Size) -> _Near | None:
    """The point that is told by two of its lines: `third from the left, fourth from the top`."""
    told = {
        side: int(digits) if digits else _ORDINALS.index(name) + 1
        for name, digits, side in _COUNTED.findall(text)
    }
    told |= {"left": size.width + 1 - told["right"]} if "right" in told else {}
    told |= {"bottom": size.height + 1 - told["top"]} if "top" in told else {}
    point = Point(told.get("left", 0) - 1, told.get("bottom", 0) - 1)
    return ("says a point in words", (str(point),)) if size.has(point) else None


NO_POINT = "does not say which point"
_WHICH = f"{NO_POINT}: a point is a letter and a number"
_WRITTEN = "is no point as one is written: a letter and a number"


def _by_name(text: str, size: Size) -> _Near | None:
    """Points by a name, and as Japanese books count them."""
    why = _WHICH
    if found := _KANJI.fullmatch(text):
        return why, _named(found[1], _kanji(found[2]), size)
    return (why, of_the_middle(text, size)) if text == "tengen" else None


def _kanji(text: str) -> int:
    tens, ten, ones = text.rpartition("十")
    return (10 * (_kanji(tens) or 1) if ten else 0) + (_DIGITS.find(ones[-1:]) + 1 if ones else 0)


def _corners(one: int, other: int, size: Size) -> Iterator[Point]:
    """The points so many lines from the sides of a board, in each of its corners."""
    if not (1 <= one <= size.width and 1 <= other <= size.height):
        return
    for row in (other - 1, size.height - other):
        for column in (one - 1, size.width - one):
            yield Point(column, row)


_FIRST = re.compile(r"[,;.!?] ")


def _other(line: str, size: Size | None) -> _Near | None:
    """A point by another name, or as SGF writes it."""
    text = strip_decoration(line)
    bare = " ".join(_PLACED.sub(" ", text).split())
    first = _FIRST.split(text, maxsplit=1)[0]
    if named := _by_name(first if first == "tengen" else bare or text, size or _USUAL):
        return named
    if bare in _CORNERS or _in_words_of_go(text):
        return _WHICH, of_a_corner(text, size or _USUAL)
    if _RELATIVE.fullmatch(text) or _SHIFTED.fullmatch(text) or (_PLACE.search(text) and not bare):
        return _WHICH, of_the_middle(text, size or _USUAL)
    found = _SGF.fullmatch(text)
    if found is None or text in _TWO_LETTER_WORDS:
        return None
    board = size or _USUAL
    meant = from_sgf((found[1] or found[3]) + (found[2] or found[4]), board.height)
    if not board.has(meant):
        return "is how SGF writes a point, and there is no such point on this board", ()
    return f"is how SGF writes a point; on a {board} board it is our {meant}", (str(meant),)
