"""Settings that somebody asks for in a sentence, as one writes them: `timezone Madrid`.

Pure; raises nothing. They are offered as a line to send, and never set: what else such a sentence
says is not understood.
"""

from __future__ import annotations

import re

from mailgate.language.reserved_words import ADDRESS
from mailgate.language.talk import LONGEST
from mailgate.language.written_moves import normalize
from mailgate.late_patterns import late

_ASKED = late(
    r"\b(?:please|pls|bitte|(?:can|could|will) (?:you|i|we)|would you(?! like)|may i"
    r"|i(?:'d| would)? (?:like|want|need|prefer)|let me|rather|instead|show|use|set|change|switch"
    r"|(?:do not|don't|no|only) (?:need|want|more)|stop"
    r"|send(?:ing)?|write|only|call me|from now on|not (?:utc|gmt)|time ?zone|digest at)\b"
)
"""What is asked for, and not only told."""
_PLACE = r"(?P<place>[A-Z][\w/+-]*(?: [A-Z][\w-]*){0,2})"
_ZONES = (
    rf"\b(?i:time ?zone)(?: (?i:is|to|of|as|for|in|on|should be|at))*:? {_PLACE}",
    rf"{_PLACE} (?i:time(?: ?zone)?)\b",
    rf"\b(?i:set me to) {_PLACE}",
    rf"\b(?i:times?|hours?|clocks?|deadlines?)\b.*\b(?i:in|for|of|at) {_PLACE}",
    rf"\b(?i:in|for|of|at) {_PLACE}.*\b(?i:times?|hours?|clocks?)\b",
)
_NO_PLACE = late(
    r"(?:Please|Can|Could|Would|Will|Show|Use|Set|Send|The|My|Your|Our|This|That|Next|Last|What|Is"
    r"|It|I|No|First|Long|Real|Good|Great|Nice|Some|Any|Every|All|Black|White|Go|Local|Own|PS"
    r"|P|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May"
    r"|June|July|August|September|October|November|December)(?: |$)|UTC$|GMT$"
)
_DAILY = late(
    r"\b(?:once|one|only one|1)\b.{0,20}\b(?:a|per|each|every) (?:day|evening|morning|night)\b"
    r"|\bonce daily\b|\bdaily (?:e-?mail|digest|summary)\b|\bdigest at\b"
)
_LETTERS = late(r"\b(?:e-?mails?|mails?|letters?|messages|write|writing|digest|notifications?)\b")
_MY_TURN = late(
    r"^(?!(?:i|you) (?:only|just|always) (?:write|mail|reply|answer)\b).*\b(?:only"
    r"|just)\b.{0,99}\b(?:when|if|on) (?:it(?:'s| is) )?(?:\w+ )?my (?:turn|move|go)\b|(?:n't|\bnot"
    r"|\bno)\b.{0,99}\b(?:till|until|unless|before) it(?:'s| is) (?:\w+ )?my (?:turn|move|go)\b"
    r"|(?:n't|\bnot|\bno|\bstop)\b.{0,99}\b(?:when|while|if) it(?:'s not| is not"
    r"| isn't) (?:\w+ )?my (?:turn|move|go)\b"
)
_NAME = late(
    r"(?:\b(?i:call me|change my name to)|\b(?i:my name is) (?:spelt|spelled|written))"
    r" (?P<name>[^\W\d_a-z][\w'’-]*(?: [^\W\d_a-z][\w'’-]*)?)"
)
_HOUR = late(
    r"\b(?:at|around|about|by) (?P<hour>\d{1,2})(?:[:.h](?P<minute>\d\d))?(?: ?o'?clock)?"
    r"(?: ?(?P<half>am|pm|a\.m|p\.m|in the (?:morning|afternoon|evening)|at night))?"
)
_AT_ONCE = late(
    r"\b(?:at once|immediately|right away|straight ?away|as (?:they|it) (?:come|happen)s?"
    r"|(?<!for )every (?:single )?(?:e-?mail|one|move)|all (?:of )?(?:the |my |your )?(?:e-?mails"
    r"|messages)|(?<!for )each move)\b|\bnot (?:only |just )?once a day\b"
)
_NO_RECEIPTS = late(
    r"\b(?:no|not|don't|stop|without)\b(?: \w+){0,4} (?:receipts?|confirmations?|acknowledge?ments?"
    r"|(?:confirm|acknowledg)(?:e|ing)? (?:all |each of )?my moves?)\b"
)


def settings_in(line: str) -> tuple[str, ...]:
    """The lines that set what a sentence asks for; none where it asks for nothing of this kind.

    >>> settings_in("Can you write me only once a day please, at 8 in the evening, Madrid time?")
    ('digest at 20', 'timezone Madrid')
    >>> settings_in("It is 3 am here in Madrid."), settings_in("I play once a day, at 8.")
    ((), ())
    """
    plain = normalize(line[:LONGEST])
    if not _ASKED.search(plain):
        return ()
    named = _NAME.search(line[:LONGEST])
    name = f"name {named['name']}" if named else ""
    receipts = "receipts off" if _NO_RECEIPTS.search(plain) else ""
    zone, inviter = _of_a_zone(line[:LONGEST]), _of_an_inviter(line[:LONGEST])
    return tuple(filter(None, (_of_letters(plain), receipts, zone, name, inviter)))


def _of_an_inviter(line: str) -> str:
    """Whose invitations are not wanted any more, by their address."""
    found = ADDRESS.search(line) if _UNWANTED.search(line) else None
    return f"block {found[0]}" if found else ""


_UNWANTED = late(
    r"(?i)\b(?:(?:keeps?|won't stop|always) (?:on )?(?:inviting|sending (?:me )?invitations?)"
    r"|(?:no more|don't want any|stop(?: the| his| her)?) invitations? from)\b"
)


def _of_letters(plain: str) -> str:
    """How often emails come: all at once, or once a day."""
    if not _LETTERS.search(plain) or " game" in plain:  # those of one game are set in its emails
        return ""
    if _MY_TURN.search(plain):
        return "emails my-turn everywhere"
    if _AT_ONCE.search(plain):
        return "emails all everywhere"
    return f"digest{_hour(plain)}" if _DAILY.search(plain) else ""


def _hour(plain: str) -> str:
    found = _HOUR.search(plain)
    hour = int(found["hour"]) if found else 24
    if found is None or hour >= 24 or int(found["minute"] or 0) >= 60:
        return ""
    half = found["half"] or ""
    if 1 <= hour <= 12 and half:
        late = half.startswith("p") or "noon" in half or "evening" in half
        hour = hour % 12 + 12 * (late or ("night" in half and 5 <= hour < 12))
    minute = f":{found['minute']}" if found["minute"] not in (None, "00") else ""
    return f" at {hour}{minute}"


def _of_a_zone(line: str) -> str:
    """The place whose time is asked for."""
    found = (one for form in _ZONES for one in re.finditer(form, line))
    places = (_WORD.sub("", one["place"]) for one in found)
    return next((f"timezone {one}" for one in places if one and not _NO_PLACE.match(one)), "")


_WORD = late(r"^(?:(?:Please|And|In|Use|Show|Set|The|My) )+")
