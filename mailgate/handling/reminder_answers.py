"""Answers to a reminder of ours: what is said of it is for us, as no opponent has written it.

Raises `Unreadable` alone.
"""

from __future__ import annotations

from godaemon.errors import Unreadable
from godaemon.games.notices import Kind
from mailgate.address import clean_quote
from mailgate.handling.context import LetterContext
from mailgate.language.parser import ParsedText
from mailgate.language.written_moves import normalize
from mailgate.late_patterns import late

_OF_IT = late(
    r"\b(?:remind\w*|nag\w*|bother\w*|pester\w*|urg(?:e|ing)|push(?:y|ing)|warn\w*|stop|end"
    r"|still here|more (?:days?|hours?|time)|days? more|extra (?:days?|time)|exten(?:d\w*|sion)"
    r"|grace|wrong time|i know|time (?:is|was|runs?|ran)|erinnerung\w*|erinner\w*|rappel\w*"
    r"|recordatorio|promemoria|herinner\w*|lembrete)\b|催促"
)
"""What people say of a reminder."""
_TO_YOU = late(r"\b(?:you|your|you're|du|dein\w*|ihr|tu|ton|ta|te|ti|vous|usted|je|jij|jullie)\b")


def keep_from_opponent(context: LetterContext, text: ParsedText, name: str) -> None:
    """Raise for mere words that answer a reminder and speak of it, and not to one of that name."""
    words = normalize(text.message[:400])
    spoken = name and name.casefold().partition(" ")[0] in words.split()
    asks = "?" in text.message and not _TO_YOU.search(words)
    if text.commands or spoken or not (asks or _OF_IT.search(words)) or not _answers_one(context):
        return
    raise Unreadable(
        f"“{clean_quote(text.message)}” seems to be about my reminder, so I have told nobody."
        " Whoever's time runs out loses the game. While you are away, `vacation 2 weeks` stops your"
        " clocks; which emails you get: `settings`",
        hints=("vacation 2 weeks", "settings"),
    )


def _answers_one(context: LetterContext) -> bool:
    notices = map(context.sent, context.letter.references[:1])
    return any(notice is not None and notice.kind is Kind.REMINDER for notice in notices)
