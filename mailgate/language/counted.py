"""Sentences about a count: which stones people call dead or alive, and that they agree to it.

Pure; raises nothing. Nothing is marked by it: it makes the lines that would be, to be offered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mailgate.language.talk import LONGEST, is_greeting, statements, vertices
from mailgate.late_patterns import late

_LINES = 6
"""So many lines from the top are looked at: below are names and closings."""
_DEAD = r"dead|captured|gone|killed|lost|prisoners?|die[sd]?|tot|mort(?:e?s)?"
_ALIVE = r"alive|live[sd]?|living|survive[sd]?|safe|lebt|leben|vivant(?:e?s)?"
_WORD = late(rf"(?P<dead>\b(?:{_DEAD})\b)|(?P<alive>\b(?:{_ALIVE})\b)|\b[a-z]{{1,2}}-?\d+\b")
_NOT = late(r"\b(?:not|cannot|never|hardly|far from|anything but|nicht|kein|pas)\b|n't\b")
_WONDERS = late(r"(?:(?:but|and|so) )*(?:how|why|since when)\b")
"""`How can G4 be dead?` says that it is not."""
_ASKS = late(r"\w+n't\b")
_DENIED = late(
    r"(?:but |oh |certainly |absolutely )*(?:no|nope|never|no way|not at all|nonsense)\b.*"
)
"""What one says to a question of one's own: `F6 dead? No way!`."""
"""`isn't B2 dead?` asks for a yes."""
_EITHER = late(rf"\b(?:{_DEAD}|{_ALIVE}) or (?:not )?(?:{_DEAD}|{_ALIVE})\b")
_AND = r"(?:and|und|et|y|e)"
_LIST = late(rf"(?i)\b[a-t]-?\d{{1,2}}\b(?:(?:, ?(?:{_AND} )?| {_AND} )[a-t]-?\d{{1,2}}\b)+")
"""Points one after the other, with commas or without."""
_CLAUSE = late(rf"(?i)[.!?;,]|\b(?:but|aber|mais|{_AND})\b")
_STATE = late(rf"(?i)\b(?:{_DEAD}|{_ALIVE})\b")
_TOO = late(r"\b(?:too|also|as well|likewise|same|so (?:is|are|does|do))\b")


def marks_said(lines: Sequence[str]) -> dict[str, bool | None]:
    """The points that people name, each with True for dead, False for alive, None where unsaid.

    >>> marks_said(["The group at B2 is dead, I'd say. My H7 lives of course"])
    {'B2': True, 'H7': False}
    >>> marks_said(["I disagree about H7!"]), marks_said(["I don't think C3 and D4 are dead"])
    ({'H7': None}, {'C3': False, 'D4': False})
    """
    found: dict[str, bool | None] = {}
    last: bool | None = None
    asked: dict[str, bool | None] = {}
    for line in lines[:_LINES]:
        for one in statements(_LIST.sub(_together, line[:LONGEST])):
            if asked and _DENIED.fullmatch(one.text):
                found |= dict.fromkeys(asked, False)
            said = _said(one.text, asks=one.asks, before=last if _TOO.search(one.text) else None)
            last = next((dead for dead in reversed(said.values()) if dead is not None), last)
            found |= {name: dead for name, dead in said.items() if dead is not None}
            found |= {name: None for name in said if name not in found}
            asked = said if one.asks else {}
    return found


def _together(points: re.Match[str]) -> str:
    """A list of points without the commas at which a sentence is cut.

    Where a word stands before the list and one behind it (`dead are B2, C3, H7 lives`) the second
    is about what follows the last comma.
    """
    before = _CLAUSE.split(points.string[: points.start()])[-1]
    behind = _CLAUSE.split(points.string[points.end() :])[0]
    first, comma, last = points[0].rpartition(",")
    if comma and _STATE.search(before) and _STATE.search(behind):
        return first.replace(",", " and ") + comma + last
    return points[0].replace(",", " and ")


def all_live(lines: Sequence[str]) -> str:
    """Whose stones all live, by some words: `all`, `mine`, `theirs`; "" for any other words.

    >>> all_live(["Hi Bo,", "I think all is alive."]), all_live(["None of my stones is dead"])
    ('all', 'mine')
    >>> all_live(["All is well"])
    ''
    """
    said = (one.text for line in lines[:_LINES] for one in statements(line[:LONGEST]))
    found = next(filter(None, map(_ALL_LIVE.fullmatch, said)), None)
    if found is None:
        return ""
    return "mine" if found["mine"] else "theirs" if found["theirs"] else "all"


_STONES = (
    r"(?: (?:of|the|these|them|(?P<mine>my|mine)|(?P<theirs>his|her|their|theirs|your|yours)))*"
    r"(?: (?:stones?|groups?|pieces))?"
)
_ALL_LIVE = late(
    r"(?:(?:no|well|i|think|believe|but|actually|that|yes|for me|in my opinion)[ ,]+)*"
    rf"(?:(?:(?:all|everything|every|(?P<no>nothing|none|no)){_STONES}"
    r"(?: (?:is|are|still|here|really|on the board))* (?(no)dead|(?:alive|living|lives?)))"
    r"|(?:there (?:is|are) )?(?:no dead (?:stones?|groups?|ones)|no one is dead)"
    r"|alive all|(?:dead(?: (?:stones?|groups?|ones))? ?[:=]? (?:there (?:is|are) )?)?none)"
    r"(?: (?:here|there|now|on the board|at all|i think|please|yet))*"
)


def _said(text: str, *, asks: bool, before: bool | None) -> dict[str, bool | None]:
    """The same of one statement; `before` is what was said last, and holds for `H7 too`."""
    found: dict[str, bool | None] = {}
    if _EITHER.search(text):
        return dict.fromkeys(map(str.upper, vertices(text)))
    open_, start = list[str](), 0
    first: bool | None = None  # `dead are B2 and C3`: the word stands before its points
    last: bool | None = None
    for word in _WORD.finditer(text):
        if not (word["dead"] or word["alive"]):
            named = [name.upper() for name in vertices(word[0])]
            found |= dict.fromkeys(named, before if first is None else first)
            open_ += named
            continue
        between = text[start : word.start()]
        no = bool(_NOT.search(between)) and not (asks and _ASKS.match(between))
        no ^= bool(asks and _WONDERS.match(text))
        dead = bool(word["dead"]) != bool(no)
        if first is not None or not found:
            first = dead
        else:
            found |= dict.fromkeys(open_ or found, dead)
        open_, start = [], word.end()
        last = dead
    if start and open_ and _TOO.search(text[start:]):
        found |= dict.fromkeys(open_, last)
    return found


_IT = (
    r"(?:it|that|this|all|everything|(?:the|this|that) (?:score|count|result|board|counting|marking"
    r"|marks?))"
)
_FINE = r"(?:all )?(?:right|correct|fine|good|okay?|perfect)"
_AGREES = late(
    r"(?:(?:yes|yep|yeah|okay?|so|and|well|now|oh|good|great|same here) )*(?:(?P<plain>i (?:fully"
    r" |quite |do |can )?(?:agree|accept|confirm)(?: (?:with|to|on))? (?:the|this"
    r"|that) (?:final )?(?:score|count|result|counting|marks?|marking)|(?:the|this|that) (?:score"
    r"|count|result) (?:is|looks|seems)"
    rf" {_FINE}|(?:i'm |i am |we're |we are |all )?done)"
    r"|i (?:fully |quite |do )?agree(?: with (?:(?:his|her|their|your|the) (?:marks?|marking|count)"
    r"|\w+))?|(?:je suis |on est |c'est )?d'accord(?: avec (?:\w+ )?\w+)?|(?:estoy "
    r"|estamos )?de acuerdo(?: con (?:\w+ )?\w+)?|(?:ich bin |wir sind |bin )?einverstanden"
    r"|(?:ik ga |ik ben )?akkoord(?: met (?:\w+ )?\w+)?|(?:sono |siamo )?d'accordo(?: con \w+)?"
    r"|(?:das |alles |so )?(?:stimmt|passt)(?: so| alles| für mich)?|(?:tout|c'est) (?:est )?(?:bon"
    r"|juste|correct)(?: pour moi)?|todo (?:está )?(?:bien|correcto)|concordo|estou de acordo|klopt"
    rf"|(?:{_IT}|score|count|result)(?:'s| is| are| looks?| seems?| sounds?) {_FINE}"
    rf"|(?:looks|sounds|seems|is|all) {_FINE}|(?:fine|okay?|good|right|agreed) (?:with|by|for) me"
    r"|(?:that|this)(?:'s| is) (?:how|what) i (?:count(?:ed)?|see|have|get|got|make|made)(?: it)?)"
    r"(?: (?:to|for|with|by) me| from here| (?:from|on) my (?:side|part|end))?(?: (?:now|then|too"
    r"|as well|please|also|indeed))*"
)


def agrees(lines: Sequence[str], *, asked: bool = False) -> bool | None:
    """True for plain words that agree to the score and nothing else, None where they seem to.

    They are plain where they name it, and where they are `asked` for it.

    >>> agrees(["That looks right to me now, I agree with the score."]), agrees(["Fine with me!"])
    (True, None)
    >>> agrees(["Fine with me!"], asked=True), agrees(["Fine with me! Bye"], asked=True)
    (True, None)
    >>> agrees(["I agree, but H7 is alive"]), agrees(["I don't agree with the score"])
    (False, False)
    """
    said = [line for line in lines if line.strip()][:_LINES]
    said = said[1:] if said and is_greeting(said[0]) else said
    parts = [one for line in said for one in statements(line[:LONGEST])]
    parts = [one for one in parts if not _THANKS.fullmatch(one.text)]
    votes = [_AGREES.fullmatch(one.text) for one in parts]
    doubted = any(one.asks or _DOUBT.search(one.text) or vertices(one.text) for one in parts)
    if doubted or not any(votes):
        return False
    plain = asked or any(vote and vote["plain"] for vote in votes)
    return True if all(votes) and plain else None


_THANKS = late(
    r"(?:and |many )*(?:thanks|thank you|thx|cheers|gg|(?:good|nice|great|lovely) game"
    r"|well played)(?: (?:for|to|again|so much|very much|a lot)\b.*)?|(?:(?:viel"
    r"|schön)en )?dank(?:e(?:schön)?)?(?: .*)?|(?:merci|(?:muchas )?gracias|grazie|bedankt|dank je"
    r"|obrigad[oa]|tack|dzięki|спасибо)(?: .*)?"
)
_DOUBT = late(
    rf"{_NOT.pattern}|\b(?:but|if|unless|except|maybe|perhaps|wait|no|though|although|however|wrong"
    rf"|disagree|until|first|{_DEAD}|{_ALIVE})\b"
)
