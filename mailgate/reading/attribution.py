"""Attributions: the lines "On ... wrote:" above a quotation, in any language, wrapped or not.

Raises nothing. It expects lines in NFKC with folded spaces. Its words are in
`words/quotations.toml`.
"""

import re

from mailgate.reading.program_phrases import phrases

_YEAR = re.compile(r"\b(?:19|20)\d\d\b|(?:19|20)\d\d\s?[年년]|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}")
_TIME = re.compile(r"\b\d{1,2}\s?[:.hH時시点]\s?\d{2}|\b\d{1,2}\s?(?:am|pm)\b", re.IGNORECASE)
_CLOCK = re.compile(r"\b\d{1,2}:\d\d\b")
_OPENER = phrases("on", after=r"\s")
_OPENING = re.compile(r".{0,80}\d")
_WROTE = phrases("wrote", before=r"\b", after=r"\b")
_QUOTING = phrases("quoting", after=r" [^\n]{1,100}@[^\n]{0,60}:[\s*]{0,3}$")
_WITH_COLON = re.compile(r"[^\n]{0,60}:[\s*]{0,3}$")
_WITHOUT_COLON = re.compile(r"[\s*]{0,3}$")
_MAILTO = re.compile(r"[<\s]*mailto:[^\n]{0,300}$", re.IGNORECASE)
_HALF_DAY = re.compile(r"(?i)[ap]\.?m\b")
_MAILBOX_HEADING = re.compile(r"[^<>]{0,100}<(?:mailto:)?[^\s<>@]+@[^\s<>]+>")
MAILBOX = re.compile(r"[^\s<>@]@[^\s<>@]")  # the core of a mailbox
WRAPPED = 4  # maximum lines over which a mail program wraps "On ... wrote:"
_LONGEST_PIECE = 400
_LONGEST_DATE, _LONGEST_NAME = 60, 5
_STOPS = (".", "!", "?")


def begins_attribution(line: str) -> bool:
    """True if a line begins as "On 14 Nov 2018 ..." does."""
    plain = line.lstrip("*\"' ")
    opening = _OPENER.match_at(plain)
    return opening is not None and bool(_OPENING.match(plain, opening.end()))


def ends_attribution(line: str) -> bool:
    """True for the last piece of a wrapped attribution; it is no quotation, even behind a `>`."""
    verbs = {at for wrote in _WROTE.find_all(line) for at in range(*wrote.span())}
    others = {mark for at, mark in enumerate(line) if at not in verbs}
    return others <= {*"<>: "} or bool(_MAILTO.match(line))


def may_end_attribution(lines: list[str], index: int) -> bool:
    """True if a line may be the last one of an attribution."""
    line = lines[index]
    if len(line) > _LONGEST_PIECE:
        return False
    if line.rstrip("* ").endswith(":"):
        return True
    before = lines[index - 1] if index else ""
    unpointed = ("@" in line or "@" in before) and _lacks_colon(f"{before} {line}")
    return unpointed or _has_name_last(line)


def _has_name_last(text: str) -> bool:
    """`Am 20.11.26 um 10:00 schrieb Bob Okafor`, as GMX writes it, without a colon."""
    if not (begins_attribution(text) and _YEAR.search(text) and _CLOCK.search(text)):
        return False
    name = text[min((wrote.end() for wrote in _WROTE.find_all(text)), default=len(text)) :]
    return 0 < len(name.split()) <= _LONGEST_NAME and not re.search(r"[,.!?]", name)


def is_dated(lines: list[str]) -> bool:
    """True for an attribution with a date or a mailbox, as nearly every program writes them."""
    return any(_YEAR.search(line) or MAILBOX.search(line) for line in lines)


def has_mailbox_and_date(lines: list[str], index: int) -> bool:
    """True for a mailbox above a date, with which Notes and Postbox head a quotation."""
    if "@" not in lines[index] or not _MAILBOX_HEADING.fullmatch(lines[index]):
        return False
    below = next((line for line in lines[index + 1 : index + 3] if line), "")
    return len(below) < _LONGEST_DATE and bool(_YEAR.search(below) and _TIME.search(below))


def _lacks_colon(text: str) -> bool:
    """`On 14 Nov 2018 Bob <bob@example.org> wrote`, without a colon."""
    if not (_YEAR.search(text) and MAILBOX.search(text)):
        return False
    return _matches_after_verb(text[-60:], _WITHOUT_COLON)


def _matches_after_verb(text: str, rest: re.Pattern[str]) -> bool:
    """True if `rest` matches behind some verb of an attribution."""
    return any(rest.match(wrote.string, wrote.end()) for wrote in _WROTE.find_all(text))


def find_attribution(lines: list[str], end: int) -> int | None:
    """The first line of the "On ... wrote:" that ends in line `end`; None if there is none."""
    first = end
    while first > 0 and end - first < WRAPPED - 1 and 0 < len(lines[first - 1]) <= _LONGEST_PIECE:
        first -= 1
    starts = range(end, first - 1, -1)
    opened = [start for start in starts if begins_attribution(lines[start])]
    dated = [at for at in starts if _YEAR.search(lines[at]) or MAILBOX.search(lines[at])]
    for start in (*opened[:1], end, *dated):
        if _is_attribution(" ".join(lines[start : end + 1])):
            is_whole = start in opened and not _HALF_DAY.match(lines[start])
            return start if is_whole else _absorb_dates(lines, start, first)
    return None


def _is_attribution(text: str) -> bool:
    tail = text[-120:]
    if (
        _matches_after_verb(tail, _WITH_COLON)
        or _QUOTING.match_at(tail)
        or _lacks_colon(text)
        or _has_name_last(text)
    ):
        return True
    date, time = _YEAR.search(text), _TIME.search(text)
    return bool((date and time) or ((date or time) and MAILBOX.search(text)))


def _absorb_dates(lines: list[str], start: int, first: int) -> int:
    """The first line above that has the date or the verb, if they were wrapped."""
    for line in reversed(lines[first:start]):
        if not (_YEAR.search(line) or _CLOCK.search(line) or any(_WROTE.find_all(line))):
            break
        start -= 1
    return start


def find_heading(lines: list[str], end: int) -> int:
    """The first line of an attribution above a boundary that has no verb and no colon."""
    index = end - 1
    while index >= 0 and (not lines[index] or ends_attribution(lines[index])):
        index -= 1
    if index < 0 or len(lines[index]) > _LONGEST_PIECE or lines[index].endswith(_STOPS):
        return end
    line = lines[index]
    is_dated = _YEAR.search(line) and (_TIME.search(line) or MAILBOX.search(line))
    return index if is_dated else end
