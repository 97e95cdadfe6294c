"""A wish to take the last move back, said in sentences: `can I take back D5? I meant E5`.

Pure; raises nothing. All of a letter must be the wish and what people say beside one (a greeting, a
sigh, what they had meant): of any other sentence it is not known what it does to the wish.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mailgate.language.talk import LONGEST, Statement, is_greeting, statements, vertices
from mailgate.language.translations import translations
from mailgate.language.wishes import OPENING, spelt_out
from mailgate.late_patterns import late

_POINT = r"[a-z]-?\d{1,2}"
_MINE = (
    r"(?:(?:my|that|this|the)(?: very)?(?: last| latest| previous)? (?:move|stone|play)"
    rf"(?: (?:at|on|to|in) {_POINT})?|my last one|(?:my )?{_POINT}|my pass)"
)
_THAT = r"(?:it|(?:that|this)(?: one)?)"
_KIND = r"(?: (?:please|kindly|perhaps|maybe|possibly|just|quickly))*"
_OPENING = rf"(?:{OPENING}(?:oops|ups|whoops|argh|ah)\b ){{0,3}}{OPENING}"
_MAY = (
    r"(?:you don't mind|you do not mind|i may|possible|you agree|(?:that|it)(?: is|'s) ok(?:ay)?)"
)
_WISH = late(
    rf"{_OPENING}(?:(?:can|could|may|might) (?:i|we)|(?:would|do) you mind(?: \w+ly)? if i"
    r"|(?:is|would) it (?:be )?(?:ok|okay|possible|all right|alright|fine) (?:if i|for me to|to)"
    r"|i(?:'d| would)(?: really| very much)? (?:like|love) to|i (?:want|need|wish) to"
    rf"|(?:would|could|can|will) you{_KIND}(?: (?:let|allow) me(?: to)?)?|(?:let|allow) me(?: to)?"
    rf"|please){_KIND} (?:(?:take|took|get|have) {_MINE} back|(?:take|took) {_THAT} back|(?:take"
    rf"|took) back (?:{_MINE}|{_THAT})|(?:undo|retract|withdraw) {_MINE}|undo {_THAT}|undo)"
    r"(?P<instead> (?:and|to|then) (?:play|go|move|put it|place it)(?: to| at| on| in)?"
    rf" (?:{_POINT}|elsewhere)(?: instead)?)?"
    rf"(?: (?:please|thanks|thank you|again|now|for me|if {_MAY}))*"
)
_MEANT = late(
    rf"{_OPENING}(?:i (?:(?:actually|really|only|had|have|of course|just) )*"
    r"(?:meant|wanted|intended|was going|mean)(?: to)?"
    r"(?: (?:play|go|put it|place it|move|write|say|type|click))?(?: to| at| on| in)?"
    r"|(?:it |that |this )?(?:should (?:have been|be)|was (?:meant|supposed|going) to (?:be"
    rf"|go)(?: at| on| to)?)|instead) {_POINT}"
    rf"(?: (?:instead|of course|(?:and )?not {_POINT}))*"
)
_SIGH = late(
    r"(?:(?:it|that|this) (?:was|is) |what )?(?:just |only |clearly )?(?:an? |my |the )?(?:silly "
    r"|stupid |bad |big )?(?:slip|typo|mistake|mis-?click|error|blunder|mouse slip|wrong (?:button"
    r"|point|line|key|move|letter|place|square|number|spot))(?: of (?:the|my) (?:mouse|fingers?"
    r"|hand|pen|keyboard))?(?: of mine)?|(?:i )?(?:must have )?(?:mis-?(?:clicked|typed|read"
    r"|counted|placed)|(?:made|make) (?:a|my) (?:silly |stupid |bad )?(?:mistake|typo|slip|error)"
    r"|(?:clicked|typed|pressed|hit|wrote|played|chose|put it on) the wrong (?:button|point|place"
    r"|line|key|letter|one|spot|square|move)|slipped)(?: (?:it|that|there|here))?|my (?:fault|bad"
    r"|mistake|apologies|mouse slipped|finger slipped)|(?:(?:i am|i'm) )?(?:so |very |really "
    r"|terribly |awfully )?sorry(?: (?:about|for) (?:that|this|the (?:trouble|mistake|bother)))?"
    r"|(?:hi|hello|hey|dear)(?: (?!no\b|not\b)[^\W\d_][\w'-]*){0,2}|(?:oh|oops|ups|whoops|argh|ah"
    r"|oh no|oh dear|dear me|excuse me|pardon(?: me)?|please"
    rf"|thanks|thank you|many thanks|thanks a lot|if {_MAY})"
)


def wishes_back(lines: Sequence[str], last: str) -> bool:
    """True where all that a letter says is that its writer would have `last`, their move, back.

    >>> wishes_back(["can I take back D5, I meant E5"], "D5"), wishes_back(["undo D5?"], "E5")
    (True, False)
    >>> wishes_back(["Could I take that back? Never mind."], "D5")
    False
    """
    found = [_wish_back(one.text, last.lower()) for one in _said(lines)]
    return True in found and False not in found


def allows_back(lines: Sequence[str]) -> bool:
    """True where all that a letter says is that the other may have their move back.

    >>> allows_back(["Ok, take it back, but only this once"]), allows_back(["I take it back"])
    (True, False)
    """
    said = _said(lines)
    allowed = [_ALLOWED.fullmatch(one.text) is not None for one in said]
    plain = all(may or _BESIDE.fullmatch(one.text) for may, one in zip(allowed, said, strict=True))
    return any(allowed) and plain and not any(one.asks for one in said)


_ALLOWED = late(
    r"(?:(?:yes|ok|okay|sure|well|then|all right|alright|never mind|go ahead(?:"
    r" and)?)[ ,]+)*(?:(?!(?:i|we|never|nobody|none|neither|who|not) )(?:\w+ )?(?:may|can) "
    r"|let (?:him|her|them) )?take (?:it|that|this|(?:your|the|that|his|her) (?:last )?(?:move"
    r"|stone)) back(?: (?:then|of course|if you (?:like|want|must|wish)|(?:but )?(?:only "
    r"|just )?this (?:once|time)))*"
)
_BESIDE = late(
    r"(?!(?:no|not|never|nein|non|wait|undo|please|maybe|perhaps|later)$)[^\W\d_]+|never mind"
    r"|no (?:problem|worries|hard feelings)|(?:all|that is|that's) (?:right|fine|ok)|of course"
    r"|(?:hi|hello|dear|sure|yes|ok|okay) (?!not\b|no\b)\w+"
    r"|(?:but )?(?:only|just) (?:this (?:once|time)|once)"
)
"""What is said beside it: a name, a kind word, that it is for once."""


def meant_instead(lines: Sequence[str], last: str) -> str:
    """The point that a letter says was meant by `last`, their move; "" where it says any more.

    >>> meant_instead(["Typo, I meant E6"], "F6"), meant_instead(["Oops, E6 not F6"], "F6")
    ('E6', '')
    """
    said = [one.text for one in _said(lines)]
    named = {point for one in said if _MEANT.fullmatch(one) for point in vertices(one)}
    plain = all(_MEANT.fullmatch(one) or _SIGH.fullmatch(one) for one in said)
    slipped = any(_SLIPPED.search(one) for one in said)
    others = named - {last.lower()}
    return others.pop().upper() if plain and slipped and len(others) == 1 else ""


def _said(lines: Sequence[str]) -> list[Statement]:
    """The statements of a short letter below its greeting; none of a long one."""
    lines = [line for line in lines if line.strip()]
    if lines[1:] and is_greeting(lines[0]):
        lines = lines[1:]
    if len(lines) > _LINES or any(len(line) > LONGEST for line in lines):
        return []
    said = (one for line in lines for one in statements(line))
    return [replace(one, text=spelt_out(one.text)) for one in said]


_SLIPPED = late(
    r"\b(?:oops|ups|whoops|argh|sorry|slip\w*|typo|mistakes?|mis-?\w+|error|blunder|wrong|oh no"
    r"|fault|bad|pardon|apologies|not)\b"
)
"""By which one knows that it is a move that was not meant, and no answer to a question."""
_LINES = 4
_ABROAD = frozenset(translations("undo"))
"""The wish in other languages, also with a mark of a question."""


def _wish_back(text: str, last: str) -> bool | None:
    """True for the wish itself, None for what is said beside one, False for all else."""
    if text.strip("¿? ") in _ABROAD:
        return True
    if (wish := _WISH.fullmatch(text)) is not None:
        instead = wish["instead"] or ""
        back = text.replace(instead, "")
        named = {*vertices(back), *(["pass"] if "my pass" in back else [])}
        return named <= {last} and last not in vertices(instead)
    if _MEANT.fullmatch(text):
        return None if len({*vertices(text)} - {last}) == 1 else False
    return None if _SIGH.fullmatch(text) else False
