"""Near misses of commands, refused: a verb with other words, with a question mark, or misspelt.

Pure; raises `Unreadable` alone. Below a move almost everything is talk: a name, a greeting, a word
of thanks must never cost a player the move above it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NoReturn

from godaemon.errors import Unreadable
from mailgate.address import clean_quote
from mailgate.language.near_moves import POLITE, real_points
from mailgate.language.verb_table import LINES, VERBS, Verb
from mailgate.language.written_moves import normalize, strip_decoration
from mailgate.word_sets import words_of

_SPELT = tuple(verb for verb in {*VERBS, "accept", "decline"} if len(verb) > 2 and verb != "live")
_GRAVE = words_of(
    "pass resign dead alive resume accept decline withdraw emails receipts sgf kifu gui describe"
)
"""Verbs that few sentences of three words begin with."""
_TURNS = words_of("pass resign void")
"""Verbs that cannot stand below a move, so that what is nearly one of them is pointed out there."""
_GIVING_UP = words_of("pass resign")
_CHAT = words_of(
    "avoid avoided voice not trying tried tries ranch noted eyes now one ones known gone past last"
    " says saying shown shoe snow knew news newer lived dear deal deep gamer whelp nope noon movie"
    " moved moves moving passed passing playing played plays player plan game message black blocks"
    " blocked clock lock flock unlock stock blocking placed places palace plaice messages tall teal"
    " tale resigned purpose alice alike prose don dad presume pay hello hallo moe moi mode more"
    " invited plaid yet nest newt saya none"
)
"""Words and names near a verb that people begin or end a message with."""
_LETTERS = {"p": "pass", "r": "resign", "y": "yes", "n": "no"}
_WISHING = words_of("i i'll i'd i'm im will would like want wanna gonna going to have must")
_SHORT = 4
"""In so short a word one wrong letter weighs more, and a line of one word is hardly a sentence."""
_SENTENCE = re.compile(r"[.,!;:。、，！–—-]")
_VERTEX = re.compile(r"\b[a-z]\d{1,2}\b")


def refuse_near_command(line: str, *, turned: bool) -> None:
    """Raises `Unreadable` for a line that is nearly a command, with the lines that would work.

    `turned` says that the letter has its move, or whatever else plays the game on, already.
    """
    plain = strip_decoration(normalize(line[:500]))
    words = [word.strip(".,!?;:") for word in plain.split()]
    _refuse_letter(plain, turned=turned)
    _refuse_company(line, plain, words, turned=turned)
    verb = words[0] if words else ""
    named = _named(plain)
    if verb in _GIVING_UP and named and _NEVER & {*words}:
        _refuse_instead(line, named)
    grave = _GIVING_UP if turned else _GRAVE
    if verb in grave and len(words) <= (2 if turned else 3):
        _refuse(line, verb, *named)
    if turned:
        return
    if verb in ("dead", "alive", "place") and _VERTEX.search(plain):
        _refuse(line, verb)
    meant = misspelt(line) or _ends_misspelt(words)
    if meant is not None:
        _refuse(line, meant)


def _ends_misspelt(words: Sequence[str]) -> str | None:
    """The verb that gives up and is nearly the end of a wish: `i wanna pas`, `I resing`."""
    *wish, last = words or [""]
    near = get_close_matches(last, _GIVING_UP, n=1, cutoff=0.8)
    return near[0] if wish and near and last not in _CHAT and {*wish} <= _WISHING else None


def misspelt(line: str) -> str | None:
    """The verb that a line of one or two words nearly is; None for prose and for real commands.

    >>> misspelt("resing"), misspelt("passing by")
    ('resign', None)
    """
    words = strip_decoration(normalize(line)).split()
    if not 1 <= len(words) <= 2 or _entry(words[0]) or words[0] in _CHAT or len(words[0]) < 3:
        return None
    alone = len(words) == 1 and len(words[0]) <= _SHORT
    near = get_close_matches(words[0], _SPELT, n=3, cutoff=0.75 if alone else 0.8)
    alike = [verb for verb in _SPELT if 3 < len(verb) == len(words[0])]
    turned = [verb for verb in alike if sorted(verb) == sorted(words[0])]
    # Whoever slips in a short word hits its first letter, or swaps the first two.
    heads = (words[0][0], words[0][1::-1])
    return next((verb for verb in (*near, *turned) if verb.startswith(heads)), None)


def _refuse_letter(plain: str, *, turned: bool) -> None:
    if plain in _LETTERS and not turned:  # below a move it is an initial
        message = "One letter is too little to act on. Nothing was done."
        raise Unreadable(message, hints=(_LETTERS[plain],))


def _refuse_company(line: str, plain: str, words: list[str], *, turned: bool) -> None:
    """Raises for `pass please`, `gg, resign`, `I resign. Thanks for the game!`."""
    meaning = [word for word in words if word not in POLITE]
    entry = _entry(meaning[0]) if len(meaning) == 1 and len(words) <= 4 else None
    asked = entry is not None and entry.verb in ("yes", "no")  # read where one was asked for
    if entry is not None and not asked and (not turned or entry.verb in _TURNS):
        _refuse(line, meaning[0])
    while words and words[-1] in POLITE:
        words = words[:-1]
    for head in (_SENTENCE.split(plain, maxsplit=1)[0].strip(), " ".join(words)):
        entry = _entry(head)
        if entry is not None and entry.verb in _GIVING_UP and head != plain:
            _refuse(line, entry.verb, *_named(plain))


def _named(plain: str) -> list[str]:
    """The points that a line names, each once."""
    return [*dict.fromkeys(real_points(_VERTEX.findall(plain)))]


def _refuse_instead(line: str, named: Sequence[str]) -> NoReturn:
    """Raises for what gives nothing up, and names what is to be done: `Resign? Never! C14`."""
    message = f"“{clean_quote(line)}” says more than a move: put the move on a line of its own."
    raise Unreadable(f"{message} Nothing was done.", hints=tuple(named[:3]))


_NEVER = words_of("no not never nope don't won't")


def _entry(words: str) -> Verb | None:
    return VERBS.get(words) or LINES.get(words)


def _refuse(line: str, verb: str, *others: str) -> NoReturn:
    """Raises with the line of a verb, and up to two `others` that a letter names beside it."""
    entry = VERBS.get(verb) or LINES[verb]
    hints = entry.examples if entry.arguments or verb not in VERBS else (verb,)
    message = f"“{clean_quote(line)}” is nearly a command, but not quite. Nothing was done."
    hints = (verb,) if verb in entry.synonyms else hints
    raise Unreadable(message, hints=(*hints, *others[:2]))
