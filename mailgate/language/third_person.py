"""Words about the opponent, which their writer means for us, and words that are said to them.

Whoever is spoken of by their name, or as the opponent, is not spoken to. (`He` may be anybody of
whom the two have written.) Pure; raises nothing.
"""

from __future__ import annotations

import re

from mailgate.language.talk import words_of
from mailgate.language.written_moves import normalize
from mailgate.late_patterns import late

_MOST = 40
"""Words: who writes more tells a story, in which others occur."""
_TO_THEM = late(r"\b(?<!can )(?<!could )(?<!would )(?<!will )(?:you|your|you're|yours|u|ur)\b")
_DOES = r"(?:is|has|keeps|never|always|won't|does|doesn't|refuses|takes)"
_OPPONENT = late(
    rf"\b(?:my opponent {_DOES}\b|(?:is|has|does|will) my opponent\b|this opponent\b"
    rf"|the other player {_DOES}\b|(?:with|from|by) this (?:person|player|user)\b)"
    rf"|^(?:i (?:think|feel|believe) )?th(?:is|at) (?:person|player|guy|user) {_DOES}\b"
)
_WRITINGS = r"(?:words?|messages?|e?-?mails?|chats?|notes?|comments?|letters?|invitations?|talk)"
_OF_THEM = late(
    r"\b(?:hide|mute|delete|ignore|stop (?:show|send|pass|forward)ing|(?:don't|do not|never)"
    r" (?:show|send|forward|pass|want to (?:see|read|hear|get))|no more)\b(?: \w+){0,3}?"
    rf" (?:(?:his|her) {_WRITINGS}|what (?:he|she) (?:writes?|says?|sends?))\b"
    r"|\b(?:don't|do not|never) let (?:him|her) (?:invite|write|play|contact|message)\b"
)
"""What is to be done about them is for us to do."""
_BEFORE = (
    r"(?<!\b[Tt]his )(?<!\bI )(?<!\bname )\b(?i:with|from|about|than|against|by|is|was|does|did"
    r"|has|rank|when|why|what|will|trust|block) "
)
_BEHIND = (
    r"(?:'s|'ll)? (?:(?:is|was)(?! (?:my|short)\b)|has|had|keeps?|does|did|doesn't|didn't|isn't"
    r"|won't|will|can't|cannot|never|always|takes?|plays?|wrote|writes|says|said|sends?|sent"
    r"|stopped|stalls?|should|must)\b"
)
_WORDS = words_of(
    "white black go stone game player the will may mark art hope joy grace guest user me you"
)
"""First words of nicknames that mean something else: then the whole of one is looked for."""


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
    if called.casefold() in _WORDS:
        called = name if called != name else ""
    first = f"(?:{re.escape(called)}|{re.escape(called.capitalize())})"
    third = rf"{_BEFORE}{first}\b(?!,|'s | short\b)|\b{first}{_BEHIND}"
    return len(called) > 1 and re.search(third, message) is not None


def is_unwanted(message: str) -> bool:
    """Whether words about somebody are from a writer who would rather have nothing from them."""
    return _UNWANTED.search(normalize(message[:400])) is not None


_UNWANTED = late(
    r"\b(?:(?:don't|do not|never|not|no more|stop)\b.*\b(?:invite|pair|play|write|message|show|read"
    r"|forward|send|pass)|hide|mute|ignore|rude|annoy\w*|uncomfortable|creep\w*|jerk|idiot|mean"
    r"|harass\w*|insult\w*|bother\w*)"
)


_CHATTY = late(
    r"\b(?:thank(?:s| you)|thx|cheers|you|your|yours|nice|fun|hello|hi|hey|morning|evening|weekend"
    r"|lol|haha+|omg|wow|luck|enjoyed|danke|dank|merci|gracias|grazie|bedankt|obrigad[oa]|dzięki"
    r"|спасибо|du|dein|tu|vous|usted)\b|ありがとう|谢谢|감사"
)
"""Words that are said to another person."""


def says_to(words: str, name: str) -> bool:
    """True for words that are said to another person, of that name or of none.

    >>> says_to("thanks, another one?", "Bob"), says_to("another one, Bob?", "Bob Smith")
    (True, True)
    >>> says_to("another game please", "Bob")
    False
    """
    plain, other = normalize(words[:1_000]), name.casefold().partition(" ")[0]
    named = other and re.search(rf"\b{re.escape(other)}\b", plain)
    return bool(named or _CHATTY.search(plain))
