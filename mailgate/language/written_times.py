"""Times as people write them: limits (`3 days per move`, `1h + 5x30 byo-yomi`) and days off.

Pure. Each token of a time limit becomes a letter, by a table of words; a limit is a run of pieces
that have a form in such letters. Days off (`from 20 December to 6 January`) are kept as they were
written until the zone of their writer is known. Raises `Unreadable` for ambiguous words, with both
meanings as hints.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date, datetime, timedelta, tzinfo
from functools import cache
from itertools import groupby, islice, pairwise, product
from operator import mul
from typing import Literal, NamedTuple

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from godaemon.games.days_off import Span, midnight
from godaemon.games.time_systems import NONE, USUAL_TIME, TimeSettings
from godaemon.texts.catalogue import sentence
from mailgate.address import clean_quote
from mailgate.language.lexicon import UNSPACED, lexicon, word_pattern
from mailgate.language.written_moves import fold_spelling, normalize
from mailgate.word_sets import letters_of, words_of

MAX_TIME, MIN_TIME = timedelta(days=366), timedelta(minutes=1)
"""Maximum time in all or for one move, and minimum time for the first move."""
_MAX_SEARCHED = 1_000  # characters of a proposal that are searched for a time limit
_TOKEN = re.compile(
    r"(?i)(?P<A>(?<!\S)\S*@\S*|\b(?:vs\.?|versus|against) [^\s,;@]++(?!@))"
    r"|(?P<b>byo.?yomi)|(?P<S>[1-6][05](?= ?byo))|(?P<N>half an?|\d{1,4}(?:\.\d)?(?![\d.]))"
    r"|[\d.]+|\b(?!x\d)[^\W\d_]+[\d_]\w*|[^\W\d_]+|\S"
)
"""A token; no part of an address, or of an opponent's name, is a time."""
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800, "mo": 2_592_000}
_NUMBERS = letters_of("""
    0.5 half | 1 a an one | 2 two | 3 three | 4 four | 5 five | 6 six | 7 seven | 8 eight | 9 nine
    10 ten | 12 twelve | 14 fourteen | 15 fifteen | 20 twenty | 30 thirty | 60 sixty | 90 ninety
""")
_LETTERS = dict.fromkeys(_NUMBERS, "N") | letters_of("""
    U s sec secs second seconds m min mins minute minutes h hr hrs hour hours
    U d day days w week weeks mo month months
    a a an one | E each | e per every any for / | d the single whole entire
    m move stone stones turn turns | M moves | i increment increments bonus added
    g game games player players side sides person persons us color colors colour colours
    k apiece both all total absolute altogether main sudden death
    l time clock clocks timelimit timelimits limit limits control controls settings
    v overtime extra bank ( ) | h deadline deadlines hurry | u untimed
    o no none off unlimited without | p period periods | x x × * times
    q more than never most up max maximum maximal cap capped limited | t to
    w and of with within at in , ; & | + + plus then followed by
    c canadian | f fischer | j japanese | - - | : : =
""")
_AMOUNT = r"(?<!-)(?:[Na]-?U){1,2}(?!-)"
_FORMS = {
    "none": "u|w?l{1,2}:*o|o[ae]?(?:h|l{1,2})",  # untimed, time: none, no hurry
    "periods": rf"Nx(?:{_AMOUNT}|S)|[Na]j?b?[pb][wa]{_AMOUNT}",  # 5x30s, 5 periods of 30s
    "stones": rf"N(?:[mM][weE][eE]?|e){_AMOUNT}|{_AMOUNT}[eE]N[mM]",  # 15/10d
    "amount": _AMOUNT,  # 1 day 12 hours, 3-day
    "move": "[aeE]{1,2}d?[mM]|[iM]",  # per move, for every single move, increment
    "all": "[aeE]{1,2}d{0,2}w?g|E|k+",  # for the whole game, each of us, each, in all
    "most": "o?q+[wt]?",  # no more than, up to, max
    "fischer": "f",
    "byo": "j?b|j[lv]",
    "canadian": "c",
    "plus": r"\++",  # +, followed by
    "usual": "wa?l{1,2}:?|l{2}:?",  # with a clock, time control
    "word": "[lv]:?",  # time, bank
    "weak": "[wa]",
}
_PIECES = [(kind, re.compile(form)) for kind, form in _FORMS.items()]  # the first that fits
_REQUIRED_PIECES = words_of("none periods stones amount fischer byo canadian usual")
"""A time limit must have a piece of one of these kinds."""
_UNAMBIGUOUS_PIECES = words_of("fischer byo canadian periods none")
"""If a limit has one of these, we need not ask whether an amount is per move or per game."""


class Piece(NamedTuple):
    """Adjacent tokens of one form, and their place in the text; any other token has kind ""."""

    kind: str
    words: list[str]
    begin: int
    end: int


def find_pieces(text: str) -> Iterator[Piece]:
    tokens = [*_TOKEN.finditer(text[:_MAX_SEARCHED])]
    words = [found[0].casefold() for found in tokens]
    pairs = zip(tokens, words, strict=True)
    letters = "".join(found.lastgroup or _LETTERS.get(word, "?") for found, word in pairs)
    at = 0
    while at < len(tokens):
        fits = ((kind, form.match(letters, at)) for kind, form in _PIECES)
        kind, end = next(((kind, found.end()) for kind, found in fits if found), ("", at + 1))
        yield Piece(kind, words[at:end], tokens[at].start(), tokens[end - 1].end())
        at = end


def split_time(text: str) -> tuple[str, str]:
    """The time limit in the words of a proposal, or "", and the words without it.

    >>> split_time("9x9 vs bob@example.org 3 days per move")
    ('3 days per move', '9x9 vs bob@example.org')
    >>> split_time("9x9 vs Max 3d per move")
    ('3d per move', '9x9 vs Max')
    """
    limits, rest, at = list[str](), list[str](), 0
    for is_time, found in groupby(find_pieces(text), lambda piece: bool(piece.kind)):
        run = [*found]
        if is_time and _REQUIRED_PIECES & {piece.kind for piece in run}:
            strong = [piece for piece in run if piece.kind != "weak"]
            end = max(piece.end for piece in strong)
            limits.append(text[strong[0].begin : end].strip(" ,;"))
            rest.append(text[at : run[0].begin])
            at = end
    return " ".join(limits), " ".join(" ".join([*rest, text[at:]]).split())


def read_time(phrase: str) -> str:
    """The settings of a phrase, as `TimeSettings` writes them; "" for no clocks.

    >>> read_time("10 days plus 36 hours per move")
    '10d+36h'
    """
    pieces = [piece for piece in find_pieces(phrase) if piece.kind]
    kinds = [piece.kind for piece in pieces]
    if "none" in kinds and not {"amount", "periods", "stones"} & {*kinds}:
        return ""
    try:
        settings = _build_settings(pieces, {*kinds})
        settings = settings and TimeSettings.parse(str(settings))
    except ValueError as fault:  # `0 days per move`, `300 moves in 10 days`, `3d 2d per move`
        raise _unclear_time(phrase, []) from fault
    if settings is None:
        raise _unclear_time(phrase, kinds)
    most = max(settings.longest_turn(settings.full), settings.increment, settings.cap)
    if most > MAX_TIME or settings.longest_turn(settings.full) < MIN_TIME:
        raise Unreadable(sentence("time-out-of-range"), hints=("3 days per move", "1h each"))
    return str(settings)


def _build_settings(pieces: list[Piece], kinds: set[str]) -> TimeSettings | None:
    """The time system of the pieces; None if there are several, or none."""
    if kinds <= {"usual", "word", "weak"}:
        return USUAL_TIME
    times, cap = _read_amounts(pieces)
    main, more = [*times, NONE, NONE][:2]
    overtime = next((piece for piece in pieces if piece.kind in ("periods", "stones")), None)
    found = TimeSettings(main) if "all" in kinds else None
    if len(times) > 2 or "none" in kinds or (cap and (overtime or not more)):
        found = None
    elif overtime and not more:
        count, stones = _read_count(overtime.words), overtime.kind == "stones"
        period = _read_amount(overtime.words)
        found = TimeSettings(main, overtime=period, number=count, canadian=stones)
    elif more and "byo" in kinds and not cap:
        found = TimeSettings(main, overtime=more, number=1)
    elif more and kinds & {"plus", "move", "fischer"}:
        found = TimeSettings(main, more, cap or main)
    elif "move" in kinds:
        found = TimeSettings(overtime=main, number=1)
    return found


def _read_amounts(pieces: list[Piece]) -> tuple[list[timedelta], timedelta]:
    """The amounts (the one per move comes last), and the cap of the bank: `max 20 days`."""
    times, cap = list[timedelta](), NONE
    for before, piece in pairwise([pieces[0], *pieces]):
        if piece.kind == "amount" and times and before.kind == "most":
            cap = _read_amount(piece.words)
        elif piece.kind == "amount":
            times.append(_read_amount(piece.words))
    order = [piece.kind for piece in pieces if piece.kind in ("amount", "move")]
    is_turned = order.count("move") == 1 and order.index("move") < 2 == len(times)
    return times[::-1] if is_turned else times, cap


def _read_count(words: list[str]) -> int:
    return int(_read_number(words[-2 if _LETTERS.get(words[-1]) in ("m", "M") else 0]))


def _read_amount(words: list[str]) -> timedelta:
    """The time of some words: `1 day 12 hours`, `36h`; raises `ValueError` for `3d 2d`."""
    words = [word for word in words if word != "-"]
    units = [at for at, word in enumerate(words) if _LETTERS.get(word) == "U"]
    names = [words[at] for at in units]
    lengths = [_SECONDS["mo" if name.startswith("mo") else name[0]] for name in names]
    if lengths != sorted({*lengths}, reverse=True):
        raise ValueError(words)
    seconds = sum(map(mul, (_read_number(words[at - 1]) for at in units), lengths))
    return timedelta(seconds=int(seconds) if units else int(words[-1]))  # `5x30 byo-yomi`


def _read_number(word: str) -> float:
    return float(_NUMBERS.get(word.split(maxsplit=1)[0], word))


def _unclear_time(phrase: str, kinds: list[str]) -> Unreadable:
    quote = clean_quote(phrase)
    if kinds.count("amount") == 1 and not _UNAMBIGUOUS_PIECES & {*kinds}:
        reason = sentence("time-each-or-all", said=quote)
        return Unreadable(reason, hints=(f"{phrase} per move", f"{phrase} each"))
    hints = ("3 days per move", "10d+36h", "time none")
    return Unreadable(sentence("not-a-term", said=quote), hints=hints)


def read_span(text: str) -> timedelta | None:
    """The span that a text consists of; None for any other text, and for `3d 2d`.

    >>> read_span("2 weeks"), read_span("soon")
    (datetime.timedelta(days=14), None)
    """
    pieces = [*islice(find_pieces(text), 2)]
    if [piece.kind for piece in pieces] == ["amount"]:
        with suppress(ValueError):
            return _read_amount(pieces[0].words)
    return None


# -- days off -------------------------------------------------------------------------------------
_EXAMPLES = ("vacation from 20 December to 6 January", "vacation 2 weeks")
_CALENDAR = letters_of("""
    1 jan | 2 feb | 3 mar | 4 apr | 5 may | 6 jun | 7 jul | 8 aug | 9 sep | 10 oct | 11 nov | 12 dec
    0 mon | 1 tue | 2 wed | 3 thu | 4 fri | 5 sat | 6 sun
""")
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?"
_ON = rf"(?:{_WEEKDAY}\.?,? )?(?:the )?"
_DAY_NUMBER = r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?"
_YEAR = r"(?:,? (?P<year>\d{4}))?"
_DAY_FORMS = (
    r"(?P<day>\d{1,2})\. ?(?P<month>\d{1,2})\.?(?: ?(?P<year>\d{4}))?",
    r"(?P<one>\d{1,2})/(?P<two>\d{1,2})(?:/(?P<year>\d{4}))?",
    rf"{_ON}{_DAY_NUMBER} ?(?:of )?{_MONTH}{_YEAR}",
    rf"{_ON}{_MONTH} ?(?:the )?{_DAY_NUMBER}{_YEAR}",
    r"(?=the|\d+[a-z])(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)?",
    rf"(?:(?P<next>next )|this |coming )?(?P<weekday>{_WEEKDAY})",
    r"(?P<later>today|now|tomorrow|(?:the )?day after tomorrow)",
)
_LATER = {"today": 0, "now": 0, "tomorrow": 1}
_FROM = "from|starting(?: from| on)?|beginning|as of|between|on"
_UNTIL = "(?:until|till|til|to|through|thru)(?: and including| the end of)?|and"
BETWEEN = re.compile(rf"(\b(?:{_FROM}|{_UNTIL}|for)\b|[-–—])")
_YEAR_FIRST = re.compile(r"(\d{4})[-./](\d{1,2})[-./](\d{1,2})")
_BY_ITSELF = re.compile(
    r"(?P<no>not |never |no )?(?:automatic(?:ally)?|auto|by itself):?(?: on|(?P<off> off))?"
)
_MAX_DAYS_AHEAD = 3 * 366  # days ahead that a vacation may be planned


def read_vacation(rest: str) -> cmd.Vacation | None:
    """A vacation: its length, its first and last day; or whether it begins automatically.

    >>> read_vacation("2 weeks")
    Vacation(span=datetime.timedelta(days=14), until='', since='', by_itself=None)
    >>> read_vacation("from Dec 20-27").until, read_vacation("du 3 au 10 décembre").until
    ('dec 27', '10 december')
    """
    return next(filter(None, map(read_english, translations(rest))), None)


def read_english(words: str) -> cmd.Vacation | None:
    words = _YEAR_FIRST.sub(r"\3.\2.\1", " ".join(words.casefold().split()).strip(" .,!:=-"))
    if found := _BY_ITSELF.fullmatch(words):
        return cmd.Vacation(by_itself=not (found["no"] or found["off"]))
    if words == "manual":
        return cmd.Vacation(by_itself=False)
    if re.fullmatch("(?:all )?next week", words):
        return cmd.Vacation(timedelta(days=7), since="next monday")
    return _read_parts(re.sub("^(?:of|the next) ", "for ", words))


def translations(words: str) -> list[str]:
    """Some words, and each translation of them into English.

    >>> translations("Vom 6. bis zum 20. Dezember")
    ['Vom 6. bis zum 20. Dezember', 'from 6. until 20. december']
    """
    folded = fold_spelling(normalize(words))
    read = [(_foreign_days(code), _english_days(code)) for code in lexicon().languages]
    translations = (form.sub(lambda found: names[found[0]], folded) for form, names in read)  # noqa: B023
    return list(dict.fromkeys([words, *(one for one in translations if one != folded)]))


@cache
def _foreign_days(language: str) -> re.Pattern[str]:
    return re.compile(word_pattern(*_english_days(language)))


@cache
def _english_days(language: str) -> Mapping[str, str]:
    """The English words for a language's days, months and the ends of a vacation.

    They have spaces around them if that language's script has none.
    """
    from babel.dates import get_day_names, get_month_names  # noqa: PLC0415 - few take a vacation

    known = lexicon().languages[language].days
    found = {fold_spelling(word): english for english, words in known.items() for word in words}
    forms: tuple[Literal["format", "stand-alone"], ...] = ("format", "stand-alone")
    for names, form in product((get_month_names, get_day_names), forms):
        english = names("wide", "format", "en")
        for at, name in names("wide", form, language).items():
            found[fold_spelling(name.casefold())] = english[at].lower()
    return {word: days if word[-1] < UNSPACED else f" {days} " for word, days in found.items()}


def _read_parts(words: str) -> cmd.Vacation | None:
    """`20 december to 6 january`, `from tomorrow for 10 days`, `10 days from tomorrow`."""
    found = dict[str, str]()
    first, *parts = (part.strip(" ,") for part in BETWEEN.split(words))
    if first:
        found["span" if read_span(first) else "since"] = first
    for key, phrase in zip(parts[::2], parts[1::2], strict=True):
        name = "span" if key == "for" else "since" if re.fullmatch(_FROM, key) else "until"
        if name in found or not phrase:
            return None
        found[name] = phrase
    since, until = _share_month(found.get("since", ""), found.get("until", ""))
    span = read_span(found.get("span", ""))
    days = all(_day_parts(day) for day in (since, until) if day)
    ends = span or until or (since and not first)
    if not days or not ends or (span and until) or ("span" in found and span is None):
        return None
    return cmd.Vacation(span, until, since)


def _share_month(first: str, last: str) -> tuple[str, str]:
    """Add the month that only one of two days names to the other: `20`, `27 december`."""
    month = re.search(_MONTH, last) or re.search(_MONTH, first)
    if month and re.fullmatch(rf"(?:the )?{_DAY_NUMBER}", first):
        first = f"{first} {month['month']}"
    elif month and re.fullmatch(rf"(?:the )?{_DAY_NUMBER}", last):
        last = f"{month['month']} {last}"
    return first, last


def _day_parts(words: str) -> dict[str, str] | None:
    """The parts of a day, by their names in `_DAY_FORMS`; None for no day."""
    matches = (re.fullmatch(form, words) for form in _DAY_FORMS)
    found = next((one.groupdict() for one in matches if one), None)
    return found and {name: word for name, word in found.items() if word}


def vacation_span(command: cmd.Vacation, now: datetime, zone: tzinfo) -> Span:
    """The beginning and end of a vacation, in the time zone of its days; raises `Unreadable`."""
    today = now.astimezone(zone).date()
    first = _find_day(command.since, today) if command.since else today
    begin = midnight(first, zone) if first > today else now
    if command.span is not None:
        return begin, begin + command.span
    if not command.until:
        hint = f"vacation from {command.since} for 2 weeks"
        raise Unreadable(sentence("until-when"), hints=(hint,))
    return begin, midnight(_find_day(command.until, first) + timedelta(days=1), zone)


def _find_day(words: str, earliest: date) -> date:
    """The first day that matches, not before `earliest`; raises `Unreadable`."""
    parts = _day_parts(words)
    if parts is not None:
        fields, skipped = _day_numbers(parts), _LATER.get(parts.get("later", "now"), 2)
        if "next" in parts:  # the day in the next calendar week
            skipped = 7 - earliest.weekday()
        for day in (earliest + timedelta(days=ahead) for ahead in range(skipped, _MAX_DAYS_AHEAD)):
            has = {"day": day.day, "month": day.month, "year": day.year, "weekday": day.weekday()}
            if fields.items() <= has.items():
                return day
    raise Unreadable(sentence("not-a-day", said=words), hints=_EXAMPLES)


def _day_numbers(parts: dict[str, str]) -> dict[str, int]:
    """Day, month and year as numbers; raises `Unreadable` for `3/4`, but not for `12/24`."""
    fields = ((name, word) for name, word in parts.items() if name not in ("next", "later"))
    numbers = {name: int(_CALENDAR.get(word[:3], word)) for name, word in fields}
    if "one" in numbers:
        month, day = sorted((numbers.pop("one"), numbers.pop("two")))
        if month < day <= 12:
            both = f"{parts['one']}/{parts['two']}"
            raise Unreadable(sentence("day-or-month", said=both), hints=_EXAMPLES)
        numbers |= {"month": month, "day": day}
    return numbers
