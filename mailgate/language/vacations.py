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
from godaemon.games.days_off import Span, midnight
from mailgate.language.time_limits import read_span
from mailgate.word_sets import words_of

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAY = (
    r"mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?"
    r"|sun(?:day)?"
)
_ON = rf"(?:(?:{_WEEKDAY})\.?,? )?(?:the )?"
_NUMBER = r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?"
_YEAR = r"(?:,? (?P<year>\d{4}))?"
_FORMS = (
    r"(?P<year>\d{4})[-./](?P<number>\d{1,2})[-./](?P<day>\d{1,2})",
    r"(?P<day>\d{1,2})\. ?(?P<number>\d{1,2})\.?(?: ?(?P<year>\d{4}))?",
    r"(?P<one>\d{1,2})/(?P<two>\d{1,2})(?:/(?P<year>\d{4}))?",
    rf"{_ON}{_NUMBER} ?(?:of )?{_MONTH}{_YEAR}",
    rf"{_ON}{_MONTH} ?(?:the )?{_NUMBER}{_YEAR}",
    r"(?:the (?P<nth>\d{1,2})(?:st|nd|rd|th)?|(?P<nth2>\d{1,2})(?:st|nd|rd|th))",
    rf"(?:(?:(?P<next>next)|this|coming) )?(?P<weekday>{_WEEKDAY})",
    r"(?P<days>today|now|tomorrow|the day after tomorrow|day after tomorrow)",
)
_LATER = {"today": 0, "now": 0, "tomorrow": 1}
_FROM = r"(?:from|starting(?: from| on)?|beginning|as of|between|on) "
_UNTIL = r"(?:until|till|til|to|through|thru)(?: and including| the end of)? "
_BETWEEN = re.compile(rf" ?(?:\b(?:{_UNTIL}|and )|-|–|—) ?")
_BY_ITSELF = r"(?:automatic(?:ally)?|auto|by itself)"
EXAMPLE = "vacation from 20 December to 6 January"


def read_vacation(rest: str) -> cmd.Command | None:
    """For how long, from when and until which day; or whether it begins by itself.

    >>> read_vacation("2 weeks")
    Vacation(span=datetime.timedelta(days=14), until='', since='', by_itself=None)
    >>> read_vacation("from Dec 20-27").until
    'dec 27'
    """
    words = re.sub(r"\s+", " ", rest.casefold()).strip(" .!:=")
    if found := re.fullmatch(rf"(?P<not>not |never |no )?{_BY_ITSELF}:?(?P<off> off| on)?", words):
        return cmd.Vacation(by_itself=not (found["not"] or found["off"] == " off"))
    if words == "manual":
        return cmd.Vacation(by_itself=False)
    if re.fullmatch("(?:all )?next week", words):
        return cmd.Vacation(timedelta(days=7), since="next monday")
    span = read_span(re.sub(r"^(?:for|of|the next) ", "", words))
    if span is not None:
        return cmd.Vacation(span)
    day = re.sub(rf"^{_UNTIL}", "", words)
    if day != words and _is_day(day):
        return cmd.Vacation(until=day)
    return _from_a_day(words)


def _from_a_day(words: str) -> cmd.Vacation | None:
    """`20 december to 6 january`, `from tomorrow for 10 days`, `10 days from tomorrow`."""
    since = re.sub(rf"^{_FROM}", "", words)
    for found in _BETWEEN.finditer(since):
        first, last = _shared(since[: found.start()], since[found.end() :])
        if _is_day(first) and _is_day(last):
            return cmd.Vacation(until=last, since=first)
    first, _, how_long = since.rpartition(" for ")
    if _is_day(first.strip(" ,")) and (span := read_span(how_long)) is not None:
        return cmd.Vacation(span, since=first.strip(" ,"))
    if turned := re.fullmatch(rf"(?:for )?(?P<span>.+?),? {_FROM}(?P<since>.+)", words):
        span = read_span(turned["span"])
        if span is not None and _is_day(turned["since"]):
            return cmd.Vacation(span, since=turned["since"])
    return cmd.Vacation(since=since) if since != words and _is_day(since) else None


def _shared(first: str, last: str) -> tuple[str, str]:
    """Two days of which one names the month for both: `20`, `27 december`."""
    month = re.search(_MONTH, last) or re.search(_MONTH, first)
    if month and re.fullmatch(rf"(?:the )?{_NUMBER}", first):
        first = f"{first} {month['month']}"
    elif month and re.fullmatch(rf"(?:the )?{_NUMBER}", last):
        last = f"{month['month']} {last}"
    return first, last


def _is_day(words: str) -> bool:
    return any(re.fullmatch(form, words) for form in _FORMS)


def times(asked: cmd.Vacation, now: datetime, zone: ZoneInfo) -> Span:
    """From when until when somebody is away, in the zone of their days; raises `Unreadable`."""
    today = now.astimezone(zone).date()
    first = _day(asked.since, today) if asked.since else today
    begin = midnight(first, zone) if first > today else now
    if asked.span is not None:
        return begin, begin + asked.span
    if not asked.until:
        raise Unreadable(
            f"For how long, or until when? Please write, for example: vacation from"
            f" {asked.since} for 2 weeks",
            hints=(f"vacation from {asked.since} for 2 weeks",),
        )
    return begin, midnight(_day(asked.until, first) + timedelta(days=1), zone)


def _day(words: str, earliest: date) -> date:
    """A day that is not before another; raises `Unreadable`."""
    matches = (re.fullmatch(form, words) for form in _FORMS)
    found = next((one.groupdict() for one in matches if one), None)
    day = _date(found, earliest) if found is not None else None
    if day is None or not earliest <= day <= earliest + _FAR:
        raise Unreadable(
            f"I do not know which day “{words}” is. Please write, for example: {EXAMPLE}",
            hints=("vacation 2 weeks",),
        )
    return day


_FAR = timedelta(days=3 * 366)
"""Nobody plans a vacation further ahead."""


def _date(found: dict[str, str | None], today: date) -> date | None:
    if words := found.get("days"):
        return today + timedelta(days=_LATER.get(words, 2))
    if weekday := found.get("weekday"):
        least = today  # the next one is that of next week, as tomorrow has a name of its own
        if found.get("next"):
            least += timedelta(days=7 - today.weekday())
        return least + timedelta(days=(_DAYS.index(weekday[:3]) - least.weekday()) % 7)
    if nth := found.get("nth") or found.get("nth2"):
        coming = (_made(*_month_after(today, more), int(nth)) for more in range(13))
        return next((day for day in coming if day and day >= today), None)
    if found.get("one"):
        found = {**found, **_slashed(found)}
    month = found.get("month")
    number = _MONTHS.index(month[:3]) + 1 if month else int(found["number"] or 0)
    year = int(found.get("year") or today.year)
    years = (year,) if found.get("year") else range(year, year + 9)
    days = (_made(one, number, int(found["day"] or 0)) for one in years)
    return next((day for day in days if day and (day >= today or found.get("year"))), None)


def _slashed(found: dict[str, str | None]) -> dict[str, str]:
    """The day and the month of `12/24` or `24/12`; raises `Unreadable` where it may be either."""
    one, two = str(found["one"]), str(found["two"])
    if int(one) <= 12 and int(two) <= 12 and one != two:
        raise Unreadable(
            f"“{one}/{two}” is one day in America and another elsewhere. Please write the month as"
            f" a word, for example: {EXAMPLE}",
            hints=("vacation 2 weeks",),
        )
    day, number = (one, two) if int(one) > 12 else (two, one)
    return {"day": day, "number": number}


def _month_after(day: date, more: int) -> tuple[int, int]:
    year, month = divmod(day.year * 12 + day.month - 1 + more, 12)
    return year, month + 1


def _made(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def vacation_in(words: str) -> str:
    """The line for the longest time that some words name; an example where they name none.

    >>> vacation_in("I shall be away, from tomorrow until Friday, at my sister's")
    'vacation from tomorrow until Friday'
    >>> vacation_in("I'll be on holiday")
    'vacation 2 weeks'
    """
    said = re.sub(r"[,.!?;:()](?=\s|$)", "", words[:_LONGEST]).split()
    parts = (
        " ".join(said[first : first + many])
        for many in range(_MOST_WORDS, 1, -1)
        for first in range(len(said) - many + 1)
        if said[first].casefold() in _BEGINNINGS or said[first][:1].isdecimal()
    )
    named = (part for part in parts if _time_named(part))
    return next((f"vacation {part}" for part in named), "vacation 2 weeks")


def _time_named(part: str) -> bool:
    found = read_vacation(part)
    return isinstance(found, cmd.Vacation) and bool(found.span or found.until)


_LONGEST = 300
_MOST_WORDS = 9
_BEGINNINGS = words_of("from starting between until till to through for next a one two three four")
"""How a time begins that somebody is away."""
