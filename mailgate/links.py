"""Links and advertising in the words of people whom nobody here knows. Pure; raises nothing."""

from __future__ import annotations

import re
import unicodedata

from godaemon.games.people import public_suffixes

_DOTS = str.maketrans(dict.fromkeys("。․‧∙⋅•۔ꓸ", "."))
_WRITTEN_DOT = re.compile(r"(?i)\s*[\[({<]\s*(?:dot|punkt|point|\.)\s*[\])}>]\s*|\s+dot\s+")
_SPACED_DOT = re.compile(r"\s+\.\s*|(?<=[a-z0-9]{2})\.\s+(?=[a-z])")
_SPELT = re.compile(r"(?<!\S)(?:\S\s+){4,}\S(?!\S)")
"""Letters one by one: `p r i z e . w i n`."""
_SCHEME = re.compile(r"(?i)://|\bxn--|\bh(?:tt|xx)ps?\b|\bwww\.|\w\.\w{2,24}/")
_DOTTED = re.compile(r"[\w-]+(?:\.[\w-]+)+")
_TITLES = frozenset(("Dr", "Mr", "Mrs", "Ms", "St", "Ma", "Prof", "Jr", "Sr", "Ing", "Ph"))
_PARTICLES = frozenset(("al", "da", "de", "del", "di", "do", "du", "el", "la", "le", "van", "von"))
_PHONE = re.compile(r"(?:\d[\s().\-/]*){7,}")
_LOUD_MARKS = re.compile(r"[!$€£¥₽%=<>|]|\S#")
_SHOUTED = 18
"""So many letters in four words or more, and all of them capitals, are no name."""
_SELLING = re.compile(
    r"\b(?:free|win|winner|won|prizes?|cash|bonus|casino|bitcoin|crypto|loans?|money|cheap|sale|buy"
    r"|offers?|discount|deals?|click|visit|now|here|today|call|order|shop|claim|urgent|viagra|pills"
    r"|gratis|gewinn\w*|kaufen|jetzt|rabatt|gagn\w+|gratuit|cliquez|promo\w*|oferta|бесплатно"
    r"|whatsapp|telegram|subscribe|followers?|account|password|invoice|verify|suspended)\b"
)
"""Words that advertisements and frauds are made of: two of them make one."""


def leads_elsewhere(text: str) -> bool:
    """True where mail programs make a link of something in a text, or people would follow it.

    >>> leads_elsewhere("see prize.win"), leads_elsewhere("D4.Good luck!")
    (True, False)
    """
    plain = unicodedata.normalize("NFKC", text).translate(_DOTS)
    if "." not in plain and ":" not in plain and "http" not in plain.lower():
        return False
    return _SCHEME.search(plain) is not None or any(map(_is_domain, _DOTTED.findall(plain)))


def advertises(name: str) -> bool:
    """True where what stands for a person's name is none: a link however written, a phone number.

    >>> advertises("prize . win"), advertises("hxxp evil zip"), advertises("CALL 0900 123 456")
    (True, True, True)
    >>> advertises("J.R. Smith"), advertises("Dr. No"), advertises("St.John"), advertises("J.Li")
    (False, False, False, False)
    """
    plain = unicodedata.normalize("NFKC", name).translate(_DOTS)
    plain = _WRITTEN_DOT.sub(" . ", plain)
    plain = _SPELT.sub(lambda found: re.sub(r"\s", "", found[0]), plain)
    dotted = _DOTTED.findall(_SPACED_DOT.sub(".", plain))
    words = [word for word in plain.split() if any(mark.isalpha() for mark in word)]
    letters = sum(mark.isalpha() for mark in plain)
    return (
        _SCHEME.search(plain) is not None
        or any(_is_domain(one) and not _is_surname(one) for one in dotted)
        or _PHONE.search(plain) is not None
        or _LOUD_MARKS.search(plain) is not None
        or (len(words) >= 4 and letters >= _SHOUTED and plain == plain.upper() != plain.lower())
        or len(_SELLING.findall(plain.casefold())) >= 2
    )


def _is_domain(dotted: str) -> bool:
    """True for a name below a suffix under which people register names."""
    return public_suffixes().privatesuffix(dotted.casefold()) is not None


def _is_surname(dotted: str) -> bool:
    """True for initials or a title before a surname, without a space: “J.Li”, “A.de Vries”."""
    *first, last = dotted.split(".")
    initials = all((len(one) == 1 and one.isupper()) or one in _TITLES for one in first)
    return initials and (last.istitle() or last in _PARTICLES)
