"""Lines that look like commands but are not: `D4 E5`, `d123`, `resing`.

Pure; raises only `Unreadable`, with hints that would work. A near miss below a command is not
passed on: the opponent would read a move that was not played.
"""

import re
from difflib import get_close_matches
from functools import cache

from godaemon.errors import Unreadable
from godaemon.texts.catalogue import sentence
from mailgate.address import clean_quote
from mailgate.language.command_lines import whole_command
from mailgate.language.lexicon import lexicon
from mailgate.language.meaning_model import meaning
from mailgate.language.statement_splitting import vertices
from mailgate.language.written_moves import (
    is_vertex,
    normalize,
    put_letter_first,
    read_move,
    read_point,
    strip_decoration,
)

NEAR_MISS = "near-miss"
"""The sentence that asks which of the hints is meant."""
SPELT_POINT = "a word and a number"  # case of a refusal: they may be a point, or other words
_TURNS = ("pass", "resign", "undo", "done", "resume")
"""Verbs whose misspellings are refused below a command; other misspellings may be talk."""
_SURE_TALK = 0.8  # a word that is talk with this probability is not a misspelt verb
_DIGIT_LOOKALIKE = re.compile(r"([a-z])[-: ]?([0-9oil|]{1,3})")
_DIGITS = str.maketrans("oil|", "0111")
_THREE_DIGIT_ROW = re.compile(r"[a-z]\d{3}")
_WORD_AND_NUMBER = re.compile(r"[a-z]{3,9} \w{1,12}")
_CYRILLIC_LOOKALIKES = str.maketrans("авсенкмортхѕјԛԝ", "abcehkmoptxsjqw")


def refuse_near_miss(text: str, *, below: bool = False) -> None:
    """Raise `Unreadable` for a line that is nearly a command.

    With `below`, for a line below a command, only if it can hardly be talk.
    """
    line = strip_decoration(normalize(text[:200]))
    if is_opening(line):
        return
    hints = () if below else _points_meant(line)
    hints = hints or _points_in_line(text, line) or _find_misspelt_verb(line, below=below)
    if hints:
        reason = sentence(NEAR_MISS, count=len(hints), said=clean_quote(text))
        points = all(is_vertex(hint.casefold()) for hint in hints)
        case = SPELT_POINT if points and _WORD_AND_NUMBER.fullmatch(line) else ""
        raise Unreadable(reason, hints=hints, case=case)


def is_opening(line: str) -> bool:
    """True for a line that begins as a greeting does: `Dear Carol`, `Hi`."""
    return line.partition(" ")[0] in _openers()


@cache
def _openers() -> frozenset[str]:
    return frozenset(one.partition(" ")[0] for one in lexicon().greetings)


def _points_meant(line: str) -> tuple[str, ...]:
    """Points that a line may mean if it has lookalike letters, or a row that is too large."""
    latin = line.translate(_CYRILLIC_LOOKALIKES)
    if latin != line and latin.isascii():
        return _real_points(latin)
    if _WORD_AND_NUMBER.fullmatch(line):
        return _spelt_point(*line.split())
    if _THREE_DIGIT_ROW.fullmatch(line):
        return tuple(name.upper() for name in (line[:2], line[:3]) if _real_points(name))
    found = _DIGIT_LOOKALIKE.fullmatch(line)
    digits = found[2].translate(_DIGITS).lstrip("0") if found else ""
    return _real_points(found[1] + digits) if found and digits else ()


def _spelt_point(word: str, number: str) -> tuple[str, ...]:
    """The point of a word for its column and a number for its row: `dora vier`, `delta 4`."""
    known = lexicon()
    row = known.numbers.get(number, number)
    is_term = word in known.verbs or any(word in words for words in known.terms.values())
    return _real_points(word[0] + row) if row.isdecimal() and not is_term else ()


def _real_points(vertex: str) -> tuple[str, ...]:
    """The point of a vertex, or else points that it may mean."""
    try:
        return (str(read_point(put_letter_first(vertex))),)
    except Unreadable as error:
        return error.hints


def _points_in_line(text: str, line: str) -> tuple[str, ...]:
    """The points of a line with only polite words beside them, or a question mark."""
    words = [word.strip(".,;:!?()") for word in re.split(r"[ /]", line)]
    points = [word for word in words if is_vertex(word)]
    others = [word for word in words if not is_vertex(word) and any(map(str.isalnum, word))]
    if not points or not {*others} <= lexicon().polite | lexicon().joins:
        return ()
    question = text.rstrip().endswith("?") and read_move(line.rstrip("? ")) is not None
    if len(points) == 1 and not others and not question and whole_command(line) is not None:
        return ()
    return tuple(dict.fromkeys(name for word in points[:3] for name in _real_points(word)))


def _find_misspelt_verb(line: str, *, below: bool) -> tuple[str, ...]:
    word, *others = line.split() or [""]
    known = lexicon()
    if len(word) < 3 or len(others) > 1 or vertices(line):
        return ()
    is_word = word in known.verbs or word in known.doubts or known.changes_nothing(line)
    if is_word or meaning(line).talk >= _SURE_TALK:
        return ()
    verbs = [one for one in known.verbs if len(one) > 2 and " " not in one]
    cutoff = 0.82 if below else 0.8 if len(word) > 4 else 0.75  # below a move, `Resi` is a name
    near = get_close_matches(word, _TURNS if below else verbs, n=2, cutoff=cutoff)
    same_initial = (one for one in near if one[0] == word[0])  # the first letter is rarely mistyped
    anagrams = (one for one in near if sorted(one) == sorted(word))
    return (*same_initial, *anagrams)[:1]
