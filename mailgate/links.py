"""Links and advertising in strangers' words. Raises nothing."""

import re
import unicodedata

from godaemon.games.people import public_suffixes
from mailgate.word_sets import words_of

_DOTS = str.maketrans(dict.fromkeys("。․‧∙⋅•۔ꓸ", "."))
_WORDS_FOR_DOT = "dot|d0t|punkt|punto|punt|point|ponto|piste|точка|крапка|点|點|ドット|점|·|・|●"
_TITLE_CASE = r"(?-i:(?!Dot)[A-Z][a-z]+\s(?!Com)[A-Z][a-z])"  # as in “Match Point Club”
_BRACKETED_DOT = re.compile(rf"(?i)(?:(?<!\s)\s+)?[\[({{<]\s*(?:{_WORDS_FOR_DOT}|\.)\s*[\])}}>]\s*")
_SPOKEN_DOT = re.compile(rf"(?i)[\s_-]{{1,4}}(?!{_TITLE_CASE})(?:{_WORDS_FOR_DOT})[\s_-]{{1,4}}")
_INNER_MARK = re.compile(r"(?<=[^\W_])[^\w\s]{1,3}(?=[^\W_])|(?<=[a-z])[٠۰\U0001d16d](?=[a-z])")
_NO_DOTS = "'’‘‛′`´,&/@\"“”+()[]{}<>"
"""Marks within names; any other mark, except a hyphen, may mean a dot."""
_CATALAN = re.compile(r"(?i)(?<=l)·(?=l)")
_SPACED_DOT = re.compile(r"(?<!\s)\s+\.\s*|(?<=[a-z0-9]{2})\.\s+(?=[a-z])(?!\w\w\s+[A-Z])")
_SPELLED_OUT = re.compile(
    r"(?<![^\s_-])(?:[^\s_-][\s_-]{1,4}){4,}[^\s_-](?![^\s_-])|(?<=\.)\s*\S(?:\s\S)+(?!\S)"
)
"""Letters one by one: `p r i z e . w i n`, `prize.w i n`."""
_SCHEME = re.compile(r"(?i)://|\bxn--|\bh(?:tt|xx)ps?\b|\bwww\.|\w\.\w{2,24}/")
_NO_NAME = re.compile(
    r"(?i)\bw[\s.]?w[\s.]?w\b|\bh\s?t\s?t\s?p|\b\d{1,3}(?:\.\d{1,3}){3}\b"
    r"|\b(?:\w\.){5}\w\b|\wdot(?:com|net|org)\b"
    r"|(?-i:\w{2}[\s,_/|-]+(?:com|COM)$|\b[^\WA-Z]{2,}[\s,_-]+(?:net|org|info)$)"
)
"""Web addresses without their dots, IP addresses, and letters separated by dots."""
_RESERVED = (".test", ".example", ".invalid", ".localhost", ".local", ".onion", ".internal")
"""Reserved top-level domains (RFC 2606, 6761, 6762); few readers know that nobody can own them."""
_DOTTED = re.compile(r"(?<![\w-])[\w-]+(?:\.[\w-]+)+")
_TITLES = frozenset(("Dipl", "Dr", "Mr", "Mrs", "Ms", "St", "Ma", "Prof", "Jr", "Sr", "Ing", "Ph"))
_PARTICLES = frozenset(
    ("al", "da", "de", "del", "di", "do", "du", "el", "la", "le", "med", "van", "von")
)
_PHONE = re.compile(r"(?:\d[\s().\-/]*){7,}")
_LOUD_MARKS = re.compile(r"[!$€£¥₽%<>]|\S#")
_MIN_CAPITALS = 18  # four words in capitals with this many letters are an advertisement, not a name
_SELLING = words_of(
    "free win winner won prize prizes cash bonus casino bitcoin crypto loan loans money cheap sale"
    " buy offer offers discount deal deals click visit now here today call order shop claim urgent"
    " viagra pills gratis kaufen jetzt rabatt gratuit cliquez oferta бесплатно whatsapp telegram"
    " subscribe follower followers account password invoice verify suspended"
)
_SELLING_STEMS = ("gewinn", "gagn", "promo")
"""Stems of words in spam; with `_SELLING`, two such words make a name an advertisement."""


def leads_elsewhere(text: str) -> bool:
    """True if a text has a link, or words that mail programs or people take for one.

    >>> leads_elsewhere("see prize.win"), leads_elsewhere("D4.Good luck!")
    (True, False)
    """
    plain = unicodedata.normalize("NFKC", text).translate(_DOTS)
    return _SCHEME.search(plain) is not None or any(map(_is_domain, _DOTTED.findall(plain)))


def advertises(name: str) -> bool:
    """True if a name is not a person's: a link in any spelling, a phone number, an advertisement.

    >>> advertises("prize . win"), advertises("hxxp evil zip"), advertises("CALL 0900 123 456")
    (True, True, True)
    >>> advertises("J.R. Smith"), advertises("Dr. No"), advertises("St.John"), advertises("J.Li")
    (False, False, False, False)
    """
    marks = unicodedata.normalize("NFKC", name.replace("˙", ".")).translate(_DOTS)
    plain = "".join(mark for mark in marks if unicodedata.category(mark) != "Cf").strip()
    read = _insert_dots(plain)
    dotted = _DOTTED.findall(_SPACED_DOT.sub(".", read))
    words = [word for word in plain.split() if any(mark.isalpha() for mark in word)]
    spoken = re.findall(r"\w+", read.casefold())
    domains = [one for one in dotted if _is_domain(one) or one.casefold().endswith(_RESERVED)]
    return (
        _SCHEME.search(read) is not None
        or any(map(_NO_NAME.search, (plain, read)))
        or not all(map(_is_surname, domains))
        or _PHONE.search(read) is not None
        or _LOUD_MARKS.search(plain) is not None
        or (len(words) >= 4 and sum(map(len, words)) >= _MIN_CAPITALS and plain.isupper())
        or sum(word in _SELLING or word.startswith(_SELLING_STEMS) for word in spoken) >= 2
    )


def _insert_dots(plain: str) -> str:
    """The name with a dot for each mark or word that may mean one, and with spelt words joined."""
    plain = _INNER_MARK.sub(_dot_for, _CATALAN.sub("", plain))
    plain = _SPOKEN_DOT.sub(" . ", _BRACKETED_DOT.sub(" . ", plain))
    return _SPELLED_OUT.sub(lambda found: re.sub(r"[\s_-]", "", found[0]), plain)


def _dot_for(found: re.Match[str]) -> str:
    is_kept = any(mark in _NO_DOTS or unicodedata.category(mark) == "Pd" for mark in found[0])
    return found[0] if is_kept else "."


def _is_domain(dotted: str) -> bool:
    return public_suffixes().privatesuffix(dotted.strip("_-").casefold()) is not None


def _is_surname(dotted: str) -> bool:
    """True for initials or a title before a surname without a space: “J.Li”, “A.de Vries”."""
    *first, last = dotted.split(".")
    initials = all((len(one) == 1 and one.isupper()) or one in _TITLES for one in first)
    return initials and (last.istitle() or last in _PARTICLES)
