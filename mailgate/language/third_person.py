"""Words about the opponent, which their writer means for us, and words that are said to them.

Whoever is spoken of by their name, or as the opponent, is not spoken to; nor is `he` or `she`,
where nobody else is there of whom the two have written. Pure; raises nothing.
"""

from __future__ import annotations

import re

from mailgate.language.written_moves import normalize
from mailgate.late_patterns import late
from mailgate.word_sets import words_of

_MOST = 40
"""Words: who writes more tells a story, in which others occur."""
_TO_THEM = late(r"\b(?<!can )(?<!could )(?<!would )(?<!will )(?:you|your|you're|yours|u|ur)\b")
_DOES = r"(?:is|has|keeps|never|always|won't|does|doesn't|refuses|takes)"
_OPPONENT = late(
    rf"\b(?:my opponent {_DOES}\b|(?:is|has|does|will) my opponent\b|this opponent\b"
    rf"|the other player {_DOES}\b|(?:with|from|by) this (?:person|player|user)\b)"
    rf"|^(?:so )?is it (?:still )?(?:him|her|his|hers)\b|^(?:i (?:think|feel|believe) )?th(?:is|at)"
    rf" (?:person|player|guy|user) {_DOES}\b"
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
    r"|has|rank|when|why|what|will|trust|block|make) "
)
_BEHIND = (
    r"(?:'s|'ll)? (?:(?:is|was)(?! (?:my|short)\b)|has|had|keeps?|does|did|doesn't|didn't|isn't"
    r"|won't|will|can't|cannot|never|always|takes?|plays?|wrote|writes|says|said|sends?|sent"
    r"|stopped|stalls?|should|must|insult\w*|cheat\w*|annoys?|annoyed|ignores?|ignored"
    r"|threaten\w*)\b"
)
_WORDS = words_of(
    "white black go stone game player the will may mark art hope joy grace guest user me you"
)
"""First words of nicknames that mean something else: then the whole of one is looked for."""


_HE = late(r"(?<!\bhe )\b(?!he[ ,]he\b)(?:he(?! who\b)|she|him|his|hers?)(?:'s|'ll|'d)?\b")
_SOMEBODY = late(
    r"(?i)\b(?:(?:grand|step|god)?-?(?:mother|father|son|daughter|child|children|kids?|parents?"
    r"|boys?|girls?|mum|mom|mama|dad|papa|ma)|brother|sister|wife|husband|uncle|aunt|cousin|niece"
    r"|nephew|gran(?:ny|dma|dpa)?|baby|friend|partner|boss|neighbou?r|teacher|doctor|nurse|vet"
    r"|colleague|club|president|king|queen|champion|professional|pro|author|singer|actor|poet|cat"
    r"|dog|horse|bird|pet|puppy|kitten|(?<!this )(?:man|woman|lady|guy|gentleman|fellow|person)"
    r"|people|everybody|everyone|nobody|somebody|someone|exam|school|class|college|university|job"
    r"|work|office|hospital|wedding|team|tournament|league|book|film|movie|song|present|court"
    r"|lawyer|police|church)s?\b"
)
"""Whom else `he` and `she` may stand for, and where they are."""
_OF_A_GAME = late(
    r"\b(?:play(?!ground)\w*|mov(?:e[ds]?|ing)|stones?|turns?|cuts?|traps?|ladders?|tricks?"
    r"|attack\w*|groups?|corner|side|weakness\w*|threat\w*|atari|ko|territory|board|game|online"
    r"|slow\w*|fast(?:er)?|ages|quick\w*|bot|robot|computer|engine|program|cheat\w*|strong\w*"
    r"|weak\w*|beat(?:s|en|ing)?|win(?:s|ning)?|won|los(?:e|es|t|ing)|luck(?:y|ily)|resign\w*"
    r"|pass(?:es|ed)?|answer\w*|repl(?:y|ies|ied)|writ(?:e|es|ing|ten)|wrote|says?|said|talk\w*"
    r"|chat\w*|thank\w*|notic\w+|sees?|seen|knows?|nice|rude|polite|friendly|annoy\w*|hates?|good"
    r"|better|bad)\b"
)
"""What people say of somebody with whom they play."""
_NAMES = late(
    r"(?<=[a-z,;:–-] )[A-Z][a-z]{2,}|\b(?!(?:He|She|It|This|That|There|What|Who|Where|When|Why|How"
    r"|And|But|So|Is|Was|Has|Did|Does|Will|Then|Now|Still|Also|Maybe|Perhaps|White|Black|Which"
    r"|Nothing|Everything|The|My|Your|His|Her)\b)[A-Z][a-z]{2,}(?= (?:is|was|has|had|says|said"
    r"|will|came|and|who)\b)"
)
"""Names in the middle of a sentence, and those that begin one."""
_NO_NAMES = words_of(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june"
    " july august september october november december christmas easter english god black white"
)


def may_name_others(words: str, name: str) -> bool:
    """Whether words speak of, or ask for, somebody who is neither their writer nor of that name.

    >>> may_name_others("My son has won!", "Bob"), may_name_others("Well played, Bob", "Bob")
    (True, False)
    """
    if _SOMEBODY.search(words) or _HE.search(normalize(words[:1_000])):
        return True
    named = {one.casefold() for one in _NAMES.findall(words)}
    return bool(named - _NO_NAMES - {*name.casefold().split()})


def is_about(message: str, name: str, heard: str = "") -> bool:
    """Whether all of a message is about somebody of that name, to whom it would be passed on.

    `heard` is what they have said last.

    >>> is_about("Bob is stalling", "Bob"), is_about("Hi Bob, well played", "Bob")
    (True, False)
    >>> is_about("He is slow!", "Bob"), is_about("He must be proud!", "Bob", "My son has won.")
    (True, False)
    """
    plain = normalize(message[:400])
    if len(plain.split()) > _MOST or _TO_THEM.search(plain):
        return False
    if _OPPONENT.search(plain) or _OF_THEM.search(plain):
        return True
    if _is_he(message, name) and not may_name_others(heard, name):
        return True
    called = name.partition(" ")[0]
    if called.casefold() in _WORDS:
        called = name if called != name else ""
    first = f"(?:{re.escape(called)}|{re.escape(called.capitalize())})"
    third = (
        rf"{_BEFORE}{first}\b(?!,|'s | short\b)|\b{first}{_BEHIND}|\b{first}'s (?:turn|move)\b"
        r"(?! (?:was|is|made|looks?|seems?)\b)"
    )
    third += rf"|\b(?:op|auf|von|de|di|sur|para|till|på|na|do|на|у|от) {first}\b(?!,)"
    return len(called) > 1 and re.search(third, message) is not None


def _is_he(message: str, name: str) -> bool:
    """Whether nobody is there for whom `he` stands, in all that a message says, but the other."""
    first, he = normalize(message), _HE.search(normalize(message[:400]))
    if he is None or _CHATTY.search(first) or not _OF_A_GAME.search(first):
        return False
    others = {one.casefold() for one in _NAMES.findall(message)} - _NO_NAMES
    return not _SOMEBODY.search(message) and not others - {*name.casefold().split()}


def is_unwanted(message: str) -> bool:
    """Whether words about somebody are from a writer who would rather have nothing from them."""
    return _UNWANTED.search(normalize(message[:400])) is not None


_UNWANTED = late(
    r"\b(?:(?:don't|do not|never|not|no more|stop)\b.{0,99}\b(?:invite|pair|play|write|message|show"
    r"|read|forward|send|pass)|hide|mute|ignore|rude|annoy\w*|uncomfortable|creep\w*|jerk|idiot"
    r"|mean|harass\w*|insult\w*|bother\w*)"
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
