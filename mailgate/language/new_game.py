"""The words of a proposal: `new 9x9 komi 6.5 vs bob@players.example`, in any order.

Pure; raises `Unreadable` for one word that is not understood, because a game with other terms than
were meant is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from godaemon.errors import Refusal, Unknown, Unreadable
from godaemon.games.commands import Propose
from godaemon.games.model import ENGINE, OPEN
from godaemon.games.proposals import continued
from godaemon.games.ranks import read_rank
from godaemon.records import sgn
from godaemon.rules import ruleset_terms, rulesets
from godaemon.rules.points import Color, Size, size
from mailgate.address import clean_quote, parse_address
from mailgate.language.lexicon import lexicon
from mailgate.language.time_limits import read_time, split_time
from mailgate.word_sets import words_of

EXAMPLE: Final = "new 9x9 komi 6.5 vs bob@example.org"

_AGAINST = words_of("vs vs. versus against with opponent to")
_FILLERS = words_of(
    "a an game of go on board please and the in thanks thank you thx cheers from this that position"
    " attached attachment sgf record starting"
)
_COLORS: Final[dict[str, Color | None]] = {
    "black": Color.BLACK,
    "b": Color.BLACK,
    "white": Color.WHITE,
    "w": Color.WHITE,
    "nigiri": None,
    "random": None,
    "either": None,
    "lot": None,
}
_ANYBODY = words_of("open anybody anyone somebody someone everybody everyone all whoever")
"""Who is invited by an open challenge."""
_TERMS = words_of("komi handicap ha rules ruleset size boardsize as rank estimates")
_TWO_WORDS = frozenset(
    [("new", "zealand"), ("tromp", "taylor"), ("stone", "scoring"), ("chinese", "superko")]
)
_SWITCHES: Final = {
    **dict.fromkeys(("rated", "ranked"), ("rated", True)),
    **dict.fromkeys(("unrated", "unranked", "casual", "friendly"), ("rated", False)),
    "public": ("public", True),
    "private": ("public", False),
}
"""The terms of which there are two, and what each word says of them."""
_UNRATED = re.compile(
    r"(?i)\b(?:(?P<no>not|non|no|without)[ -]|for |with ){1,2}(?:an? |any )?(?:rat(?:ed|ings?)"
    r"|ranked)\b|\b(?:(?:that|which|it|and) )?(?:(?P<never>(?:(?:does|shall|will) not|doesn['’]t"
    r"|won['’]t|not) )|(?:does|shall|will|that|which|it) )count(?:s|ing)?"
    r"(?: for (?:the |our |any )?ratings?)?\b"
)
"""Whether the result shall count, in several words."""
_STONES = re.compile(
    r"(?i)\b(?:handicap (?:of )?)?([2-9])[ -](?:handicap )?stones?(?: handicap)?\b"
    r"|(?<![\w.])([2-9])[ -]handicap\b(?! ?[:=]? ?\d)"
)
EVEN = re.compile(
    r"(?i)\b(?:(?:no|without|zero)(?: any)? (?:handicap(?: stones?)?|stones?)|even game)\b"
)
"""No handicap, in several words."""
_I_AM = re.compile(r"(?i)\b(?:i(?:'m| am|'ll be| will be| play| take)?|me) (?:as )?(black|white)\b")
_NO_NAMES = {
    *(*_TERMS, *_FILLERS, *_AGAINST, *_ANYBODY, *_COLORS, *_SWITCHES, *ruleset_terms.KEYS, "new")
}
"""Words that are no part of a person's name, though one follows the other."""
_NAMED = re.compile(
    r"\b(vs\.?|versus|against|with|opponent"
    r"|to)\s+[^<>@]{1,80}<\s*([^<>@\s]{1,64}@[^<>@\s]{1,255})\s*>",
    re.IGNORECASE,
)
"""An opponent as address books write them: `vs Bob <bob@example.org>`."""
_SPELT = re.compile(r"(?i)(?<![\w.+-])([\w.+-]+) ?[(\[]?\bat\b[)\]]? ?((?:[\w-]+\.)+[a-z]{2,})\b")
"""An address as people write it where robots may read."""
_NAME = re.compile(r"[^\W\d_][\w'’-]{0,39}(?: [^\W\d_][\w'’-]{0,39}){0,3}")
"""The name of an engine or of a person; which ones there are is not known here."""
_RANKS = re.compile(
    r"(?i)\branks?\s*[:=]?\s*(?:from )?(\d{1,2})[ -]?([kd])(?:yu|an)?\b"
    r"(?:\s*(?:-|–|to|and)\s*(\d{1,2})[ -]?([kd])(?:yu|an)?\b)?"
)
"""Who may take an open challenge: `rank 5 kyu to 1 dan`."""
_MAILTO = re.compile(r"[<\[(]?mailto:[^\s>\])]{1,300}[>\])]?", re.IGNORECASE)


@dataclass(slots=True)
class _Terms:
    """The terms that have been read so far, each by its name."""

    words: list[str]
    found: dict[str, Any] = field(default_factory=dict)
    changes: dict[str, str] = field(default_factory=dict)
    """What is different from the named rules: `ko=situational`."""
    unread: str = ""
    """The word that nobody understands."""

    def take(self, what: str) -> str:
        if not self.words:
            raise _unclear(f"“{what}” needs something after it")
        return self.words.pop(0)

    def put(self, term: str, value: object) -> None:
        if self.found.setdefault(term, value) != value:
            raise _unclear(f"The {term} is there twice, and not the same")


def looks_like_proposal(text: str) -> bool:
    """True where what follows `new` is meant as a game's terms, and not as a sentence."""
    return bool(
        "@" in text
        or re.search(r"\bvs\b|\bkomi\b|\d{1,2} ?[x×*] ?\d", text)
        or len(text.split()) < 3
    )


def read_proposal(text: str) -> Propose:
    """The game that the words after `new` ask for; `text` as it was written, its spaces folded.

    A record on one line among them, or in a URL, is what the game goes on from. Raises
    `Unreadable`, whose hints keep what of the proposal was understood.

    >>> wanted = read_proposal("9x9 komi 6.5 vs bob@example.org")
    >>> str(wanted.size), wanted.komi, wanted.opponent
    ('9x9', 6.5, 'bob@example.org')
    """
    game, whole = sgn.cut(text)
    terms, text = _begun(_RANKS.sub(_whole_rank, whole[:1000]))
    try:
        wanted = _read(terms)
        return continued(wanted, sgn.read(game)) if game else wanted
    except Unreadable as error:
        hints = _without(terms.unread, whole) if terms.unread else ()
        hints = hints or tuple(_own(hint, terms, text) for hint in error.hints)
        raise Unreadable(error.public, hints=hints) from error


def _begun(text: str) -> tuple[_Terms, str]:
    """The terms that are phrases, and the rest of the text, whose words are to be read."""
    limit, text = split_time(_SPELT.sub(r"\1@\2", text))
    estimates = _ESTIMATES.search(text)
    text = _ESTIMATES.sub(" ", text)
    terms = _Terms(_words(text))
    if limit:
        terms.put("time", _time(limit, text))
    if estimates:
        denied = {estimates["before"], estimates["after"]} & {"no", "without", "off"}
        terms.put("estimates", not denied)
    return terms, text


_ESTIMATES = re.compile(
    r"(?i)(?<!\S)(?:(?P<before>no|without|with|and) ){0,4}estimates?(?: of the score)?"
    r"(?:[ :=]+(?:are )?(?P<after>on|off|yes|no|allowed))?(?=[,;.! ]|$)"
)
"""Whether both may look at estimates of the score: `with estimates`, `no estimates`."""


def _without(word: str, text: str) -> tuple[str, ...]:
    """The same proposal without a word, where that is one."""
    kept = [one for one in text.split() if one.strip(",;") != word]
    if len(kept) == len(text.split()) or len(kept) > _FEW:
        return ()
    try:
        read_proposal(" ".join(kept))
    except Unreadable as error:
        return error.hints
    return (" ".join(["new", *kept]),)


_FEW = 20
"""More words than that no proposal has."""


def _time(limit: str, rest: str) -> str:
    """The time settings of a phrase; raises `Unreadable`, whose hints are whole proposals."""
    try:
        return read_time(limit)
    except Unreadable as error:
        hints = tuple(" ".join(f"new {rest} {hint}".split()) for hint in error.hints)
        raise Unreadable(f"{error.public} Nothing was proposed.", hints=hints) from error


def names_terms(text: str) -> bool:
    """True where some words, of which not all are terms, seem to be meant as such.

    >>> names_terms("komi lots"), names_terms("what I said, it is snowing"), names_terms("D4")
    (True, False, False)
    """
    words = text.casefold().split()
    about = _TERMS | set(_COLORS) | set(_SWITCHES) | {"vs", "against", "days", "hours", "time"}
    return any(word.strip(".,") in about or word[0].isdigit() or "@" in word for word in words)


def read_terms(text: str) -> tuple[tuple[str, Any], ...]:
    """The terms of a game that are named, and nothing else; raises `Unreadable`.

    >>> read_terms("komi 0.5 as white")
    (('color', <Color.WHITE: -1>), ('komi', 0.5))
    """
    terms, _ = _begun(re.sub(r"(?i)\bwith\b", " ", text[:1000]))  # nobody is named
    while terms.words:
        _read_term(terms, terms.words.pop(0))
    if "opponent" in terms.found or terms.changes or not terms.found:
        raise _unclear(
            "Other terms are a size, a komi, a handicap, rules, a colour, a time, rated or unrated"
        )
    return tuple(sorted(terms.found.items()))


def _words(text: str) -> list[str]:
    text = re.sub(r"(\d{1,3})\s*(?:[xX×*]|by)\s*(\d{1,3})", r"\1x\2", _MAILTO.sub(" ", text))
    text = _NAMED.sub(r"\1 \2", text)
    text = _UNRATED.sub(_counts, text)
    text = EVEN.sub("handicap 0", text)
    text = _STONES.sub(r"handicap \1\2", _I_AM.sub(r"as \1", text))
    text = re.sub(r"(?i)(\bkomi\s*[:=]?\s*-?\d{1,3}),(\d)", r"\1.\2", text)
    return [word for word in re.split(r"[\s,;=]+|:(?=\s|\d)", text) if word]


def _own(hint: str, terms: _Terms, text: str) -> str:
    """An example made of the sender's own words: pasted, it must not propose to a stranger."""
    address = re.search(r"[^\s<>,;:]{1,64}@[^\s<>,;:]{1,255}", text)
    if address is not None and not _is_address(address[0]):
        return hint
    named = re.search(r"(?i)\b(?:vs\.?|versus|against)\s+(?:engine:)?([a-z][a-z0-9_-]*)", text)
    if address is not None:
        hint = hint.replace("bob@example.org", address[0])
    elif named is not None and named[1].casefold() not in _TERMS:
        hint = hint.replace("bob@example.org", named[1].casefold())
    if "size" in terms.found:
        hint = hint.replace("9x9", str(terms.found["size"]))
    if "komi" in terms.found:
        hint = hint.replace("komi 6.5", f"komi {terms.found['komi']:g}")
    return hint


def _is_address(word: str) -> bool:
    try:
        return bool(parse_address(word))
    except Unreadable:
        return False


def _read(terms: _Terms) -> Propose:
    while terms.words:
        _read_term(terms, terms.words.pop(0))
    if "opponent" not in terms.found:
        raise _unclear(
            "A new game needs an opponent: an email address; your own to play both sides"
        )
    if terms.changes:
        name = terms.found.get("rules", rulesets.DEFAULT)
        changed = [f"{key}={value}" for key, value in terms.changes.items()]
        terms.found["rules"] = _ruleset(" ".join([name, *changed]))
    return Propose(**terms.found)


def _read_term(terms: _Terms, word: str) -> None:
    lowered = word.casefold().strip(".!:()")
    if "@" in word:
        terms.put("opponent", _opponent(word))
    elif lowered == "open":
        terms.put("opponent", OPEN)
    elif lowered in _AGAINST | lexicon().terms["versus"] and not (
        lowered == "to" and "opponent" in terms.found
    ):
        terms.put("opponent", _opponent(_whole_name(terms, terms.take(lowered))))
    elif lowered in ("size", "boardsize") or re.fullmatch(r"\d{1,3}(x\d{1,3})?", lowered):
        plain = lowered[:1].isdigit()
        terms.put("size", _size(lowered if plain else terms.take(lowered).casefold()))
    elif lowered in _VALUES:
        term, read = _VALUES[lowered]
        terms.put(term, read(terms.take(lowered)))
    elif lowered in ("rules", "ruleset"):
        terms.put("rules", _ruleset(_rules_name(terms, terms.take(lowered))))
    elif lowered in _SWITCHES:
        term, yes = _SWITCHES[lowered]
        terms.put(term, yes is not _negated(terms))
    elif lowered in ("as", "color", "colour", "playing") or lowered in _COLORS:
        color = lowered if lowered in _COLORS else terms.take(lowered).casefold()
        terms.put("color", _color(color))
    elif lowered not in (*_FILLERS, "to"):
        _read_ruleset(terms, lowered)


def _counts(found: re.Match[str]) -> str:
    return "unrated" if found["no"] or found["never"] else "rated"


def wishes_rated(text: str) -> bool | None:
    """Whether a result shall count, by words that say so; None where they do not.

    >>> wishes_rated("Sure, but please not rated"), wishes_rated("I am rated 5 kyu")
    (False, None)
    """
    words = re.sub(
        r"rated(?= (?:about )?\d+(?!\d| ?[x×*]))", "", _UNRATED.sub(_counts, text.casefold())
    )
    found = re.search(r"\b(un)?(?:rated|ranked)\b", words)
    return None if found is None else not found[1]


def _negated(terms: _Terms) -> bool:
    """True where a no follows, as in `rated: no`; a yes, too, is taken off."""
    following = terms.words[0].casefold() if terms.words else ""
    if following in ("yes", "no", "on", "off"):
        terms.words.pop(0)
    return following in ("no", "off")


def _read_ruleset(terms: _Terms, word: str) -> None:
    """A ruleset named without the word `rules`, or what is different in it: `ko=natural`.

    Raises `Unreadable` for a word that nobody knows.
    """
    if word in ruleset_terms.KEYS:
        value = terms.take(word).casefold()
        if terms.changes.setdefault(word, value) != value:
            raise _unclear(f"“{word}” is there twice, and not the same")
        return
    try:
        terms.put("rules", rulesets.parse_ruleset(_rules_name(terms, word)).name)
    except Unknown:
        terms.unread = word
        raise _unclear(f"I do not understand “{clean_quote(word)}” in your proposal") from None
    if terms.words and terms.words[0].casefold() == "rules":
        terms.words.pop(0)


def _ruleset(name: str) -> str:
    try:
        return rulesets.format_ruleset(rulesets.parse_ruleset(name))
    except Unknown as error:
        hints = tuple(f"{EXAMPLE} {hint}" for hint in error.hints)
        raise Unreadable(error.public, hints=hints) from error


def _rules_name(terms: _Terms, word: str) -> str:
    """A name that may be two words: `new zealand`, `tromp taylor`."""
    following = terms.words[0].casefold() if terms.words else ""
    if (word.casefold(), following) in _TWO_WORDS:
        return f"{word}-{terms.words.pop(0)}"
    return word


def _whole_name(terms: _Terms, first: str) -> str:
    """A name with the words of it that follow the first: `vs Bob Smith`."""
    name = [first]
    while "@" not in name[0] and terms.words and _in_name(terms.words[0]):
        name.append(terms.words.pop(0))
    return " ".join(name)


def _in_name(word: str) -> bool:
    name = word.casefold().strip('.!:"“”')
    if not _NAME.fullmatch(name) or name in _NO_NAMES:
        return False
    try:
        rulesets.parse_ruleset(name)
    except Unknown:
        return True
    return False


def _opponent(word: str) -> str:
    """A person's mail address; or, without an @, a name, which others must look up."""
    plain = word.strip('<>()[]"“”').rstrip(".,;!>)]")
    name = plain.casefold().removeprefix(ENGINE)
    if name in _ANYBODY:
        return OPEN
    if _NAME.fullmatch(name) and name not in _TERMS:
        return ENGINE + name
    try:
        return parse_address(plain).address
    except Unreadable as error:
        raise Unreadable(error.public, hints=(EXAMPLE,)) from error


def _size(word: str) -> Size:
    width, _, height = word.partition("x")
    if not (width.isdecimal() and (height or width).isdecimal()):
        raise _unclear(f"“{clean_quote(word)}” is not a board size")
    try:
        return size(int(width[:6]), int((height or width)[:6]))
    except Unreadable as error:
        hints = tuple(f"new {hint} vs bob@example.org" for hint in error.hints)
        raise Unreadable(error.public, hints=hints) from error


def _komi(word: str) -> float:
    found = re.fullmatch(r"([+-]?\d{1,3})(?:[.,]([05])0?)?", word)
    if found is None:
        raise _unclear(f"“{clean_quote(word)}” is not a komi: that is a number such as 6.5 or 7")
    return float(f"{found[1]}.{found[2] or 0}")


def _handicap(word: str) -> int:
    if not re.fullmatch(r"[0-9]{1,3}", word):
        raise _unclear(f"“{clean_quote(word)}” is not a number of handicap stones")
    return int(word)


def _whole_rank(found: re.Match[str]) -> str:
    """A span of ranks as one word, in which no `3d` can be taken for three days."""
    ends = (f"{found[at]}{_GRADES[found[at + 1].casefold()]}" for at in (1, 3) if found[at])
    return f"rank {'-'.join(ends)}"


_GRADES = {"k": "kyu", "d": "dan"}


def _rank(word: str) -> str:
    ranks = [read_rank(one) for one in word.split("-")]
    if len(ranks) > 2 or not all(ranks):
        raise Unreadable(
            f"“{clean_quote(word)}” is not a rank: that is 5k, or 8k-5k. Nothing was proposed.",
            hints=("new 13x13 open rank 8k-5k",),
        )
    return "-".join(dict.fromkeys(ranks))


def _color(word: str) -> Color | None:
    if word not in _COLORS:
        raise _unclear(f"“{clean_quote(word)}” is not a colour: black, white or nigiri")
    return _COLORS[word]


_VALUES: Final[dict[str, tuple[str, Callable[[str], object]]]] = {
    "komi": ("komi", _komi),
    "handicap": ("handicap", _handicap),
    "ha": ("handicap", _handicap),
    "rank": ("rank", _rank),
}
"""The terms of one word, by what stands before it."""


def _unclear(message: str) -> Refusal:
    return Unreadable(f"{message}. Nothing was proposed.", hints=(EXAMPLE,))
