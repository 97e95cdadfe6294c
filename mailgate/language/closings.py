"""Closings: `With kind regards, Sam Whitfield` below a command, which is no message to anybody.

Pure; raises nothing. With other words above it a closing belongs to them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from godaemon.errors import Refusal
from godaemon.games import commands as cmd
from mailgate.language.parser import is_whole_command, parse_text
from mailgate.language.talk import is_greeting, told
from mailgate.late_patterns import late

_KIND = (
    r"(?:(?:with )?(?:(?:all|many|my|our|the|very|best|kind|kindest|warm|warmest|friendly"
    r"|sincere|good) )*(?:regards|wishes|greetings)|all the best|best|rgds|br"
    r"|(?:yours )?(?:ever|sincerely|truly|faithfully|respectfully)(?: yours)?|yours|take care"
    r"|(?:many |with |my )*(?:cheers|love)"
    r"|lg|vg|mfg|(?:mit )?(?:(?:vielen?|liebe[nr]?|beste[nr]?|schöne[nr]?|herzliche[nr]?"
    r"|freundliche[nr]?|sonnige[nr]?) )+(?:grüssen?|gruss)|grüsse|gruss|hochachtungsvoll"
    r"|bises|amitiés|amicalement|(?:bien )?(?:cordialement|à (?:vous|toi))"
    r"|(?:un )?(?:saludos?|abrazo|cordial saludo)|atentamente"
    r"|(?:cordiali |distinti )?saluti|(?:met )?(?:vriendelijke |hartelijke )?groet(?:en|jes)?"
    r"|abraços|(?:com os )?(?:melhores )?cumprimentos|pozdrawiam"
    r"|(?:med )?(?:vänliga |bästa )?hälsning(?:ar)?|(?:с )?уважением)"
)
_THANKS = (
    r"(?:(?:many |with |my )*(?:thanks|thank you|thx)(?: (?:again|in advance|a lot|so much|very"
    r" much|and goodbye))?|(?:vielen |herzlichen |besten )?dank|danke|merci|gracias|grazie|bedankt"
    r"|obrigad[oa]|dzięki|спасибо)"
)
_ANY = f"(?:{_THANKS}|{_KIND})"
_CLOSING = late(rf"{_ANY}(?:(?: and| und| et| y| e|[ ,.!;:–-])+{_ANY})*(?!\w)")
_LINES = 3
"""So many lines a closing has at most, the names with it."""


def without_closing(lines: Sequence[str], names: Collection[str]) -> tuple[str, ...]:
    """A letter without the closing below its commands; `names` are those of its writer.

    >>> without_closing(["show", "", "With kind regards,", "Sam Whitfield"], ["Sam Whitfield"])
    ('show',)
    >>> without_closing(["D4", "Sam"], ["Sam"]), without_closing(["D4", "Nice! Sam"], ["Sam"])
    (('D4',), ('D4', 'Nice! Sam'))
    """
    said = [at for at, line in enumerate(lines) if line.strip()]
    for many in range(min(_LINES, len(said) - 1), 0, -1):
        above = [lines[at] for at in said[:-many]]
        if closes(" ".join(lines[said[-many] :]), names) and all(map(_no_words, above)):
            return tuple(lines[: said[-many - 1] + 1])
    return tuple(lines)


def without_names(lines: Sequence[str], name: str) -> tuple[str, ...]:
    """A letter without the closing below its words: `Best,` and the name of its writer."""
    said = [at for at, line in enumerate(lines) if line.strip()]
    for at in said[1:][-_LINES:]:
        if only_closes(" ".join(lines[at:]), name):
            return tuple(lines[:at])
    return tuple(lines)


def closes(text: str, names: Collection[str]) -> bool:
    """True for words that are a closing, with or without a name of their writer, or the name."""
    if re.match(_THANKS, text.casefold()) and "!" in text:  # said to somebody
        return False
    plain = " ".join(text.casefold().split()).strip(" .,!-–—~*_")
    closing = _CLOSING.match(plain)
    rest = re.findall(r"[\w'’]+", plain[closing.end() :] if closing else plain)
    own = {part for name in names for part in re.findall(r"[\w'’]+", name.casefold())}
    initials = {part[0] for part in own}
    signed = bool(own & {*rest}) and len(rest) <= len(own) + 1 if closing else {*rest} <= own
    return bool(closing or rest) and (not rest or signed or {*rest} <= initials)


def only_closes(words: str, name: str) -> bool:
    """True for a letter that is a closing and nothing else; a thank-you is a message by itself.

    >>> only_closes("Kind regards, Sam", "Sam"), only_closes("Thanks! Sam", "Sam")
    (True, False)
    >>> only_closes("\U0001f44d", "Sam")
    False
    """
    said = any(map(str.isalnum, words))  # a picture alone is a message too
    return said and closes(words, [name]) and not re.match(_THANKS, words.casefold())


def _no_words(line: str) -> bool:
    """True for a line above a closing that has no words of which that is the end."""
    if is_greeting(line):
        return True
    if not is_whole_command(line):
        found = told(line)
        return found is not None and not found.words
    try:
        return not any(isinstance(one.command, cmd.Say) for one in parse_text([line]).commands)
    except Refusal:
        return False
