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
from mailgate.late_patterns import late
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
_BETWEEN = late(rf" ?(?:\b(?:{_UNTIL}|and )|-|–|—) ?")
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


def absence_in(words: str) -> str:
    """The line that stops the clocks for who says that they will be away; "" where nobody does.

    It has the time that they name, and else an example.

    >>> absence_in("I shall be away, from tomorrow until Friday, at my sister's")
    'vacation from tomorrow until Friday'
    >>> absence_in("I'll be on holiday"), absence_in("How was your trip?")
    ('vacation 2 weeks', '')
    """
    plain = words.casefold().replace("’", "'")
    if _ABSENT.search(plain):
        return vacation_in(words) or "vacation 2 weeks"
    return _span_abroad(plain) if _ABSENT_ABROAD.search(plain) else ""


def _span_abroad(words: str) -> str:
    """The line for the time that is named in another language; an example where none is."""
    found = _COUNTED_ABROAD.search(words)
    count = next((n for n, one in _NUMBERS.items() if found and one.fullmatch(found["n"])), "")
    if found is None:
        return "vacation 2 weeks"
    plural = "" if count == "1" else "s"
    return f"vacation {count or found['n']} {'week' if found['week'] else 'day'}{plural}"


_NUMBERS = {
    "1": late(r"ein\w*|une?|una|um[ao]?|één|een|en|jeden|одну|一"),
    "2": late(r"zwei|deux|dos|due|twee|dois|duas|två|dwa|dwie|две|两|二"),
    "3": late(r"drei|trois|tres|tre|drie|três|trzy|три|三"),
}
_COUNTED_ABROAD = late(
    rf"(?<![^\W\d_])(?P<n>\d{{1,2}}|{'|'.join(one.pattern for one in _NUMBERS.values())}) ?"
    r"(?:(?P<week>wochen?|semaines?|semanas?|settiman[ae]|weken|week|veck(?:a|or)|tygodni\w*"
    r"|tydzień|недел\w+|周|週間?)|tage?n?|jours?|d[ií]as?|giorn[oi]|dagen|dag(?:ar)?|dni|дн\w+|天"
    r"|日)(?![^\W\d_])"
)
_ABSENT_ABROAD = late(
    r"^(?!.*\b(?:bist du|seid ihr|warst|tu es|vous êtes|étai\w+|estás|estabas|sei|eri"
    r"|ben je)\b).*\b(?:im urlaub|in(?:s| den| die)? (?:urlaub|ferien)|verreis\w+|auf reisen"
    r"|im krankenhaus|uhr (?:bitte )?(?:anhalten|anzuhalten|stoppen)|halt\w* (?:bitte )?(?:die"
    r"|meine) uhr an|en (?:vacances|voyage|congés?|cure|déplacement)|je (?:serai|suis"
    r"|pars) (?:absente?|en)|arrêt(?:er|ez) (?:la|ma|mon) (?:pendule|horloge|montre)"
    r"|de (?:vacaciones|viaje|férias)|estaré (?:fuera|ausente)|no puedo (?:jugar|mover) (?:hasta|en"
    r"|durante)|para[rd]? (?:mi|el) reloj|in (?:vacanza|ferie|viaggio)|ferm\w+ (?:l'"
    r"|il mio )orologio|(?:op|met) vakantie|klok (?:stil)?zetten|em viagem|parar o relógio"
    r"|på semester|bortrest|na (?:urlop\w*|wakacj\w*)|(?:ohne|sans|sin|senza|zonder|sem"
    r"|utan) (?:internet|e-?mail|netz|wifi)|(?:im|in) (?:krankenhaus|ospedale)|à l'hôpital"
    r"|en el hospital|no hospital|in het ziekenhuis|w szpitalu|в больнице|wyjeżdżam|в отпуск\w*"
    r"|уезжаю|в отъезде|tatil\w*)\b|休暇|旅行|度假|休假|出差|휴가"
)
"""How people say in other languages that they are away."""


def vacation_in(words: str) -> str:
    """The line for the longest time that some words name; "" where they name none.

    >>> vacation_in("Oh, not two weeks! vacation until Friday please")
    'vacation until Friday'
    >>> vacation_in("Then let us say vacation for 4 days, from tomorrow.")
    'vacation for 4 days from tomorrow'
    """
    plain = re.sub(r"[,.!?;:()](?=\s|$)", "", words[:_LONGEST])
    said = re.sub(r"(?<=\d) of (?=[A-Z])", " ", plain).split()
    parts = (
        " ".join(said[first : first + many])
        for many in range(_MOST_WORDS, 1, -1)
        for first in range(len(said) - many + 1)
        if (said[first].casefold() in _BEGINNINGS or said[first][:1].isdecimal())
        and said[first - 1 : first] != ["not"]
    )
    named = (part for part in parts if _time_named(part))
    return next((f"vacation {part}" for part in named), "")


def _time_named(part: str) -> bool:
    found = read_vacation(part)
    return isinstance(found, cmd.Vacation) and bool(found.span or found.until)


def is_back(text: str) -> bool:
    """True for words of who says that an absence is over, before its last day.

    >>> is_back("so I'm back from my holiday already."), is_back("Please take your move back")
    (True, False)
    """
    return _BACK.search(text) is not None


_BACK = late(
    r"(?i)\b(?:i(?:'m|’m| am)|we(?:'re|’re| are)|got|came|come|returned) (?:\w+ )?(?:back|home)\b"
    r"|\b(?:holidays?|vacation|trip|journey) (?:is|was|are|were) (?:over|cut short|cancel+ed)\b"
    r"|\b(?:stay(?:ed|ing)?|not going|did not go|didn't go)\b.{0,99}\b(?:home|away|holidays?"
    r"|vacation)\b"
)
_LONGEST = 300
_MOST_WORDS = 9
_BEGINNINGS = words_of(
    "from starting beginning between until till to through for next a one two three four"
)
"""How a time begins that somebody is away."""


_ABSENT = late(
    r"\b(?:i'?m|i am|i'?ll|i will|i shall|i must|i have to|i need to|we're|we are|we'll|we will"
    r"|we shall|(?:am |'m )?(?:going|gonna)(?: to)? be)\b[^.!?]{0,30}\b(?:away|(?:on"
    r"|in) (?:vacation|holidays?|leave|a trip|tour)|going on|travel(?:l?ing)?|in hospital|abroad"
    r"|out of (?:town|office|the country)|offline|unavailable|(?:un|not )reachable|busy (?:until"
    r"|till|next)|(?:swamped|snowed under|tied up) (?:until|till|next|for)|off (?:to|on|until"
    r"|till)\b.*\b(?:for|from|until|till|next|days?|weeks?))\b|(?:^|[.!?\n,] ?)(?:going|leaving|off"
    r"|on|away|travel(?:l?ing)?)\b(?! to bed)[^.!?]{0,30}\b(?:vacation|holidays?|trip|away|abroad"
    r"|tour|until|till|for (?:\w+ )?(?:days?|weeks?|months?))|\bwon't be (?:online|here|around"
    r"|able to|at home|home|reachable)\b|\b(?:no|without|little|hardly any|bad|poor"
    r"|limited) (?:\w+ )?(?:e-?mail|internet|wi-?fi|network|connection)\b|\bneed (?:\w+ ){0,3}off\b"
    r"|\b(?:vacation|holidays?) (?:starts?|begins?|from|till|until|next)\b|\b(?:swamped"
    r"|snowed under|tied up|exams?) (?:until|till)\b|\b(?:don't|do not) let my (?:time|clock) run\b"
    r"|\bwhile i(?:'m| am) (?:gone|away|there)\b|\b(?:could|can|may) (?:everything|it|this"
    r"|the game|my clock|the clock) (?:please )?(?:wait|pause|stop|be (?:paused|frozen|stopped"
    r"|put on hold))\b|\bcan(?:'t|not) (?:play|move|answer|reply|write)[^.!?]{0,20}\b(?:until|till"
    r"|before|for|next)\b"
)
