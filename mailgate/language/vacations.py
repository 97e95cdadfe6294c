"""Absences, as people write them: `vacation 2 weeks`, `vacation until 3 January`, `back`. Pure."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from mailgate.language.time_limits import read_span

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})[a-z]*\.?"
_NUMBER = r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?"
_FORMS = (
    r"(?P<year>\d{4})-(?P<number>\d{1,2})-(?P<day>\d{1,2})",
    rf"(?:the )?{_NUMBER} (?:of )?{_MONTH}(?:,? (?P<year>\d{{4}}))?",
    rf"{_MONTH} (?:the )?{_NUMBER}(?:,? (?P<year>\d{{4}}))?",
    rf"(?:next )?(?P<weekday>{'|'.join(_DAYS)})[a-z]*",
    r"(?P<tomorrow>tomorrow)",
)


def read_vacation(rest: str) -> cmd.Command | None:
    """For how long, or until which day.

    >>> read_vacation("2 weeks")
    Vacation(span=datetime.timedelta(days=14), until='')
    """
    words = rest.casefold().strip(" .!:=")
    for_ = read_span(re.sub(r"^(?:for|of|the next) ", "", words))
    if for_ is not None:
        return cmd.Vacation(for_)
    day = re.sub(r"^(?:until|till|to|through|thru)(?: and including)? ", "", words)
    known = day != words and any(re.fullmatch(form, day) for form in _FORMS)
    return cmd.Vacation(until=day) if known else None


def last_moment(day: str, now: datetime) -> datetime:
    """The end of a day that is to come, in the time zone of `now`; raises `Unreadable`."""
    for form in _FORMS:
        if found := re.fullmatch(form, day):
            when = _date(found.groupdict(), now.date())
            if when is not None and when >= now.date():
                return datetime.combine(when + timedelta(days=1), time(), now.tzinfo)
    raise Unreadable(
        "I do not know that day. Please write, for example: vacation until 24 December",
        hints=("vacation 2 weeks",),
    )


def _date(found: dict[str, str | None], today: date) -> date | None:
    if found.get("tomorrow"):
        return today + timedelta(days=1)
    if weekday := found.get("weekday"):
        return today + timedelta(days=(_DAYS.index(weekday) - today.weekday()) % 7)
    month = found.get("month")
    number = _MONTHS.index(month) + 1 if month else int(found["number"] or 0)
    year = int(found["year"] or today.year)
    try:
        day = date(year, number, int(found["day"] or 0))
        return day if found["year"] or day >= today else day.replace(year=year + 1)
    except ValueError:
        return None


def speaks_of_absence(words: str) -> bool:
    """True where somebody says that they will be away, and does not stop their clocks.

    >>> speaks_of_absence("I'll be on holiday next week"), speaks_of_absence("How was your trip?")
    (True, False)
    """
    return _ABSENT.search(words.casefold().replace("’", "'")) is not None


_ABSENT = re.compile(
    r"\b(?:i'm|i am|i'll|i will|i must|i have to|we're|we are|we'll|we will)\b[^.!?]{0,30}\b(?:away"
    r"|on (?:vacation|holidays?|leave|a trip|tour)|going on|travel(?:l?ing)?|in hospital|abroad"
    r"|out of (?:town|office|the country))\b"
    r"|\b(?:vacation|holidays?) (?:starts?|begins?|from|till|until|next)\b"
    r"|\bcan(?:'t|not) (?:play|move|answer|reply|write)[^.!?]{0,20}\b"
    r"(?:until|till|before|for|next)\b"
)
