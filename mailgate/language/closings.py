"""Closings: `With kind regards, Sam Whitfield` below a command, which is no message to anybody.

Pure; raises nothing. With other words above it a closing belongs to them; the telephone and the
street below it belong to nobody's.
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
    r"(?:(?:with )?(?:(?:all|many|my|our|the|very|best|kind|kindest|warm|warmest|friendly|sincere"
    r"|good) ){0,5}(?:regards|wishes|greetings)|all the best|best|rgds|br|(?:yours )?(?:ever"
    r"|sincerely|truly|faithfully|respectfully)(?: yours)?|yours|take care|(?:many |with "
    r"|my )*(?:cheers|love)|lg|vg|mfg|(?:mit )?(?:(?:vielen?|liebe[nr]?|beste[nr]?|schöne[nr]?"
    r"|herzliche[nr]?|freundliche[nr]?|sonnige[nr]?) )+(?:grüssen?|gruss)|grüsse|gruss"
    r"|hochachtungsvoll|bises|amitiés|amicalement|(?:bien )?(?:cordialement|à (?:vous|toi))"
    r"|(?:un )?(?:saludos?|abrazo|cordial saludo)|atentamente|(?:cordiali |distinti )?saluti"
    r"|(?:met )?(?:vriendelijke |hartelijke )?groet(?:en|jes)?|abraços"
    r"|(?:com os )?(?:melhores )?cumprimentos|pozdrawiam|(?:med )?(?:vänliga "
    r"|bästa )?hälsning(?:ar)?|(?:с )?уважением)"
)
_THANKS = (
    r"(?:(?:many |with |my )*(?:thanks|thank you|thx)(?: (?:again|in advance|a lot|so much|very"
    r" much|and goodbye))?|(?:vielen |herzlichen |besten )?dank|danke|merci|gracias|grazie|bedankt"
    r"|obrigad[oa]|dzięki|спасибо)"
)
_ANY = f"(?:{_THANKS}|{_KIND})"
_CLOSING = late(rf"{_ANY}(?:(?: and| und| et| y| e|[ ,.!;:–-])+{_ANY})*(?!\w)")
_PARTED = late(r" ?[,;|•·] ?| [–-] ")
_TITLE = r"[A-ZÀ-ÞА-Я0-9][\w.'’&/-]*"
_TITLES = rf"{_TITLE}(?: (?:(?:of|for|and|&|de|du|der|für|und|di) )?{_TITLE}){{0,4}}"
_TITLED = late(rf"(?!(?:Good|Nice|Well|Thank|See|Have|Happy|Hope|You|I|My)\b)(?=\D){_TITLES}")
"""A name, of people, companies, places and offices, in which each word is written large."""
_PHONE = (
    r"(?:(?i:tel(?:efono?|ephone)?|fon|t[ée]l(?:éphone)?|phone|fax|m[oó]b?(?:ile|il|vil)?|cell"
    r"|handy|gsm|portable|whatsapp|office|home|work|direct|[tmpf])\.? ?:?"
    r" ?)?(?=(?:\D*\d){6})[+(\d][\d ()./–-]{5,22}(?: ?\(?(?:ext\.? ?\d+|work|home|office"
    r"|mobile)\)?)?"
)
_DATA = late(
    rf"{_PHONE}(?: {_PHONE}){{0,2}}"
    r"|(?i:(?:e-?mail|mail|e|web(?:site)?|www|url|internet|homepage|site|skype) ?: ?)?"
    r"(?:[<(]?[\w.+-]+@[\w-]+(?:\.[\w-]+)+[>)]?|(?:https?://|www\.)[\w.:-]+"
    r"|[a-z\d-]+(?:\.[a-z\d-]+)*\.(?:com|org|net|info|eu|[a-z]{2}))/?"
    r"|(?=.*[\d:]).*\b(?:HR ?[AB]|USt-?Id\S*|VAT|SIRE[NT]|RCS|KvK|BTW|CIF|NIF|P\. ?IVA|NIP|KRS|ABN"
    r"|(?i:company (?:no|number|reg\w*)|registered (?:office|in|no|number)|amtsgericht"
    r"|registergericht|handelsregister|sitz der gesellschaft|geschäftsführ\w+))\b.*"
    r"|(?:LL\.? ?[BMD]|Ph\.? ?D|M\.?A|B\.?A|[BM]\.? ?Sc|MBA|M\.?D|Esq|[JS]r|RN|CPA|Dipl\.-\w+)\.?"
    rf"|(?:{_TITLES} )?(?:Ltd|Limited|Inc|LLC|LLP|PLC|plc|GmbH|AG|KG|OHG|UG|e\. ?V|S\.?A\.?|SARL"
    r"|S\.?A\.?S|S\.?[pP]\.?A|S\.?[rR]\.?[lL]|S\.?L|B\.?V|N\.?V|Oy|AB|A/S|ApS|Pty)\.?"
    rf"|(?=.*\b(?:Director|Manager|Engineer|Developer|Consult(?:ant|ing)|Professor|Lecturer|Teacher"
    r"|Head|President|Secretary|Founder|Architect|Analyst|Editor|Officer|C[ETF]O"
    r"|Geschäftsführer(?:in)?|Leiter(?:in)?|Ing|Direct(?:eur|rice)|Responsable|Directora?|Gerente"
    r"|Direttore|Direttrice"
    rf"|Department|Dept|Institute?|Universit\w+|Abteilung|PhD|M\.?Sc)\b){_TITLES}"
)
"""A telephone, an address of the net, a company, its register, an office that somebody holds."""
_PLACE = late(
    r"(?:(?:Flat|Apt\.?|Unit|Suite) \w+ )?\d{1,5}[a-zA-Z]?(?:[-/]\d+)? "
    rf"(?:{_TITLE} ){{1,4}}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Way|Square|Sq|Court"
    r"|Place|Boulevard|Blvd|Close|Terrace|Crescent|Gardens|Park|Row|Hill|Mews|Parade|Highway)\.?"
    rf"|(?:{_TITLE} )*{_TITLE}(?<=straße|trasse|..str\.|...weg|.platz|.allee|.gasse|..ring|..ufer"
    r"|..damm|straat|..laan|.plein|gracht|.gatan|.vägen) \d{1,4} ?[a-z]?|\d{1,4}(?: (?:bis"
    r"|ter))?,? (?:rue|avenue|av\.|bd|boulevard|place|chemin|impasse|allée|quai) [^?!]{3,40}|(?:Via"
    r"|Viale|Piazza|Corso|Calle|Avda\.?|Avenida|Plaza|Rua|Av\.|Praça|ul\.|ул\.) [^,?!]{2,40},?"
    r" \d{1,4}|(?:P\.? ?O\.? ?Box|Postfach|Apartado|Postbus|BP) \d+"
    rf"|(?:[A-Z]{{1,2}}-)?(?:\d{{4,6}}|\d\d-\d{{3}}|\d{{3}} \d\d|\d{{4}} [A-Z]{{2}}) {_TITLES}"
    rf"|(?:{_TITLES} )?(?:[A-Z]{{2}} \d{{5}}(?:-\d{{4}})?|[A-Z]{{1,2}}\d[A-Z\d]? \d[A-Z]{{2}})"
)
"""A street with the number of a house, a town with its postal code."""
_LONGEST = 150
"""A line that signs a letter has so many characters at most."""
_TOWN = 2
"""So many words the name of a town has at most, below a street."""
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


def without_contact(lines: Sequence[str], names: Collection[str]) -> tuple[str, ...]:
    """A letter without the contact data below the name of its writer, who is one of `names`.

    >>> without_contact(["D4", "Best,", "Sam", "Tel. 01225 12345", "PS: hi"], ["Sam"])
    ('D4', 'Best,', 'Sam', '', 'PS: hi')
    >>> without_contact(["D4", "My number is", "01225 12345"], ["Sam"])
    ('D4', 'My number is', '01225 12345')
    """
    said = [at for at, line in enumerate(lines) if line.strip()]
    for place, at in enumerate(said):
        name, *beside = _PARTED.split(lines[at])
        above = lines[said[place - 1]] if place else ""
        data, placed = set[int](), False
        if beside and place and _is_contact("|".join(beside), placed=False):
            data.add(at)
        short = len(lines[at]) <= _LONGEST and not above.rstrip().endswith(":")
        if not (short and _signs(name if data else lines[at], names, above)):
            continue
        for below in said[place + 1 :]:
            if _is_contact(lines[below], placed=placed):
                placed = placed or any(map(_PLACE.fullmatch, _PARTED.split(lines[below])))
                data.add(below)
            elif not all(map(_TITLED.fullmatch, _PARTED.split(lines[below]))):
                break
        kept = [line if index not in data else "" for index, line in enumerate(lines)]
        last = max(index for index, line in enumerate(kept) if line.strip())
        return tuple(kept[: last + 1])
    return tuple(lines)


def _signs(name: str, names: Collection[str], above: str) -> bool:
    """True for the name of a letter's writer, alone or in a closing, or below one in full."""
    if closes(name, names) and not closes(name, ()):
        return True
    own = {part for one in names for part in one.casefold().split()}
    known = closes(above, names) or own & {*name.casefold().split()}
    return bool(known and _TITLED.fullmatch(name.strip(" ,.")))


def _is_contact(line: str, *, placed: bool) -> bool:
    """True for contact data and no words; below a street (`placed`) a town is some."""
    parts = [line] if _DATA.fullmatch(line) else _PARTED.split(line.strip(" ,."))
    data = [bool(_DATA.fullmatch(part) or _PLACE.fullmatch(part)) for part in parts]
    named = all(one or _TITLED.fullmatch(part) for one, part in zip(data, parts, strict=True))
    town = placed and all(len(part.split()) <= _TOWN for part in parts)
    return named and (town or any(data))


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
    if closing and rest[:1] in (["to"], ["for"]):  # `Love to Alice`
        return False
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
