"""Moves told by their place or as a telephone writes them down, anywhere in a sentence.

Pure; raises nothing. Such words are never obeyed: they tell which points to offer, and that nobody
but us is meant, where their writer is to move and names no point.
"""

from __future__ import annotations

import re
from contextlib import suppress

from godaemon.errors import Unreadable
from godaemon.rules.points import Point, Size, parse_point
from mailgate.language.near_moves import dictated, of_a_column, of_a_corner, of_the_middle
from mailgate.late_patterns import late
from mailgate.word_sets import words_of

_ABROAD = {
    "右上": " upper right ",
    "左上": " upper left ",
    "右下": " lower right ",
    "左下": " lower left ",
    "三々": " san-san ",
    "三三": " san-san ",
    "小目": " komoku ",
    "星": " hoshi ",
    "隅": " corner ",
    "角": " corner ",
    "우상": " upper right ",
    "좌상": " upper left ",
    "우하": " lower right ",
    "좌하": " lower left ",
    "삼삼": " san-san ",
    "소목": " komoku ",
    "화점": " hoshi ",
}
"""Places in scripts that set no blanks between words."""
_NAMED = late(
    r"\b(?:star[ -]?points?|hoshi|komoku|san-?san|takamoku|mokuhazushi|tengen|sternpunkt|[345][-/ ]"
    r"[345](?: points?)?(?![-/\d]))\b"
)
_PART = late(
    r"\b(?:corners?|sides?|edges?|cent(?:re|er)|middle|quarters?|ecken?|rand|mitte|seite|coins?"
    r"|bords?|milieu|centre|esquinas?|lado|centro|angol[oi]|lato|hoek|midden|canto)\b(?! of"
    r" (?!(?:the|my|this)"
    r" board\b))"
)
_WHERE = late(
    r"\b(?:upper|lower|top|bottom|left|right|empty|open|free|untouched|last|other|opposite|north"
    r"|south|east|west|very|exact|dead|links|rechts|linke[nrs]?|rechte[nrs]?|obere[nrs]?"
    r"|untere[nrs]?|oben|unten|leere[nrs]?|freie[nrs]?|gauche|droite|haut|bas|vide|libre"
    r"|izquierd[oa]|derech[oa]|superior|inferior|arriba|abajo|vac[ií][oa]|sinistr[oa]|destr[oa]"
    r"|alto|basso|vuot[oa]|boven|onder|lege|vrije|esquerd[oa]|direit[oa]|cima|baixo|livre"
    r"|vazi[oa])\b"
)
_BESIDE = late(
    r"\b(?:left|right|above|below|beneath|under|beside|next to|between|adjacent|touching"
    r"|diagonal\w*|links|rechts|über|unter|neben|zwischen|gauche|droite|dessus|dessous|entre"
    r"|izquierda|derecha|encima|debajo)\b.{0,99}\b(?:stones?|(?:last|first|latest) move|steine?n?"
    r"|pierres?|piedras?)\b"
)
_MIRRORED = late(
    r"\b(?:mirror(?:ed)?|symmetrical\w*|gespiegelt|en miroir|reflejad[oa])\b.{0,99}\b(?:stone|move"
    r"|place|top|bottom|left|right|stein|pierre|piedra)\b|\b(?:stone|move|place)\b.{0,99}\bmirrored\b"
)
_YOUR_STONE = late(
    r"\b(?:your|dein\w*|ta|tes|tu|tus|tua?|tuoi|jouw|je) (?:(?:last|first|lone|black|white|two|both"
    r"|beiden|letzten|deux|dernière|dos|última|due|twee) )*(?:stone|move|group|stein|pierre|piedra"
    r"|pietr|steen|sten)\w*"
)
_SPOKEN_OF = late(
    r"\b(?:you|your|yours|you're|you've|was|were|had|did|didn't|looks?|looked|seems?|seemed"
    r"|feels?|took|got|lost|won|mine|dead|alive|secure|settled|huge|big|small|beautiful|nice|lovely"
    r"|du|dein\w*|war|tu|ton|ta|votre|était|usted|era|estaba|jij|jouw|jou|tua?|seu|sua)\b"
    r"|\b(?:is|are|ist|sind|est|sont|es|está)\b(?! (?:where|the|my|to|on|at|in)\b)"
)
"""Words about a place that is looked at, and not where somebody moves."""


_STEP = late(
    r"\b(?P<side>left|right|above|below|beneath|under|over|on top|north|south|east|west|links"
    r"|rechts|über|unter|gauche|droite|dessus|dessous|izquierda|derecha|encima|debajo|arriba"
    r"|abajo)(?: (?:of|from|to|von|de|du|del|side|side of))*(?: (?!and\b|or\b"
    r"|then\b)[^\W\d_]+){0,3} (?:(?:at|on|auf|en) )?(?P<point>[a-hj-t]\d{1,2})\b"
)
_STEPS = {
    (-1, 0): words_of("left west links gauche izquierda"),
    (1, 0): words_of("right east rechts droite derecha"),
    (0, 1): words_of("above over north über dessus encima arriba") | {"on top"},
    (0, -1): words_of("below beneath under south unter dessous debajo abajo"),
}


def _beside(words: str, size: Size) -> tuple[str, ...]:
    """The point beside one that is named: `just to the left of his stone at D4`."""
    found = _STEP.search(words)
    if found is None:
        return ()
    (column, row) = next(step for step, names in _STEPS.items() if found["side"] in names)
    with suppress(Unreadable):
        at = parse_point(found["point"])
        meant = Point(at.column + column, at.row + row)
        return (str(meant),) if size.has(meant) else ()
    return ()


def told_places(words: str, size: Size) -> tuple[str, ...] | None:
    """The points that a place told in some normalized words may be; None where none is told.

    >>> told_places("i'll take the star point top left", Size(19, 19))
    ('D16',)
    >>> told_places("dee sixteen thank you", Size(19, 19)), told_places("nice corner", Size(9, 9))
    (('D16',), None)
    """
    if said := dictated(words):
        return said
    told = (_place(one, size) for one in re.split(r"[.!?。！？]+", words))
    return next((one for one in told if one is not None), None)


def _place(words: str, size: Size) -> tuple[str, ...] | None:
    for written, plain in _ABROAD.items():
        words = words.replace(written, plain)
    if _SPOKEN_OF.search(_YOUR_STONE.sub("it", words)):
        return None
    if _NAMED.search(words) and (said := of_a_corner(words, size)):
        return said
    if said := of_a_column(words, size) or _beside(words, size) or of_the_middle(words, size):
        return said
    if _NAMED.search(words):
        return ()
    place = (_PART.search(words) and _WHERE.search(words)) or _BESIDE.search(words)
    place = place or _MIRRORED.search(words)
    return () if place else None
