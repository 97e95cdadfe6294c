"""Absences, as people write them: `vacation 2 weeks`, `vacation from 20 December to 6 January`.

Pure. Days are kept as they were written until the zone of their writer is known; raises
`Unreadable` for those that there are not, or that may be two.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from godaemon.games.game_clock import Span, midnight
from godaemon.texts.catalogue import told
from mailgate.language.time_limits import read_span
from mailgate.word_sets import letters_of, words_of

_EXAMPLES = ("vacation from 20 December to 6 January", "vacation 2 weeks")
_NUMBERS = letters_of("""
    1 jan | 2 feb | 3 mar | 4 apr | 5 may | 6 jun | 7 jul | 8 aug | 9 sep | 10 oct | 11 nov | 12 dec
    0 mon | 1 tue | 2 wed | 3 thu | 4 fri | 5 sat | 6 sun
""")
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?"
_ON = rf"(?:{_WEEKDAY}\.?,? )?(?:the )?"
_NUMBER = r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?"
_YEAR = r"(?:,? (?P<year>\d{4}))?"
_FORMS = (
    r"(?P<day>\d{1,2})\. ?(?P<month>\d{1,2})\.?(?: ?(?P<year>\d{4}))?",
    r"(?P<one>\d{1,2})/(?P<two>\d{1,2})(?:/(?P<year>\d{4}))?",
    rf"{_ON}{_NUMBER} ?(?:of )?{_MONTH}{_YEAR}",
    rf"{_ON}{_MONTH} ?(?:the )?{_NUMBER}{_YEAR}",
    r"(?=the|\d+[a-z])(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)?",
    rf"(?:(?P<next>next )|this |coming )?(?P<weekday>{_WEEKDAY})",
    r"(?P<later>today|now|tomorrow|(?:the )?day after tomorrow)",
)
_LATER = {"today": 0, "now": 0, "tomorrow": 1}
_FROM = "from|starting(?: from| on)?|beginning|as of|between|on"
_UNTIL = "(?:until|till|til|to|through|thru)(?: and including| the end of)?|and"
_BETWEEN = re.compile(rf"(\b(?:{_FROM}|{_UNTIL}|for)\b|[-–—])")
_YEAR_FIRST = re.compile(r"(\d{4})[-./](\d{1,2})[-./](\d{1,2})")
_BY_ITSELF = re.compile(
    r"(?P<no>not |never |no )?(?:automatic(?:ally)?|auto|by itself):?(?: on|(?P<off> off))?"
)
_FAR = 3 * 366  # days ahead that a vacation may be planned


def read_vacation(rest: str) -> cmd.Vacation | None:
    """For how long, from when and until which day; or whether it begins by itself.

    >>> read_vacation("2 weeks")
    Vacation(span=datetime.timedelta(days=14), until='', since='', by_itself=None)
    >>> read_vacation("from Dec 20-27").until
    'dec 27'
    """
    words = _YEAR_FIRST.sub(r"\3.\2.\1", " ".join(rest.casefold().split()).strip(" .,!:=-"))
    if found := _BY_ITSELF.fullmatch(words):
        return cmd.Vacation(by_itself=not (found["no"] or found["off"]))
    if words == "manual":
        return cmd.Vacation(by_itself=False)
    if re.fullmatch("(?:all )?next week", words):
        return cmd.Vacation(timedelta(days=7), since="next monday")
    return _read_parts(re.sub("^(?:of|the next) ", "for ", words))


def _read_parts(words: str) -> cmd.Vacation | None:
    """`20 december to 6 january`, `from tomorrow for 10 days`, `10 days from tomorrow`."""
    found = dict[str, str]()
    first, *parts = (part.strip(" ,") for part in _BETWEEN.split(words))
    if first:
        found["span" if read_span(first) else "since"] = first
    for key, said in zip(parts[::2], parts[1::2], strict=True):
        name = "span" if key == "for" else "since" if re.fullmatch(_FROM, key) else "until"
        if name in found or not said:
            return None
        found[name] = said
    since, until = _shared(found.get("since", ""), found.get("until", ""))
    span = read_span(found.get("span", ""))
    days = all(_day_parts(day) for day in (since, until) if day)
    ends = span or until or (since and not first)
    if not days or not ends or (span and until) or ("span" in found and span is None):
        return None
    return cmd.Vacation(span, until, since)


def _shared(first: str, last: str) -> tuple[str, str]:
    """Two days that share a month: `20`, `27 december`."""
    month = re.search(_MONTH, last) or re.search(_MONTH, first)
    if month and re.fullmatch(rf"(?:the )?{_NUMBER}", first):
        first = f"{first} {month['month']}"
    elif month and re.fullmatch(rf"(?:the )?{_NUMBER}", last):
        last = f"{month['month']} {last}"
    return first, last


def _day_parts(words: str) -> dict[str, str] | None:
    """The parts of a day, by their names in `_FORMS`; None for no day."""
    matches = (re.fullmatch(form, words) for form in _FORMS)
    found = next((one.groupdict() for one in matches if one), None)
    return found and {name: word for name, word in found.items() if word}


def times(asked: cmd.Vacation, now: datetime, zone: ZoneInfo) -> Span:
    """From when until when somebody is away, in the zone of their days; raises `Unreadable`."""
    today = now.astimezone(zone).date()
    first = _day(asked.since, today) if asked.since else today
    begin = midnight(first, zone) if first > today else now
    if asked.span is not None:
        return begin, begin + asked.span
    if not asked.until:
        hint = f"vacation from {asked.since} for 2 weeks"
        raise Unreadable(told("until-when"), hints=(hint,))
    return begin, midnight(_day(asked.until, first) + timedelta(days=1), zone)


def _day(words: str, earliest: date) -> date:
    """The first such day that is not before `earliest`; raises `Unreadable`."""
    said = _day_parts(words)
    if said is not None:
        wanted, skipped = _wanted(said), _LATER.get(said.get("later", "now"), 2)
        if "next" in said:  # that of next week, as tomorrow has a name of its own
            skipped = 7 - earliest.weekday()
        for day in (earliest + timedelta(days=ahead) for ahead in range(skipped, _FAR)):
            has = {"day": day.day, "month": day.month, "year": day.year, "weekday": day.weekday()}
            if wanted.items() <= has.items():
                return day
    raise Unreadable(told("not-a-day", said=words), hints=_EXAMPLES)


def _wanted(said: dict[str, str]) -> dict[str, int]:
    """The numbers of a day; raises `Unreadable` for `3/4`, and not for `12/24` or `24/12`."""
    named = ((name, word) for name, word in said.items() if name not in ("next", "later"))
    numbers = {name: int(_NUMBERS.get(word[:3], word)) for name, word in named}
    if "one" in numbers:
        month, day = sorted((numbers.pop("one"), numbers.pop("two")))
        if month < day <= 12:
            both = f"{said['one']}/{said['two']}"
            raise Unreadable(told("day-or-month", said=both), hints=_EXAMPLES)
        numbers |= {"month": month, "day": day}
    return numbers


def vacation_in(words: str) -> str:
    """The line for the longest time that some words name; an example where they name none.

    >>> vacation_in("I shall be away, from tomorrow until Friday, at my sister's")
    'vacation from tomorrow until Friday'
    >>> vacation_in("I'll be on holiday")
    'vacation 2 weeks'
    """
    said = re.sub(r"[,.!?;:()](?=\s|$)", "", words[:_LONGEST]).split()
    for many in range(_MOST_WORDS, 1, -1):
        for part in (said[first : first + many] for first in range(len(said) - many + 1)):
            if part[0].casefold() in _BEGINNINGS or part[0][:1].isdecimal():
                found = read_vacation(" ".join(part))
                if found and (found.span or found.until):
                    return " ".join(["vacation", *part])
    return "vacation 2 weeks"


_LONGEST, _MOST_WORDS = 300, 9
_BEGINNINGS = words_of("from starting between until till to through for next a one two three four")
"""How a time begins that somebody is away."""
