"""Words about the opponent, which their writer means for us and not for the opponent's eyes.

Whoever is spoken of by their name, or as the opponent, is not spoken to. (`He` may be anybody of
whom the two have written.) Pure; raises nothing.
"""

from __future__ import annotations

import re

from mailgate.language.written_moves import normalize
from mailgate.late_patterns import late

_MOST = 40
"""Words: who writes more tells a story, in which others occur."""
_TO_THEM = late(r"\b(?<!can )(?<!could )(?<!would )(?<!will )(?:you|your|you're|yours|u|ur)\b")
_OPPONENT = late(
    r"\b(?:my opponent (?:is|has|keeps|never|always|won't|does|doesn't|refuses|takes)\b"
    r"|(?:is|has|does|will) my opponent\b|this opponent\b|the other player\b"
    r"|(?:with|from|by) this (?:person|player|user)\b)"
    r"|^(?:i (?:think|feel|believe) )?th(?:is|at) (?:person|player|guy|user) (?:is|has|keeps|never"
    r"|always|won't|does)\b"
)
_OF_THEM = late(
    r"\b(?:hide|mute|delete|ignore|forward(?:ing)?|show me|stop (?:showing|sending|passing)"
    r"|(?:don't|do not|never) (?:let|show|send|forward|pass|want to (?:see|read|hear|get)))\b.*"
    r"\b(?:him|his|her|he|she)\b"
)
"""What is to be done about them is for us to do."""
_BEFORE = r"\b(?:with|from|about|than|against|by|is|was|does|did|has|rank|when|why|what|block) "
_BEHIND = (
    r"(?:'s|'ll)? (?:is|was|has|had|keeps?|does|did|doesn't|didn't|isn't|won't|will|can't|cannot"
    r"|never|always|takes?|plays?|wrote|writes|says|said|sends?|sent|stopped|stalls?|should|must)\b"
)


def is_about(message: str, name: str) -> bool:
    """Whether all of a message is about somebody of that name, to whom it would be passed on.

    >>> is_about("Bob is stalling", "Bob"), is_about("Hi Bob, well played", "Bob")
    (True, False)
    """
    plain = normalize(message[:400])
    if len(plain.split()) > _MOST or _TO_THEM.search(plain):
        return False
    if _OPPONENT.search(plain) or _OF_THEM.search(plain):
        return True
    called = name.partition(" ")[0]
    first = f"(?:{re.escape(called)}|{re.escape(called.capitalize())})"
    third = rf"{_BEFORE}{first}\b(?!,|'s )|\b{first}{_BEHIND}"
    return len(called) > 1 and re.search(third, message) is not None


def is_unwanted(message: str) -> bool:
    """Whether words about somebody are from a writer who would rather have nothing from them."""
    return _UNWANTED.search(normalize(message[:400])) is not None


_UNWANTED = late(
    r"\b(?:(?:don't|do not|never|not|no more|stop)\b.*\b(?:invite|pair|play|write|message|show|read"
    r"|forward|send|pass)|hide|mute|ignore|rude|annoy\w*|uncomfortable|creep\w*|jerk|idiot|mean"
    r"|harass\w*|insult\w*|bother\w*)"
)
