"""Questions about the board: `describe`, `near D4`, `what is around Q16?`, `who is ahead?`.

Pure; raises `Unreadable` alone. They change nothing, so politeness around them is no matter.
"""

from __future__ import annotations

import re

from godaemon.errors import Unreadable
from godaemon.games.commands import AskScore, Describe, Look, Show
from mailgate.language.written_moves import points
from mailgate.late_patterns import late

_LOOKS = {"around": Look.NEAR, "chain": Look.GROUP, "liberties": Look.GROUP}
_LOOKS |= {look.value: look for look in Look}
_QUESTION = late(
    r"""
    (?:(?:please|can\ you|could\ you|would\ you),?\ ){0,4}
    (?:(?P<verb>describe|read(?:\ out)?)\ ?)?(?:to\ me\ |me\ )?
    (?:what(?:\ is|'?s)\ )?
    (?P<board>(?:(?:the|my|all|whole)\ ){0,4}
      (?:board|position|everything|all|stones|black|white)\ ?)?
    (?:(?:of\ |in\ )?(?:game\ )?\#?(?P<game>\d{1,9})\ ?)?
    (?:(?:(?:the|my|area)\ ){0,4}(?P<look>near|around|group|chain|liberties|row|column)\ )?
    (?:at\ |of\ )?
    (?P<letters>[a-z]{0,2})[ -]?(?P<digits>\d{0,2})
    (?:,?\ ?(?:please|to\ me|for\ me)){0,4}[ ?]*
    """,
    re.VERBOSE,
)


_NEARLY = late(
    r"(?:rows?|cols?|columns?)"
    r"(?: (?:\d{1,2}|[a-z]{1,2}|and|one|two|three|four|five|six|seven|eight|nine|ten))+[ ?]*"
)
"""A row or a column by what does not name one, or several at once."""


def read_question(line: str) -> Describe | None:
    """The part of the board that a normalized line asks for, or all of it; None for other lines.

    >>> read_question("what is near d4?")
    Describe(look=<Look.NEAR: 'near'>, point=Point(column=3, row=3), game=None)
    >>> read_question("near the end i was lost") is None
    True
    """
    found = _QUESTION.fullmatch(line) if len(line) <= 100 else None
    if found is None or not (found["verb"] or found["look"]):
        _refuse_nearly(line)
        return None
    game = int(found["game"]) if found["game"] else None
    letters, digits = found["letters"], found["digits"]
    if not (found["look"] or letters or digits):
        asked = found["verb"] == "describe" or found["board"] or game
        return Describe(game=game) if asked else None
    return _part(_LOOKS[found["look"] or "near"], letters, digits, game)


def _part(look: Look, letters: str, digits: str, game: int | None) -> Describe | None:
    """The part at a point, or the row or column that it names; None where it names none."""
    vertex = {Look.ROW: f"a{digits}", Look.COLUMN: f"{letters}1"}.get(look, letters + digits)
    try:
        named = points(vertex)
    except Unreadable as error:
        names = (hint[:-1] if look is Look.COLUMN else hint for hint in error.hints)
        hints = tuple(f"{look.value} {name}" for name in names)
        raise Unreadable(error.public, hints=hints) from error
    if named is None:
        _refuse_nearly(f"{look.value} {letters}{digits}")
    return Describe(look, named[0], game) if named else None


def _refuse_nearly(line: str) -> None:
    if _NEARLY.fullmatch(line[:100]):
        message = f"“{line}”: a row has a number, and a column a letter. Please ask for one a line."
        raise Unreadable(message, hints=("row 5", "column D"))


_PAST = late(
    r"(?:(?:please|and|so|can|could|would|may|you|i|we|i'd|like|want|to|let|me)[ ,]+)*"
    r"(?:(?:see|show|send|give|view|display|have|look at|go back to|take)(?: me| us)?"
    r"|(?:how|what) (?:did|does|was|were))?"
    r"(?: (?:the|this|our|what|how|it|as|board|position|game|diagram|picture|look(?:ed|s)?|like"
    r"|was|were|stood|stand))*"
    r" (?:after|at|as of|from|before|move)(?: the)?(?: move)?(?: number| no\.?)?"
    r" ?#?(?P<move>\d{1,4})"
    r"(?:[ ,]+(?:again|please|once more))*[ ?.!]*"
)


def read_past(line: str) -> Show | None:
    """The board after a move, as a normalized line asks for it; None for other lines.

    >>> read_past("can i see how the board looked after move 12?")
    Show(game=None, move=12)
    >>> read_past("i was lost after move 12") is None
    True
    """
    found = _PAST.fullmatch(line) if len(line) <= 100 and " move " in f" {line}" else None
    return Show(move=int(found["move"])) if found else None


_SCORE = late(
    r"(?:(?:so|and|hi|ok|well|please|can|could|would|you|give|send|show|tell|me|us)[ ,]+)*"
    r"(?:who(?: is|'s|s)(?: currently| now)? (?:ahead|winning|leading|in (?:front|the lead)|better)"
    r"|what(?: is|'s|s)(?: the| my)?(?: current)? (?:score|count|estimate|lead)"
    r"|how (?:am i|are we|is (?:black|white|it|the game)|do i) (?:doing|standing|going|stand)"
    r"|(?:am i|is black|is white) (?:ahead|winning|leading|behind|losing)"
    r"|(?:the |an |my )?(?:current )?(?:score|estimate)s?(?: of)?(?: the| my)?(?: score| game)?)"
    r"(?:[ ,]+(?:and )?(?:now|right now|at the moment|so far|currently|here|please"
    r"|in (?:this|the|our) game|by how (?:much|many(?: points)?)))*[ ?!]*"
)


def read_score(line: str) -> AskScore | None:
    """The wish to know how the game stands, as a normalized line; None for other lines.

    >>> read_score("who is ahead right now?"), read_score("who is your teacher?")
    (AskScore(), None)
    """
    return AskScore() if len(line) <= 100 and _SCORE.fullmatch(line) else None
