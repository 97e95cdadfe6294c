"""A yes or a no in people's words, read only where our letter asked for one.

Pure; raises nothing. Each statement is for it, against it, or neither; a yes with any doubt in the
letter, and a no that is only half one, are neither: then both are offered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from godaemon.games import commands as cmd
from mailgate.language.talk import LONGEST, Statement, is_greeting, statements, vertices
from mailgate.language.verb_table import LINES

_LINES = 6
"""So many lines from the top are looked at: below are names and closings."""

_FOR = re.compile(
    r"(?:oh |hi |hello |ah |well |but )*(?:"
    r"(?:yes|yep|yeah|yup|yea|aye|sure|okay|ok|okey|okie dokie|certainly|absolutely|definitely"
    r"|agreed"
    r"|gladly|happily|naturally|right|correct|exactly|indeed|ja|jawohl|oui|si|sí|sì|sim|da|tak)"
    r"(?: (?:yes|sure|please|of course|it (?:was|is)|that(?:'s| was| is)|i (?:did|do|will|am|would)"
    r"|this (?:was|is)|thanks?|thank you|me|mine|gern|gerne|bitte|thing|absolutely|let's).*)?"
    r"|(?:of|off) course.*|with (?:great |the greatest )?pleasure.*|my pleasure|by all means"
    r"|(?:i'd|i would|we'd) (?:love|like|be (?:very |so )?(?:happy|glad|delighted|honou?red)).*"
    r"|(?:would )?love to.*|let's (?:play(?! again)|go|do (?:it|this)|start|begin"
    r"|have a game).*|why not"
    r"|count me in|i'm in|i am in|i'm (?:up for it|game|ready|happy to)|game on|bring it on"
    r"|you're on"
    r"|(?:that )?sounds (?:good|great|like fun|lovely|wonderful|fine|perfect)|(?:great|good) idea"
    r"|(?:yes )?(?:it|that|this) (?:was|is) (?:me|mine|i|from me|my (?:own )?(?:address|mail"
    r"|email))"
    r".*|(?:i )?(?:accept|confirm)(?:ed)?(?: (?:it|this|the|your|that|with)\b.*)?"
    r"|challenge accepted"
    r"|i did(?: (?:it|write|send|ask).*)?|happy to(?: play.*)?|(?:be )?glad to.*|i'?ll (?:play"
    r"|accept).*"
    r"|(?:please )?(?:do (?:so|it|that)|go ahead|start(?: the game)?|begin)|looking forward to .*"
    r"|einverstanden|gerne?|sehr gerne?|natürlich|klar|na klar|selbstverständlich|abgemacht"
    r"|avec (?:grand )?plaisir|bien sûr|volontiers|d'accord|con (?:mucho )?gusto|por supuesto|claro"
    r"|vale|volentieri|certo|con piacere|com prazer|claro que sim|graag|natuurlijk|prima|leuk"
    r"|gärna|chętnie|конечно|с удовольствием|давай|давайте|喜んで|もちろん|お願いします|没问题"
    r"|可以|当然"
    r"|来吧|물론|좋습니다"
    r")"
)
_AGAINST = re.compile(
    r"(?:oh |hi |hello |ah |well |sorry |thanks but |but |i'm afraid )*(?:"
    r"(?:no|nope|nah|never|nein|non|nee|nej|nie|não)(?: (?:no|thanks?|thank you|sorry|way|i|not|it"
    r"|that|danke|merci|bedankt|gracias|grazie).*)?"
    r"|(?:not (?:now|today|interested|me|for me|this time|at the moment|really)).*"
    r"|i(?:'m| am) (?:not (?:interested|playing|going to|able to)|too busy|busy|sorry).*"
    r"|i (?:can't|cannot|can not|won't)(?: (?:play|accept|make it|join|now|right now|do (?:it"
    r"|that)))?"
    r"|i (?:don't|do not) (?:want|wish|play|like|have (?:the )?time|know (?:you|him|her|them"
    r"|this)).*"
    r"|i (?:didn't|did not|never) (?:ask|write|send|want|request|propose|do) .*|i have no (?:time"
    r"|interest).*|i (?:must |have to )?(?:decline|refuse)(?: .*)?|i(?:'d| would) rather not.*"
    r"|rather not.*|(?:it|that|this) (?:wasn't|was not) (?:me|mine|i|from me|my).*"
    r"|(?:decline|reject|refuse)(?: (?:it|this|the|your|that)\b.*)?|no time.*|unfortunately.*"
    r"|leave me alone|leider .*|kein interesse|pas maintenant|malheureusement.*|désolé.*"
    r"|lo siento.*"
    r")"
)
_DOUBT = re.compile(
    r"\b(?:but|if|maybe|perhaps|later|only|instead|unless|except|rather|wait|tomorrow|next|first"
    r"|aber|oder|falls|wenn|mais|si tu|pero|ma se|however|although|though|or|not sure|before)\b"
)


def read_consent(lines: Sequence[str]) -> bool | None:
    """True for a yes, False for a no, None for all that is neither or both.

    >>> read_consent(["Hi Alice,", "", "Sure, let's play! Bo"])
    True
    >>> read_consent(["Sorry, no."]), read_consent(["Yes, but not on 19x19"])
    (False, None)
    """
    said = [line for line in lines if line.strip()]
    if said and is_greeting(said[0]):
        said = said[1:]
    parts = [one for line in said[:_LINES] for one in statements(line[:LONGEST])]
    votes = [vote for one in parts if (vote := _vote(one)) is not None]
    if not votes or len(set(votes)) > 1 or any(one.asks for one in parts):
        return None
    if any(_OTHER.search(one.text) or vertices(one.text) for one in parts):
        return None
    yes = votes[0]
    doubted = any(_DOUBT.search(one.text) for one in parts)
    first = next(index for index, one in enumerate(parts) if _vote(one) is not None)
    if yes and (doubted or first > _LATE):
        return None
    return yes


_OTHER = re.compile(
    r"@|\b(?:pass|resign|resume|undo|dead|alive|scores?|count(?! me)|komi|agree with"
    r"|done (?:thinking"
    r"|with))\b"
)
"""Words about a game that goes on, which a yes or a no to something else may hold."""
_LATE = 3
"""A yes that comes after so many other statements may be about something else."""


def _vote(statement: Statement) -> bool | None:
    """True for a statement that is a yes, False for a no."""
    text = statement.text
    entry = LINES.get(text)
    command = entry.read("") if entry is not None else None
    if isinstance(command, cmd.Yes):
        return True
    if isinstance(command, cmd.No) or _AGAINST.fullmatch(text):
        return False
    return True if _FOR.fullmatch(text) else None
