"""Rates of moves, in the words of any language: `three moves a week`, `ein Zug pro Woche`.

Pure; raises nothing. A rate is rewritten in English, for `written_times` to read.
"""

import re
from collections.abc import Iterable
from functools import cache

from mailgate.language.lexicon import lexicon, word_pattern
from mailgate.language.written_times import Piece, find_pieces


def write_rates(text: str) -> str:
    """A text with each rate in English.

    >>> write_rates("9x9, drei Züge pro Woche").split()
    ['9x9,', '56', 'hours', 'per', 'move']
    """
    for pattern in _rate_patterns():
        text = pattern.sub(_write_rate, text)
    return text


def drop_ranges(text: str) -> str:
    """A text with only the last number of each range of days or weeks: `two to three days`."""
    return _range_pattern().sub("", text)


@cache
def _range_pattern() -> re.Pattern[str]:
    terms, number = lexicon().terms, rf"(?:{_number_pattern()}) ?"
    to = rf"(?:{word_pattern(*terms['range'], *lexicon().joins)}|[-–~、]) ?"
    unit = word_pattern(*terms["day"], *terms["week"])
    return re.compile(rf"{number}{to}(?={number}{unit})", re.IGNORECASE)


@cache
def _number_pattern() -> str:
    return rf"(?<![\w.])\d{{1,3}}|{word_pattern(*lexicon().numbers, *lexicon().terms['one'])}"


@cache
def _rate_patterns() -> tuple[re.Pattern[str], ...]:
    """The patterns of `three moves a week` and of `two days per move`, in any language."""
    terms, numbers = lexicon().terms, lexicon().numbers
    move, day, week, per = (word_pattern(*terms[name]) for name in ("move", "day", "week", "per"))
    ones = word_pattern("1", *terms["one"], *(word for word in numbers if numbers[word] == "1"))
    between = rf" ?(?:{per} ?){{0,2}}"
    time = rf"(?:(?P<number>{_number_pattern()}) ?)?(?:(?P<week>{week})|{day})"
    moves = rf"(?:(?P<moves>{_number_pattern()})|{per}) ?{move}"
    forms = rf"{moves}{between}{time}", rf"{time}{between}(?:(?P<moves>{ones}) ?)?{move}"
    return tuple(re.compile(form, re.IGNORECASE) for form in forms)


def _write_rate(found: re.Match[str]) -> str:
    """A rate in English: `ein Zug pro Woche` as `7 days per move`; not a part of a longer time."""
    before, behind = found.string[: found.start()], found.string[found.end() :]
    amounts = (*lexicon().numbers, "half")
    is_part = before.endswith((*",.-–/",)) or before.rstrip().endswith(amounts)
    beside = [*find_pieces(before)][::-1], find_pieces(behind)
    if is_part or any(map(_begins_with_time, beside)):
        return found[0]
    moves, number = (_parse_number(found[name]) for name in ("moves", "number"))
    if moves == number == 0 or (moves > 1 and number):  # `15 moves in 10 days` is byo-yomi
        return found[0]
    hours = -(-24 * (number or 1) * (7 if found["week"] else 1) // (moves or 1))
    count, unit = (hours, "hour") if hours % 24 else (hours // 24, "day")
    return f" {count} {unit}{'s' * (count > 1)} per move "


def _parse_number(word: str | None) -> int:
    """A number in digits or words; 1 for an article, and 0 for none."""
    digits = lexicon().numbers.get((word or "0").casefold(), word or "0")
    return int(digits) if digits.isdecimal() else 1


def _begins_with_time(pieces: Iterable[Piece]) -> bool:
    """True if the first of the pieces that is not weak belongs to a time."""
    return bool(next((piece.kind for piece in pieces if piece.kind != "weak"), ""))
