"""The terms of a game that somebody names in sentences of their own, as a proposal has them.

Pure; raises nothing. They are offered as a line to send, and never acted on: what else such a
sentence says is not understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from godaemon.errors import Refusal
from godaemon.rules import rulesets
from mailgate.language.new_game import EVEN, read_terms, wishes_rated
from mailgate.language.time_limits import read_time, split_time
from mailgate.late_patterns import late

_SMALL = dict(
    zip(["two", "three", "four", "five", "six", "seven", "eight", "nine"], "23456789", strict=True)
)
_COUNTED_ABROAD = {
    "2": "zwei deux dos due twee dois duas två dwa dwie",
    "3": "drei trois tres tre drie três trzy",
    "4": "vier quatre cuatro quattro quatro fyra cztery",
    "5": "fünf cinq cinco cinque vijf fem pięć",
    "6": "sechs six seis sei zes sex sześć",
    "7": "sieben sept siete sette zeven sju siedem",
    "8": "acht huit ocho otto åtta osiem",
    "9": "neun neuf nueve nove negen nio dziewięć",
}
_SMALL |= {word: digit for digit, words in _COUNTED_ABROAD.items() for word in words.split()}
_DIGIT = rf"(?P<n>[2-9]|{'|'.join(_SMALL)})"
_SIZE = late(
    r"(?i)(?<!not on )(?<!not )(?<!no )(?<!no to )\b(\d{1,2}) ?(?:[x×*]"
    r"|by|auf|mal|na|por|per|sur|op|på) ?(\d{1,2})\b"
)
_SPELT = {f"{name} by {name}": f"{size}x{size}" for name, size in (("nine", 9), ("thirteen", 13))}
_SPELT["nineteen by nineteen"] = "19x19"
_SPELT |= {"eleven by eleven": "11x11", "seven by seven": "7x7"}
_BOARDS = {
    f"{lines}x{lines}": late(
        rf"(?i)\b(?:(?:{large}|(?:{lines}|{spelt})(?: lines?)?) board)\b"
        rf"|(?<![十십\d])(?:{kanji}|{lines}) ?(?:路|줄)(?:盤|盘|판|바둑)?"
        rf"|\b(?:board|tablero|goban|plateau|tavola|tabuleiro|planszy|bord)"
        rf" (?:(?:of|de|da|van|di) )?(?:{lines}|{spelt})\b|\b{lines}er[ -]?brett\b"
    )
    for lines, spelt, kanji, large in (
        (9, "nine", "[九구]", "small(?:est)?|tiny|little|mini"),
        (13, "thirteen", "十三|십삼", "(?:medium|middle|mid)(?:[ -]?sized?)?"),
        (19, "nineteen", "十九|십구", "(?:big|large|full)(?:[ -]?sized?)?"),
    )
}
"""Boards by how large they are, or by their lines."""
_HANDICAPS = (
    late(
        rf"(?i)\b{_DIGIT}[ -](?:handicap )?(?:stones?|(?:vorgabe)?steinen?|pierres"
        r"|piedras|pietre|stenen|pedras|stenar|kamieni\w*)\b"
    ),
    late(rf"(?i)(?<![\d.]){_DIGIT}[ -]handicap\b(?! ?(?:of|with|:|=)? ?\d)"),
    late(rf"(?i)\bhandicap(?: of| with|:|=)? ?{_DIGIT}\b"),
)
_POINTS = (
    rf"(?:-?\d{{1,3}}(?:\.[05])?|zero|one|{'|'.join(_SMALL)})(?:(?: and)? a half| ?½| 1/2)?"
    r"|(?:a )?half(?: an?| of an?)?"
)
_KOMI = late(
    rf"(?i)\bkomi(?: of| is|:|=)? ?(?P<n>{_POINTS})(?![.,]?\w)"
    rf"|(?<!\w)(?P<m>{_POINTS}|no|without) (?:points? )?(?:of )?komi"
)
_MINE = late(
    r"(?i)\b(?:i|i'm|i'd|i'll|me|myself|as|playing|with)\b(?: (?:am|be|being|as|play|take|have|get"
    r"|want|meant|would|like|prefer|will|should|can|could|shall|to|the|rather)){0,5}"
    r" (?P<color>black|white)\b"
)
_YOURS = late(
    r"(?i)\b(?:you|he|she|they|him|her|them|opponent|friend|other)(?:'s|'re|'ll)?\b"
    r"(?: (?:are|is|be|being|as|plays?|takes?|have|has|gets?|should|could|can|shall|will|to"
    r"|the)){0,4} (?P<color>black|white)\b"
)
_STONES_FOR = late(
    rf"(?i)\b(?:(?P<mine>i(?:'ll)?|me|give me)|you|he|she|give (?:you|him|her|them))\b"
    r"(?: (?:gets?|takes?|have|has|receives?|can|could|may|should|will|shall|would|like|want|need"
    rf"|to)){{0,4}} {_DIGIT}[ -](?:handicap )?stones?\b"
)
_THEIRS_ABROAD = late(
    r"(?i)\b(?:elle|il|er|sie|ella|él|lei|lui|hij|zij|ela|ele|hon|han) (?:\w+ )?(?:prend\w*|jouera"
    r"|aura|nimmt|bekommt|spielt|toma\w*|juega|jugará|prende\w*|gioca|neemt|speelt|joga|spelar|tar"
    r"|hat|ist) (?:mit |met |avec |con )?(?:les |las |le |los |i |as )?(?:(?P<black>noirs?|schwarz"
    r"|negr[ao]s|ner[ei]|zwart|pretas|svart)|blancs?|wei(?:ß|ss)|blanc[ao]s|bianc\w+|wit|brancas"
    r"|vit)\b"
)
"""The colour of the other, in other languages."""
_ABROAD = late(
    r"(?i)\b(?:avec les|(?:prends|prendrai|jouer?|jouerai) (?:avec )?les|con (?:le|las)|(?:nehme"
    r"|bin|spiele|neem|ben|speel)(?: mit| met)?) (?:(?P<black>noirs?|negras|nere|schwarz|zwart)"
    r"|blancs?|blancas|bianche|wei(?:ß|ss)|wit)\b"
)
"""The colour of who writes, in other languages."""
_RULES = late(r"(?i)\b(?:(?P<before>[a-z-]{3,20}) rules?|rules? (?P<after>[a-z-]{3,20}))\b")
_OTHERS = {"black": "white", "white": "black"}


def wished_terms(text: str) -> tuple[str, ...]:
    """The terms in some sentences; two lines where a time may mean two things, none for none.

    >>> wished_terms("Yes but only 2 stones please and can I be black? On the 13x13 board")
    ('13x13 handicap 2 as black',)
    >>> wished_terms("5 days, please"), wished_terms("How is your daughter?")
    (('5 days per move', '5 days each'), ())
    """
    text = _TOO.sub(" ", text)
    named = " ".join(_named(text))
    lines = [" ".join(f"{named} {time}".split()) for time in _times(text)]
    return tuple(line for line in lines if line and _readable(line))


def left_out(text: str, line: str) -> str:
    """A sentence that says what terms some words speak of, and the line made of them has not.

    >>> left_out("a game without a clock, komi as always", "new 9x9 untimed vs bob@example.org")
    ' That line says nothing of the komi.'
    """
    lost = [term for term, (spoken, said) in _SPOKEN.items() if _lost(text, line, spoken, said)]
    return f" That line says nothing of the {' and the '.join(lost)}." if lost else ""


def _lost(text: str, line: str, spoken: str, said: str) -> bool:
    return bool(re.search(rf"(?i)\b(?:{spoken})\b", text) and not re.search(said, line))


_SPOKEN = {
    "komi": ("komi", "komi"),
    "handicap": ("handicap|stones?", "handicap"),
    "colours": ("black|white", "black|white"),
    "time": (
        "clock|time limit|(?:days?|hours?|weeks?|minutes?) (?:per|each|a)",
        "day|hour|week|min|untimed|no ",
    ),
    "rules": ("rules|japanese|chinese|aga", "rules"),
}
"""How each term is spoken of, and how a line has it."""


def _color(text: str) -> Iterator[str]:
    """The colour of who writes, by its name or by who is given stones."""
    if found := _MINE.search(text):
        yield f"as {found['color'].casefold()}"
    elif found := _YOURS.search(text):
        yield f"as {_OTHERS[found['color'].casefold()]}"
    elif found := _ABROAD.search(text):
        yield "as black" if found["black"] else "as white"
    elif found := _THEIRS_ABROAD.search(text):
        yield "as white" if found["black"] else "as black"
    elif found := _STONES_FOR.search(text):  # who is given stones is Black
        yield "as black" if found["mine"] else "as white"


def _named(text: str) -> Iterator[str]:
    """The terms but for the time, in the order in which we write them."""
    if found := _SIZE.search(text):
        yield f"{found[1]}x{found[2]}"
    else:
        yield from (size for name, size in _SPELT.items() if name in text.casefold())
        yield from (size for size, names in _BOARDS.items() if names.search(text))
    if EVEN.search(text):
        yield "handicap 0"
    for pattern in _HANDICAPS:
        if found := pattern.search(text):
            yield f"handicap {_SMALL.get(found['n'].casefold(), found['n'])}"
            break
    if found := _KOMI.search(text):
        yield f"komi {_points((found['n'] or found['m']).casefold()):g}"
    for found in _RULES.finditer(text):
        yield from _ruleset((found["before"] or found["after"]).casefold())
    yield from _color(text)
    if (rated := wishes_rated(text)) is not None:
        yield "rated" if rated else "unrated"


def _points(said: str) -> float:
    """How many points a komi has, in digits or in words."""
    first = said.split(maxsplit=1)[0].rstrip("½")
    known = {"zero": "0", "one": "1", "no": "0", "without": "0", **_SMALL}
    whole = known.get(first, "0" if first in ("half", "a") else first)
    return float(whole) + (0.5 if re.search(r"half|½|1/2", said) else 0)


def _ruleset(name: str) -> Iterator[str]:
    try:
        yield f"rules {rulesets.parse_ruleset(name).name}"
    except Refusal:
        return


def _times(text: str) -> tuple[str, ...]:
    """The time, in each way in which it may be meant; ("",) where there is none."""
    phrase, _ = split_time(_BUSY.sub("", text))
    phrase = phrase.lstrip(" ,;()")
    if not _TIMED.search(phrase):
        return ("",)
    try:
        time = read_time(phrase)
    except Refusal as unclear:
        return unclear.hints or ("",)
    return (f"{time}" if phrase.startswith("of ") else phrase,)  # `a lot of time, say a week`


_TOO = late(
    r"(?i)(?<![^.!?])[^.!?]*(?:\bnot|n't) (?:\w+ )?(?:be )?enough\b[^.!?]*"
    r"|\b(?:\d{1,2}(?: ?(?:[x×*]|by) ?\d{1,2})?|(?:nine|thirteen|nineteen) by \w+) (?:is|are|was"
    r"|seems?|feels?) (?:\w+ )?too \w+|\(\d{1,2} ?[dkp]\)"
)
"""Terms that are not wished."""
_BUSY = late(
    r"(?i)\bno time\b(?! ?(?:limit|control)s?)|\b(?:think|sleep|wait|decide|get back|ask me"
    r"|let you know)\b[^.!?]*|\b(?:e-?mails?|messages?) (?:a|per|each|every) (?:day|week)\b"
    r"|\b(?:(?:was|were|been|am|are|is|be|go|going|stay\w*|spent|back|away|come|returns?"
    r"|off)\b[^.!?]{0,40} |^)(?:for|in|since|after|the (?:last|past|next)) (?:about )?(?:an?"
    r"|\d{1,2}|one|two|three|four|five|six|a few|several) (?:days?|weeks?|months?"
    r"|hours?)\b(?! (?:per|each|a|for each|every)\b)"
)
"""Says why somebody will not play, or not yet; or how long they are away."""
_TIMED = late(
    r"(?i)\d|\b(?:days?|hours?|weeks?|months?|minutes?|un(?:timed|limited)|without|fischer|canadian"
    r"|byo.*|no (?:clock|time|deadline)\w*)\b"
)
"""A time of which is said how long it is, or that there is none."""


def _readable(line: str) -> bool:
    try:
        return bool(read_terms(line))
    except Refusal:
        return False
