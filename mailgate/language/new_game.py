"""The words of a proposal: `new 9x9 komi 6.5 vs bob@players.example`, in any order.

Pure; raises `Unreadable` for any word that it does not understand, because wrong terms are worse
than no game.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from godaemon.errors import Unknown, Unreadable
from godaemon.games.commands import Propose
from godaemon.games.model import ENGINE_PREFIX, OPEN
from godaemon.games.proposals import continue_record
from godaemon.records import sgn
from godaemon.rules import named_rulesets, ruleset_terms
from godaemon.rules.points import Color, Size, check_size
from godaemon.texts.catalogue import join_sentences, sentence
from mailgate.address import clean_quote, parse_address
from mailgate.language.lexicon import any_of, lexicon
from mailgate.language.statement_splitting import UNSPACED_SCRIPTS
from mailgate.language.written_rates import write_rates
from mailgate.language.written_times import read_time, split_time
from mailgate.word_sets import words_of

_SMALLEST = 5  # the smallest side in words, because of `one by one`
SOMEBODY: Final = "bob@example.org"
EXAMPLE: Final = f"new 9x9 komi 6.5 vs {SOMEBODY}"

_AGAINST = words_of("vs vs. versus against with opponent to")
_FILLERS = words_of(
    "a an game of go on board please and the in thanks thank you thx cheers from this that position"
    " attached attachment sgf record starting allowed"
)
_ANYBODY = words_of("open anybody anyone somebody someone everybody everyone all whoever")
"""Words that name the opponent of an open challenge."""
_TERMS = words_of("komi handicap ha rules ruleset size boardsize as estimates")
_COLORS: Final[dict[str, Color | None]] = {
    **dict.fromkeys(("black", "b"), Color.BLACK),
    **dict.fromkeys(("white", "w"), Color.WHITE),
    **dict.fromkeys(("nigiri", "random", "either", "lot")),
}
_SWITCHES: Final = {
    **dict.fromkeys(("rated", "ranked"), ("rated", True)),
    **dict.fromkeys(("unrated", "unranked", "casual", "friendly"), ("rated", False)),
    "public": ("public", True),
    "private": ("public", False),
    "estimates": ("estimates", True),
}
"""Words for terms that are on or off."""
_NO_NAMES = {
    *(*_TERMS, *_FILLERS, *_AGAINST, *_ANYBODY, *_COLORS, *_SWITCHES, *ruleset_terms.KEYS, "new")
}
"""Words that are never part of a person's name."""
_NAME = re.compile(r"[^\W\d_][\w'’-]{0,39}(?: [^\W\d_][\w'’-]{0,39}){0,3}")
"""The name of an engine or of a person; it is looked up later."""
_SPELT = re.compile(r"(?i)(?<![\w.+-])([\w.+-]+) ?[(\[]?\bat\b[)\]]? ?((?:[\w-]+\.)+[a-z]{2,})\b")
"""An address that is written with `at`, to hide it from robots."""
_NAMED_OPPONENT = (
    r"\b(vs\.?|versus|against|with|opponent|to)\s+[^<>@]{1,80}"
    r"<\s*([^<>@\s]{1,64}@[^<>@\s]{1,255})\s*>"
)
"""An opponent as in `vs Bob <bob@example.org>`."""
_RATED = r"(?:an? |any )?(?:rat(?:ed|ings?)|ranked)\b"
_IT = r"\b(?:(?:that|which|it|and) )?"
_COUNTS = r"count(?:s|ing)?(?: for (?:the |our |any )?ratings?)?\b"
_PHRASES = [
    (re.compile(rf"(?i){pattern}"), replacement)
    for pattern, replacement in (
        (r"[<\[(]?mailto:[^\s>\])]{1,300}[>\])]?", " "),
        (_NAMED_OPPONENT, r"\1 \2"),
        (rf"\b(?:for |with )?(?:not|non|no|without)[ -](?:for |with )?{_RATED}", "unrated"),
        (rf"\b(?:for|with) {_RATED}", "rated"),
        (rf"{_IT}(?:(?:does|shall|will) not|(?:does|wo)n['’]t|not) {_COUNTS}", "unrated"),
        (rf"{_IT}(?:does|shall|will|that|which|it) {_COUNTS}", "rated"),
        (r"\b(?:no|without) estimates?\b(?: of the score)?", "estimates off"),
        (r"\b(?:(?:with|and) )?estimates?\b(?: of the score)?[ :=]*(?:are )?", "estimates "),
        (r"\b(?:no|without|zero)(?: any)? (?:handicap(?: stones?)?|stones?)\b", "handicap 0"),
        (r"\beven game\b", "handicap 0"),
        (r"\bhouse,? (?:at |on )?level (\d{1,2})\b", r"house\1"),
        (r"\b(?:i(?:'m| am|'ll be| will be| play| take)?|me) (?:as )?(black|white)\b", r"as \1"),
        (
            r"\b(?:handicap (?:of )?)?([2-9])[ -](?:handicap )?stones?(?: handicap)?\b",
            r"handicap \1",
        ),
        (r"(?<![\w.])([2-9])[ -]handicap\b(?! ?[:=]? ?\d)", r"handicap \1"),
        (r"(\bkomi\s*[:=]?\s*-?\d{1,3}),(\d)", r"\1.\2"),
        (r"\b(new|tromp|stone|chinese) (zealand|taylor|scoring|superko)\b", r"\1-\2"),
    )
]
"""Phrases for a term and their replacements, applied in this order."""


@dataclass(slots=True)
class _Terms:
    """The terms that have been read so far, each by its name."""

    words: list[str]
    found: dict[str, Any] = field(default_factory=dict)
    changes: dict[str, str] = field(default_factory=dict)
    """Changes to the named rules: `ko=situational`."""
    unread: str = ""

    def take(self, term: str) -> str:
        if not self.words:
            raise _unclear_terms(sentence("term-needs-more", term=term))
        return self.words.pop(0)

    def take_one_of(self, *words: str) -> str:
        """The next word if it is one of these; else ""."""
        if not self.words or self.words[0].casefold() not in words:
            return ""
        return self.words.pop(0).casefold()

    def set(self, term: str, value: object) -> None:
        if self.found.setdefault(term, value) != value:
            raise _unclear_terms(sentence("term-twice", term=term))


@contextmanager
def rewrite_hints(rewrite: Callable[[str], str]) -> Iterator[None]:
    """Raise what is unreadable or unknown as `Unreadable`, with each hint rewritten."""
    try:
        yield
    except (Unreadable, Unknown) as error:
        raise Unreadable(error.public, hints=tuple(map(rewrite, error.hints))) from error


def looks_like_proposal(text: str) -> bool:
    """True if the words after `new` are terms of a game or a name, and not a sentence.

    >>> looks_like_proposal("open game"), looks_like_proposal("Year greetings")
    (True, False)
    """
    found = re.search(r"(?i)@|\bvs\b|\bkomi\b|\d{1,2} ?[x×*] ?\d", text)
    words = text.casefold().split()
    names_no_player = names_terms(text) or not _NO_NAMES.isdisjoint(words)
    return found is not None or len(words) < (3 if names_no_player else 2)


def names_terms(text: str) -> bool:
    """True if some of the words look like terms.

    >>> names_terms("komi lots"), names_terms("what I said, it is snowing"), names_terms("D4")
    (True, False, False)
    """
    words = text.casefold().split()
    term_words = {*_TERMS, *_COLORS, *_SWITCHES, "vs", "against", "days", "hours", "time"}
    named = (word.strip(".,") in term_words or word[0].isdigit() or "@" in word for word in words)
    return any(named) or bool(split_time(write_rates(text))[0])


def read_proposal(text: str) -> Propose:
    """The proposal in the words after `new`, as written, with folded spaces.

    The game continues a record among them, on one line or in a URL. Raises `Unreadable` with hints
    that keep the terms which were understood.

    >>> wanted = read_proposal("9x9 komi 6.5 vs bob@example.org")
    >>> str(wanted.size), wanted.komi, wanted.opponent
    ('9x9', 6.5, 'bob@example.org')
    """
    game, whole = sgn.find_game(text)
    terms, rest = _begin_terms(whole[:1000])
    try:
        wanted = _read_propose(terms)
        return continue_record(wanted, sgn.parse_sgn(game)) if game else wanted
    except Unreadable as error:
        adapted = tuple(_adapt_hint(hint, terms, rest) for hint in error.hints)
        hints = _drop_word(terms.unread, whole) or adapted
        raise Unreadable(error.public, hints=hints) from error


def read_terms(text: str) -> tuple[tuple[str, Any], ...]:
    """Terms of a game, sorted by name; raises `Unreadable` if there are none, or other words.

    >>> read_terms("komi 0.5 as white")
    (('color', <Color.WHITE: -1>), ('komi', 0.5))
    """
    terms, _ = _begin_terms(re.sub(r"(?i)\bwith\b", " ", text[:1000]))  # no opponent follows it
    _read_words(terms)
    if "opponent" in terms.found or terms.changes or not terms.found:
        raise _unclear_terms(sentence("other-terms"))
    return tuple(sorted(terms.found.items()))


def _begin_terms(text: str) -> tuple[_Terms, str]:
    """The terms with the time limit, and the words of the rest; and the text without the limit."""
    limit, rest = split_time(write_rates(_SPELT.sub(r"\1@\2", text)))
    plain = write_sizes(rest)
    for pattern, replacement in _PHRASES:
        plain = pattern.sub(replacement, plain)
    terms = _Terms([word for word in re.split(r"[\s,;=]+|:(?=\s|\d)", plain) if word])
    if limit:
        terms.set("time", _read_time(limit, rest))
    return terms, rest


def write_sizes(text: str) -> str:
    """Replace sizes such as `9 by 9` or `neun mal neun` by `9x9`."""
    known = lexicon().numbers
    return _size_pattern().sub(
        lambda found: "x".join(known.get(side.casefold(), side) for side in found.groups()), text
    )


@cache
def _size_pattern() -> re.Pattern[str]:
    numbers = any_of(one for one, side in lexicon().numbers.items() if int(side) >= _SMALLEST)
    side, times = rf"(\d{{1,3}}|{numbers})", any_of(lexicon().terms["times"])
    return re.compile(rf"(?i)(?<![\w.]){side}\s*(?:[x×*]|{times})\s*{side}(?!\w)")


def write_points(text: str) -> str:
    """Replace points such as `d four` by `d4`; A and O are words of their own in many languages."""
    known = lexicon().numbers
    return _point_pattern().sub(lambda found: found[1] + known[found[2].casefold()], text)


@cache
def _point_pattern() -> re.Pattern[str]:
    apart, numbers = rf"(?:[ -]|(?=[{UNSPACED_SCRIPTS}]))", any_of(lexicon().numbers)
    return re.compile(rf"(?i)(?<![\w'’])([b-hj-np-t]){apart}({numbers})(?!\w)")  # not `nacht`


def _read_time(limit: str, rest: str) -> str:
    """The time settings of a phrase; raises `Unreadable` with whole proposals as hints."""
    try:
        return read_time(limit)
    except Unreadable as error:
        hints = tuple(" ".join(f"new {rest} {hint}".split()) for hint in error.hints)
        raise _unclear_terms(error.public, hints) from error


def _drop_word(word: str, text: str) -> tuple[str, ...]:
    """The proposal without one word as a hint; if that is unreadable, its hints."""
    kept = [one for one in text.split() if one.strip(",;") != word]
    if not word or len(kept) == len(text.split()) or len(kept) > _MAX_WORDS:
        return ()
    try:
        read_proposal(" ".join(kept))
    except Unreadable as error:
        return error.hints
    return (" ".join(["new", *kept]),)


_MAX_WORDS = 20  # in a proposal


def _adapt_hint(hint: str, terms: _Terms, text: str) -> str:
    """The hint with the sender's own opponent and terms: if sent, it must not invite a stranger."""
    address = re.search(r"[^\s<>,;:]{1,64}@[^\s<>,;:]{1,255}", text)
    named = re.search(r"(?i)\b(?:vs\.?|versus|against)\s+(?:engine:)?([a-z][\w-]*+)(?!@)", text)
    opponent = named[1].casefold() if named and named[1].casefold() not in _TERMS else SOMEBODY
    if address is not None:
        opponent = SOMEBODY
        with suppress(Unreadable):
            opponent = parse_address(address[0]).address
    hint = hint.replace(SOMEBODY, opponent)
    hint = hint.replace("9x9", str(terms.found.get("size", "9x9")))
    komi = f" komi {terms.found.get('komi', 6.5):g}" if "komi" in text.casefold() else ""
    return hint.replace(" komi 6.5", komi)


def _read_propose(terms: _Terms) -> Propose:
    _read_words(terms)
    if "opponent" not in terms.found:
        raise _unclear_terms(sentence("needs-opponent"))
    if terms.changes:
        name = terms.found.get("rules", named_rulesets.DEFAULT)
        changed = [f"{key}={value}" for key, value in terms.changes.items()]
        terms.found["rules"] = _read_ruleset(" ".join([name, *changed]))
    return Propose(**terms.found)


def _read_words(terms: _Terms) -> None:
    against = _AGAINST | lexicon().terms["versus"]
    while terms.words:
        word = terms.words.pop(0)
        lowered = word.casefold().strip(".!:()")
        is_filler = lowered == "to" and "opponent" in terms.found
        if "@" in word or lowered == OPEN:
            terms.set("opponent", _read_opponent(word))
        elif lowered in against and not is_filler:
            terms.set("opponent", _read_opponent(_take_name(terms, terms.take(lowered))))
        elif not _read_term(terms, lowered):
            if not (word[0].isupper() and _is_in_name(word)) or "opponent" in terms.found:
                terms.unread = lowered
                raise _unclear_terms(sentence("not-a-term", said=clean_quote(lowered)))
            terms.set("opponent", _read_opponent(word))  # `invite Dave`


def _read_term(terms: _Terms, word: str) -> bool:
    """Read a term that begins with a word; False if none does."""
    if word in _VALUES:
        term, form, read = _VALUES[word]
        text = terms.take(word).casefold()
        if not re.fullmatch(form, text):
            raise _unclear_terms(sentence("not-a-term", said=clean_quote(text)))
        terms.set(term, read(text))
    elif re.fullmatch(r"\d{1,3}(x\d{1,3})?", word):
        terms.set("size", _read_size(word))
    elif word in _named_colors():
        terms.set("color", _named_colors()[word])
    elif word in _SWITCHES:
        term, value_if_on = _SWITCHES[word]
        is_off = terms.take_one_of("yes", "no", "on", "off") in ("no", "off")
        terms.set(term, value_if_on is not is_off)
    elif word in ruleset_terms.KEYS:
        value = terms.take(word).casefold()
        if terms.changes.setdefault(word, value) != value:
            raise _unclear_terms(sentence("term-twice", term=word))
    elif rules := _rules_name(word):
        terms.set("rules", rules)
        terms.take_one_of("rules")
    else:
        return word in (*_FILLERS, "to", "")
    return True


@cache
def _named_colors() -> Mapping[str, Color | None]:
    """Words for a colour in any language; None for a draw of colours."""
    known = ((lexicon().black, Color.BLACK), (lexicon().white, Color.WHITE))
    return {**{word: color for words, color in known for word in words}, **_COLORS}


def _rules_name(name: str) -> str:
    try:
        return named_rulesets.parse_ruleset(name).name
    except Unknown:
        return ""


@rewrite_hints(lambda hint: f"{EXAMPLE} {hint}")
def _read_ruleset(name: str) -> str:
    return named_rulesets.format_ruleset(named_rulesets.parse_ruleset(name))


def _take_name(terms: _Terms, first: str) -> str:
    """A name of several words: `vs Bob Smith`."""
    name = [first]
    while "@" not in first and terms.words and _is_in_name(terms.words[0]):
        name.append(terms.words.pop(0))
    return " ".join(name)


def _is_in_name(word: str) -> bool:
    name = word.casefold().strip('.!:"“”')
    return bool(_NAME.fullmatch(name)) and name not in _NO_NAMES and not _rules_name(name)


def _read_opponent(word: str) -> str:
    """An email address, or a name that is looked up later."""
    plain = word.strip('<>()[]"“”').rstrip(".,;!>)]")
    name = plain.casefold().removeprefix(ENGINE_PREFIX)
    if name in _ANYBODY:
        return OPEN
    if _NAME.fullmatch(name) and name not in _TERMS:
        return ENGINE_PREFIX + name
    try:
        return parse_address(plain).address
    except Unreadable as error:
        raise Unreadable(error.public, hints=(EXAMPLE,)) from error


@rewrite_hints(lambda hint: f"new {hint} vs {SOMEBODY}")
def _read_size(word: str) -> Size:
    width, _, height = word.partition("x")
    return check_size(int(width), int(height or width))


_COLOR = ("color", "|".join(_COLORS), _COLORS.__getitem__)
_VALUES: Final[dict[str, tuple[str, str, Callable[[str], object]]]] = {
    "komi": ("komi", r"[+-]?\d{1,3}([.,][05]0?)?", lambda word: float(word.replace(",", "."))),
    **dict.fromkeys(("handicap", "ha"), ("handicap", "[0-9]{1,3}", int)),
    **dict.fromkeys(("size", "boardsize"), ("size", r"\d{1,6}(x\d{1,6})?", _read_size)),
    **dict.fromkeys(("rules", "ruleset"), ("rules", "(?s).*", _read_ruleset)),
    **dict.fromkeys(("as", "color", "colour", "playing"), _COLOR),
}
"""Name, pattern and reader of terms that have one word, by the word before it."""


def _unclear_terms(reason: str, hints: tuple[str, ...] = (EXAMPLE,)) -> Unreadable:
    return Unreadable(join_sentences(reason, sentence("nothing-proposed")), hints=hints)
