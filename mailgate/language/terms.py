"""The terms of a game, and days off, in words as one line: `13x13 handicap 2 as black`.

Pure; raises nothing. The line is only offered, because the other words are not understood. Words
for terms are in the [terms] of each language.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache, lru_cache

from godaemon.errors import Unreadable
from godaemon.rules.named_rulesets import RULESETS
from godaemon.rules.points import Point, Size
from mailgate.language.lexicon import UNSPACED, any_of, lexicon, word_pattern
from mailgate.language.new_game import read_terms, write_sizes
from mailgate.language.statement_splitting import UNSPACED_SCRIPTS, Statement, statements
from mailgate.language.written_moves import normalize
from mailgate.language.written_rates import drop_ranges, write_rates
from mailgate.language.written_times import BETWEEN, read_english, split_time, translations
from mailgate.word_sets import words_of

_BOARD = re.compile(r"(?<![\w.])(9|13|19)(?:er)?(?![\w.])")
_NUMBER = re.compile(r"(?<![\w.])(-?\d{1,3}(?:[.,]5)?)(?![\w.])")
_SIZE = re.compile(r"(?<![\w.])\d{1,2}x\d{1,2}(?!\w)")
_PER_MOVE = re.compile(r"\bmove\b", re.IGNORECASE)  # `thirty days per move`
_COLORS = {"black", "white"}
_CORNER_POINT = re.compile(r"(?<![\w.:/-])([2-7])[-・]([2-7])(?![\w.:/-])")
_SIDES = ("left", "right", "bottom", "top")
_LARGE = 13  # minimum size of a board whose star points are on the fourth line
_NO_WORD = re.compile(r"\W+")
_LETTER = rf"[^\W{UNSPACED_SCRIPTS}]"  # words stand beside an address in these scripts
_EMAIL = re.compile(
    rf"(?:{_LETTER}|[.+-]){{1,64}}@"
    rf"(?:localhost(?!\.?[\w-])|(?:{_LETTER}|-)+(?:\.(?:{_LETTER}|-)+)+)"
)


@lru_cache(maxsize=64)  # each line that may be offered asks for them
def terms_in(text: str) -> tuple[str, ...]:
    """The terms in a text as one line; () if it names none, two lines for a colour of nobody.

    >>> terms_in("Yes but only 2 handicap stones, and can I be black?"), terms_in("How are you?")
    (('handicap 2 as black',), ())
    >>> terms_in("13x13, and Bob takes Black")
    ('13x13 as black', '13x13 as white')
    """
    limit, plain = split_time(write_rates(drop_ranges(_EMAIL.sub(" ", text[:1_000]))))
    plain = write_sizes(plain)
    words = normalize(plain)
    rating = [term for term in ("unrated", "rated") if has_term(words, term)][:1]
    is_amount = any(map(str.isdigit, limit)) or _PER_MOVE.search(limit) is not None
    time = [limit] if is_amount else ["no clock"] * has_term(text, "unlimited")
    sizes = [*_find_size(words), *_find_rules(words), *_find_handicap_and_komi(words)]
    seats = [[f"as {color}"] for color in _find_colors(plain)] or [[]]
    lines = (" ".join([*sizes, *rating, *seat, *time]) for seat in seats)
    with suppress(Unreadable):
        return tuple(line for line in lines if line and read_terms(line))
    return ()


def with_size(terms: str, size: str) -> str:
    """Terms that begin with a size: their own, or the usual one.

    >>> with_size("as black", "9x9"), with_size("5x5 as black", "9x9")
    ('9x9 as black', '5x5 as black')
    """
    return terms if _SIZE.match(terms) else f"{size} {terms}".strip()


def addresses_in(text: str) -> list[str]:
    return list(dict.fromkeys(_EMAIL.findall(text[:1_000])))


def names_in(text: str, names: Sequence[str]) -> list[str]:
    """The names of players that occur in a text, in full or as first name."""
    words = f" {_NO_WORD.sub(' ', normalize(text[:1_000]))} "
    return [name for name in names if name and f" {normalize(name).split()[0]} " in words]


def has_term(words: str, term: str) -> bool:
    """True if a text has a word for a term."""
    known, plain = lexicon().terms.get(term, ()), f" {_NO_WORD.sub(' ', normalize(words))} "
    return any(f" {one} " in plain or (not one.isascii() and one in words) for one in known)


def places_in(text: str, size: Size) -> str:
    """The points that a text names by their place: the centre, a star point, `4-4`.

    >>> places_in("4-4 in the upper right", Size(19, 19)), places_in("hoshi", Size(9, 9))
    ('Q16', 'C3 C7 G3 G7')
    """
    words = normalize(text[:1_000])
    if has_term(words, "centre"):
        return str(Point((size.width - 1) // 2, (size.height - 1) // 2))
    star = "44" if min(size) >= _LARGE else "33"
    named = star if has_term(words, "star") else "33" * has_term(words, "corner")
    lines = sorted(map(int, next(iter(_CORNER_POINT.findall(words)), named)))
    left, right, bottom, top = (has_term(words, side) for side in _SIDES)
    columns = [x for x in range(size.width) if left is right or left is (2 * x < size.width)]
    rows = [y for y in range(size.height) if bottom is top or bottom is (2 * y < size.height)]
    points = [Point(x, y) for x in columns for y in rows]
    return " ".join(str(one) for one in points if _lines_of(one, size) == lines)


def _lines_of(point: Point, size: Size) -> list[int]:
    """The lines of a point, counted from the nearest edges: 3 and 4 for C4."""
    return sorted(min(at, last - at) + 1 for at, last in zip(point, size.last, strict=True))


def _find_size(words: str) -> list[str]:
    """The first size that no clause finds too small or too large, or the opposite of that one."""
    parts = (one.text for one in statements(words))
    size = _size_in(" , ".join(one for one in parts if not has_term(one, "too")))
    if not size and has_term(words, "too"):
        size = {"9x9": "19x19", "19x19": "9x9"}.get(_size_in(words), "")
    return [size] if size else []


def _size_in(words: str) -> str:
    if found := _SIZE.search(words):
        return found[0]
    sides = _board_pattern().search(words)
    if sides or (has_term(words, "board") and (sides := _BOARD.search(words))):
        return f"{sides[1]}x{sides[1]}"
    sizes = (("large", "19x19"), ("medium", "13x13"), ("small", "9x9"))  # 十九路 contains 九路
    return next((size for term, size in sizes if has_term(words, term)), "")


@cache
def _board_pattern() -> re.Pattern[str]:
    """A number before a word for a board, in scripts without blanks: `9路`."""
    unspaced = any_of(one for one in lexicon().terms["board"] if one[0] >= UNSPACED)
    return re.compile(rf"(\d{{1,2}}) ?(?:{unspaced})")


def _find_rules(words: str) -> list[str]:
    """The rules that a clause names beside a word for rules: `rules chinese`."""
    clauses = [one.text for one in statements(words) if has_term(one.text, "rules")]
    found = [name for name in RULESETS if any(has_term(one, name) for one in clauses)]
    return [f"rules {found[0]}"] if len(found) == 1 else []


def _find_handicap_and_komi(words: str) -> list[str]:
    """The handicap and the komi that each clause names with its only number, or `no komi`."""
    found = list[str]()
    for text in (one.text for one in statements(words)):
        digits = [one.replace(",", ".") for one in _NUMBER.findall(_SIZE.sub(" ", text))]
        stones = digits or [lexicon().numbers[one] for one in _stones_pattern().findall(text)]
        for term, numbers in (("handicap", stones), ("komi", digits)):
            if len(numbers) == 1 and has_term(text, term):
                found.append(f"{term} {numbers[0]}")
        found += ["komi 0"] * (_no_komi_pattern().search(text) is not None)
    return found


@cache
def _no_komi_pattern() -> re.Pattern[str]:
    """`no komi`, or the reverse in a script without blanks: `コミなし`."""
    terms = [lexicon().terms[term] for term in ("without", "komi")]
    without, komi = (word_pattern(*words) for words in terms)
    after, before = (any_of(one for one in words if one[0] >= UNSPACED) for words in terms)
    return re.compile(f"{without} ?{komi}|(?:{before}) ?(?:{after})")


@cache
def _stones_pattern() -> re.Pattern[str]:
    """A number from 2 to 9 in words."""
    numbers = lexicon().numbers
    return re.compile(word_pattern(*(one for one in numbers if int(numbers[one]) in range(2, 10))))


def leaves_terms_open(text: str) -> bool:
    """True if a text names a range, something too hard, or a colour that may be another's.

    So does one about rules or no komi, which may be talk: `Yes, I hate Chinese rules`.
    """
    clauses = [*_clauses_about_colors(text[:1_000])]
    shared = any("opponent" in marks or _may_be_another(text, marks) for text, marks in clauses)
    words = normalize(text[:1_000])
    may_be_talk = _find_rules(words) or _no_komi_pattern().search(words)
    shared = shared or bool(may_be_talk) or has_term(words, "too")
    return shared or drop_ranges(text) != text


def _find_colors(text: str) -> list[str]:
    """The colour that the writer wants, or leaves by giving the other away; none if both.

    A colour belongs to the last person before it in its clause, or else to the next one. Both
    colours are found if it may be another person's.
    """
    other, found = {"black": "white", "white": "black"}, set[str]()
    for clause, marks in _clauses_about_colors(text):
        if _may_be_another(clause, marks):
            return [*other] if len(_COLORS.intersection(marks)) == 1 else []
        for at in (at for at, mark in enumerate(marks) if mark in other):
            persons = [mark for mark in (*marks[:at][::-1], *marks[at:]) if mark not in other]
            given = (persons[:1] == ["opponent"]) is not has_term(clause, "too")
            found.add(other[marks[at]] if given else marks[at])
    return [*found] if len(found) == 1 else []


def _clauses_about_colors(text: str) -> Iterator[tuple[str, list[str]]]:
    """The clauses that name a colour, with their colours and persons: the names of their groups."""
    for one in statements(text):
        found = (str(mark.lastgroup) for mark in _color_pattern().finditer(one.text))
        marks = [name for name in found if name != "versus"]
        if not _COLORS.isdisjoint(marks):
            yield text[one.start : one.end], marks


def _may_be_another(clause: str, marks: Sequence[str]) -> bool:
    """True for a clause with an unknown word, which may name the person who has the colour.

    Beside a known person, only a word with a capital may.
    """
    known = lexicon()
    terms = {part for words in known.terms.values() for word in words for part in word.split()}
    first, *rest = _against_pattern().sub(" ", clause).split() or [""]
    names = [one for one in rest if one[0].isupper()]
    names = [first, *rest] if _COLORS.issuperset(marks) else names
    text = re.sub(r"\S*\d\S*|[^\w\s'-]", " ", normalize(" ".join(names)))
    words = Statement(_wish_pattern().sub(" ", text), 0, 0, asks=False).words
    return not known.may_stand_beside_move({*words} - terms - known.joins - known.wishes)


@cache
def _against_pattern() -> re.Pattern[str]:
    """Words for an opponent, who takes no colour: `against my friend Bob`."""
    known = lexicon()
    colors = any_of([*known.black, *known.white])
    against = word_pattern(*known.terms["against"])
    return re.compile(rf"(?i){against}(?: (?!(?:{colors})(?!\w))[\w'-]+){{1,3}}")


@cache
def _wish_pattern() -> re.Pattern[str]:
    return re.compile(word_pattern(*lexicon().terms["wish"]))


@cache
def _color_pattern() -> re.Pattern[str]:
    """The pattern of a colour, or of a person who may have it, as a group of that name.

    An opponent behind `versus` takes no colour: `happy to play against you as black`.
    """
    known = lexicon()
    words = {"black": known.black, "white": known.white, **known.terms}
    versus = word_pattern(*words["versus"])
    groups = (
        f"(?P<{name}>{word_pattern(*words[name])})" for name in ("black", "white", "opponent", "me")
    )
    return re.compile(
        rf"{'|'.join(groups)}|(?P<versus>{versus} ?{word_pattern(*words['opponent'])})"
    )


# -- days off -------------------------------------------------------------------------------------
_MAX_LENGTH, _MAX_PHRASE_WORDS, _MAX_SPAN_WORDS = 300, 9, 4
"""Maximum characters that are read, words of a phrase, and words of a phrase without a day."""
_BEGINNINGS = words_of("from starting between until till to through for next a one two three four")
"""Beginnings of a phrase about days off."""


def vacation_in(words: str) -> str:
    """The line for the longest vacation in some words, or an example if they name none.

    >>> vacation_in("I shall be away, from tomorrow until Friday, at my sister's")
    'vacation from tomorrow until Friday'
    >>> vacation_in("I'll be on holiday")
    'vacation 2 weeks'
    """
    plain = re.sub(r"[,.!?;:()](?=\s|$)", "", words[:_MAX_LENGTH])
    phrases = (
        " ".join(text[first : first + count])
        for text in map(str.split, translations(plain))
        for count in range(_MAX_PHRASE_WORDS, 1, -1)
        for first in range(len(text) - count + 1)
        if text[first].casefold() in _BEGINNINGS or text[first][:1].isdecimal()
    )
    return f"vacation {next(filter(_is_vacation, phrases), '2 weeks')}"


def with_named_time(line: str, words: str) -> str:
    """A line with the vacation or the hour that some words name instead of an example.

    >>> with_named_time("digest at 20", "digest um 7 Uhr"), with_named_time("show", "at 7")
    ('digest at 7', 'show')
    """
    if line == "vacation 2 weeks":
        return vacation_in(words)
    found = _LAST_HOUR.search(words[:_MAX_LENGTH]) if line == "digest at 20" else None
    return f"digest at {found[1]}" if found else line


_LAST_HOUR = re.compile(r"(?<![\d:.,])(1?\d|2[0-3])(?:[:.]00)? ?[^\W\d]{0,6}[.!]?$")


def _is_vacation(phrase: str) -> bool:
    if len(phrase.split()) > _MAX_SPAN_WORDS and not BETWEEN.search(phrase):
        return False
    found = read_english(phrase)
    return found is not None and bool(found.span or found.until)
