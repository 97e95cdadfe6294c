"""Closings below a command, such as `With kind regards, Sam Whitfield`, which are not passed on.

Pure; raises nothing. A closing below words for the opponent stays with them, but no line of a
signature is a wish to us. Contact data below the writer's name (a telephone, a street, an office)
is always removed.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from itertools import groupby, takewhile

from mailgate.language.acting_statements import is_greeting, read_talk
from mailgate.language.command_lines import whole_command
from mailgate.language.lexicon import UNSPACED, lexicon
from mailgate.language.statement_splitting import mark_text, statements, vertices
from mailgate.reading import program_phrases
from mailgate.word_sets import words_of

_MAX_CLOSING_LINES = 3  # maximum lines of a closing, with its names
_MAX_SIGNATURE = 6  # maximum lines of a signature, with titles and addresses
_MAX_NAME_WORDS = 4
_MAX_UNSPACED_NAME = 5  # maximum characters of a name in scripts without spaces
_MAX_LINE = 150  # maximum characters of a line of contact data
_MAX_TOWN_WORDS = 2  # maximum words of a town's name: more words may be a message
_SEPARATOR = re.compile(r" ?[,;|•·] ?| [–-] |: ")
_PHONE = r"(?=(?:\D*\d){6})[+(\d][\d ()./–-]{5,22}"
_NET = (
    r"[<(]?[\w.+-]+@[\w.-]+[>)]?|(?:https?://|www\.)[\w.:-]+/?"
    r"|(?:[a-z\d-]+\.)+(?:com|org|net|info|[a-z]{2})/?"
)
_CONTACT_DATUM = re.compile(
    rf"(?:[^\W\d]{{1,12}}\.? ?:? ?)?(?:{_PHONE}|{_NET})(?: ?\(?\w+\.?(?: \d+)?\)?)?"
)
"""A telephone number, an email or web address, perhaps with a label."""
_SMALL_WORDS = words_of("of for and de du der des für und di da la le rue via ul ул van")
"""Small words within the names of people, companies, streets and offices."""
_OFFICES = frozenset(program_phrases.words("offices"))
"""Words for companies and job titles; a line of contact data has one, or a number or address."""


def strip_closing(lines: Sequence[str], names: Collection[str]) -> tuple[str, ...]:
    """A letter without the closing below its commands; `names` are those of its writer.

    >>> strip_closing(["show", "", "With kind regards,", "Sam Whitfield"], ["Sam Whitfield"])
    ('show',)
    >>> strip_closing(["D4", "Sam"], ["Sam"]), strip_closing(["D4", "Nice! Sam"], ["Sam"])
    (('D4',), ('D4', 'Nice! Sam'))
    """
    rows = [at for at, line in enumerate(lines) if line.strip()]
    for count in range(min(_MAX_CLOSING_LINES, len(rows) - 1), 0, -1):
        closing = ", ".join(lines[at] for at in rows[-count:])
        if is_closing(closing, names) and all(_has_no_words(lines[at]) for at in rows[:-count]):
            return tuple(lines[: rows[-count - 1] + 1])
    return tuple(lines)


def strip_signature(lines: Sequence[str], names: Collection[str]) -> tuple[str, ...]:
    """Words above a signature: a closing, or its writer's name, with names and contact data below.

    Use it only to decide whom words are for: a signature may still cast doubt on a command.

    >>> strip_signature(["Nice!", "Best,", "Ann Note", "Director, Example Ltd."], ["Ann"])
    ('Nice!',)
    >>> strip_signature(["Nice!", "Best,", "Ann", "I resign"], ["Ann"])
    ('Nice!', 'Best,', 'Ann', 'I resign')
    """
    rows = [at for at, line in enumerate(lines) if line.strip()]
    end = len(lines)
    for place in range(len(rows) - 1, max(len(rows) - 1 - _MAX_SIGNATURE, 0), -1):
        line = lines[rows[place]]
        if is_closing(line, names) or _names_writer(line, names):
            end = rows[place - 1] + 1
        if not _may_sign(line, names):
            break
    return tuple(lines[:end])


def _names_writer(line: str, names: Collection[str]) -> bool:
    """True for a name that shares a word or an initial with the writer's names, or a telephone."""
    words, own = _words([line]), _words(names)
    is_own = not words.isdisjoint(own | {one[0] for one in own})
    is_reachable = len(line) <= _MAX_LINE and _CONTACT_DATUM.fullmatch(line.strip()) is not None
    return _may_sign(line, names) and (is_own or is_reachable)


def _may_sign(line: str, names: Collection[str]) -> bool:
    """True for a name, or for contact data; no command, point or sentence.

    Words such as `Only Tomorrow` are no name, unless they are in the writer's own.
    """
    if len(line) > _MAX_LINE or not _is_contact_line(line):
        return False
    unspaced = [mark for mark in line if mark >= UNSPACED]
    has_hiragana = any(
        mark < "\u30a0" for mark in unspaced
    )  # as sentences have, and names have not
    is_long = len(line.split()) > _MAX_NAME_WORDS or len(unspaced) > _MAX_UNSPACED_NAME
    words = _words([line])
    has_known_words = not _known_words().isdisjoint(words) and words.isdisjoint(_words(names))
    is_sentence = has_hiragana or is_long or has_known_words
    return not vertices(line) and (_has_contact_data(line) or not is_sentence)


@cache
def _known_words() -> frozenset[str]:
    """Words of the lexicon that are in no name: doubts, numbers, terms and frequent words."""
    known = lexicon()
    frequent = (one.common for one in known.languages.values())
    terms = (word for words in known.terms.values() for word in words)
    return known.doubts.union(known.numbers, terms, *frequent) - _SMALL_WORDS


def strip_contact(lines: Sequence[str], names: Collection[str]) -> tuple[str, ...]:
    """A letter without the contact data below the name of its writer, who is one of `names`.

    >>> strip_contact(["D4", "Best,", "Sam", "Tel. 01225 12345", "PS: hi!"], ["Sam"])
    ('D4', 'Best,', 'Sam', '', 'PS: hi!')
    >>> strip_contact(["D4", "My number is", "01225 12345"], ["Sam"])
    ('D4', 'My number is', '01225 12345')
    """
    rows = [at for at, line in enumerate(lines) if line.strip()]
    for place, at in enumerate(rows):
        name, *others = _SEPARATOR.split(lines[at])
        above = lines[rows[place - 1]] if place else ""
        if not any(_is_signature(one, above, names) for one in {lines[at], name}):
            continue
        block = [*takewhile(lambda one: _is_contact_line(lines[one]), rows[place + 1 :])]
        block += [at] if others and place and _is_contact_line(lines[at]) else []
        contacts = [one for one in block if _has_contact_data(lines[one])]
        towns = [one for one in block if len(lines[one].split()) <= _MAX_TOWN_WORDS]
        if contacts:
            kept = ["" if at in (*contacts, *towns) else line for at, line in enumerate(lines)]
            return tuple("\n".join(kept).rstrip().split("\n"))
    return tuple(lines)


def _is_signature(line: str, above: str, names: Collection[str]) -> bool:
    """True for the writer's name on a line of its own, or below a closing."""
    if len(line) > _MAX_LINE or above.rstrip().endswith(":") or not _words([line]) & _words(names):
        return False
    return is_closing(line, names) or is_closing(above, names) or _is_contact_line(line)


def _words(names: Iterable[str]) -> set[str]:
    return {*re.findall(r"[\w'’]+", " ".join(names).casefold())}


def _is_contact_line(line: str) -> bool:
    """True for a line of names and contact data that is no command."""
    parts = [one for one in _SEPARATOR.split(line.strip(" ,")) if one]
    is_contact = all(_CONTACT_DATUM.fullmatch(part) or _is_name(part) for part in parts)
    return is_contact and len(line) <= _MAX_LINE and whole_command(line) is None


def _is_name(part: str) -> bool:
    """True for words with a capital or a digit first, and small words between them."""
    words = [word.strip("(.&)") for word in part.split()]
    large = (not word[:1].islower() or word.casefold() in _SMALL_WORDS for word in words)
    return all(large) and not part.endswith(("!", "?"))


def _has_contact_data(line: str) -> bool:
    office = any(word.strip(".").casefold() in _OFFICES for word in re.findall(r"[\w./]+", line))
    is_reachable = any(map(_CONTACT_DATUM.fullmatch, _SEPARATOR.split(line)))
    return office or is_reachable or any(map(str.isdigit, line))


def is_closing(text: str, names: Iterable[str]) -> bool:
    """True for a closing, with or without a name of its writer, or for the name alone."""
    own, found = _words(names), [one.text for one in statements(text)]
    unknown = [words for words in found if not _is_known_closing(words)]
    rest = _words(unknown)
    if "!" in text or (not rest and text.rstrip().endswith((".", "。", "…"))):  # `See you.`
        return False
    words = unknown[0].split() if len(unknown) == 1 else []
    splits = ((" ".join(words[:at]), {*words[at:]}) for at in range(1, len(words)))
    has_name = any(behind <= own and _is_known_closing(text) for text, behind in splits)
    return bool(found) and (has_name or rest <= own | {part[0] for part in own})


def _is_known_closing(words: str) -> bool:
    """True for closings of the lexicon: `thanks and best regards`."""
    known, text = lexicon(), mark_text(words)
    apart = groupby(text.split(), lambda word: word in known.joins)
    parts = {" ".join(part) for joins, part in apart if not joins}
    return text in known.closings or (bool(parts) and parts <= known.closings)


def is_only_closing(words: str, name: str) -> bool:
    """True for a letter that is only a closing; thanks are a message.

    >>> is_only_closing("Kind regards, Sam", "Sam"), is_only_closing("Thanks! Sam", "Sam")
    (True, False)
    >>> is_only_closing("\U0001f44d", "Sam")
    False
    """
    has_letters = any(map(str.isalnum, words))  # an emoji alone is a message
    has_thanks = any(mark_text(one.text) in lexicon().thanks for one in statements(words))
    return has_letters and is_closing(words, [name]) and not has_thanks


def _has_no_words(line: str) -> bool:
    """True for a line without words for the opponent: a greeting or a command."""
    if is_greeting(line) or whole_command(line) is not None:
        return not line.casefold().startswith("say ")
    found = read_talk(line)
    return found is not None and not found.words
