"""A yes or a no in people's words, read only where our email asked for one.

Pure; raises nothing. Each statement is for it, against it, polite, or something else; anything else
that doubts, asks, or names a point or a size leaves the answer open: then both are offered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mailgate.language.grammar import is_greeting, is_name, is_polite, takes_back_all
from mailgate.language.lexicon import lexicon
from mailgate.language.meanings import meaning
from mailgate.language.statements import Statement, marked, sentences, statements
from mailgate.language.terms import terms_in

_LINES = 6
"""So many lines from the top are looked at: below are names and closings."""
_FOR = frozenset(["yes", "agree"])
_TERMS = re.compile(r"[SPA]|\bkomi\b|N")
_OTHERWISE = ("no", "counter", "cancel", "resume", "resign", "undo", "stop", "block")
"""Meanings beside which a yes is none."""
_TALK, _UNSURE = 0.9, 0.3
"""The shares from which words beside a yes are talk, and below which they may be a wish."""


def read_consent(lines: Sequence[str], *, terms: bool = True) -> bool | None:
    """True for a yes, False for a no, None for all that is neither or both.

    A yes with terms of a game is none, but where `terms` says that they make no difference.

    >>> read_consent(["Hi Alice,", "", "Sure, let's play!"])
    True
    >>> read_consent(["Sorry, no."]), read_consent(["Yes, but not on 19x19"])
    (False, None)
    """
    said = [line for line in lines if line.strip()]
    said = said[1:] if len(said) > 1 and is_greeting(said[0]) else said
    votes = {_vote(one) for line in said[:_LINES] for one in statements(line)} - {None}
    if len(votes) != 1 or takes_back_all(lines):
        return None
    yes, apart = True in votes, _apart(lines)
    settled = (_settled(one, yes=yes, terms=terms, apart=one in apart) for one in said[:_LINES])
    return yes if all(settled) else None


def is_plain_yes(lines: Sequence[str], verb: str = "") -> bool:
    """True for a yes, or that verb once more, with nothing beside it that says anything.

    What cannot be undone needs no less.

    >>> is_plain_yes(["Yes, I resign. Thanks, Bob"], "resign"), is_plain_yes(["Yes, keep playing"])
    (True, False)
    """
    said = [(line, one) for line in lines for one in statements(line)]
    beside = [
        line if is_name(line) else line[one.start : one.end]
        for line, one in said
        if _verb(one) not in {*_FOR, verb}
    ]
    return len(beside) < len(said) and all(is_polite(words) or is_name(words) for words in beside)


def _verb(statement: Statement) -> str | None:
    return None if statement.asks else lexicon().verb_of(marked(statement.text))


def _vote(statement: Statement) -> bool | None:
    verb = _verb(statement)
    return True if verb in _FOR else False if verb == "no" else None


def _settled(line: str, *, yes: bool, terms: bool, apart: bool) -> bool:
    """True where a line leaves a yes or a no in it, or beside it, as it is."""
    known = lexicon()
    for sentence in sentences(line):
        parts = statements(sentence)
        others = [marked(one.text) for one in parts if _vote(one) is None]
        others = [one for one in others if not known.changes_nothing(one)]
        if any(known.verb_of(one) is not None for one in others):
            return False
        if terms and (any(map(_TERMS.search, others)) or (yes and terms_in(sentence))):
            return False
        voted = len(others) < len(parts)
        talks = apart and not voted and others and others[0].split()[0] not in known.doubts
        if yes and others and not talks and _doubtful(sentence, others, voted=voted):
            return False
    return True


def _apart(lines: Sequence[str]) -> list[str]:
    """The lines of the paragraphs below a yes or a no, which are about something else."""
    voted = False
    for at, line in enumerate(lines):
        if voted and not line.strip():
            return [*lines[at:]]
        voted = voted or any(_vote(one) is not None for one in statements(line))
    return []


def _doubtful(sentence: str, others: Sequence[str], *, voted: bool) -> bool:
    """True where words beside a yes doubt it: any such word of its own sentence does."""
    doubts = any(not lexicon().doubts.isdisjoint(one.split()) for one in others)
    said = meaning(" ".join(others) if voted else sentence)
    other = voted and said.talk < _UNSURE and said.first not in _FOR
    return said.first in _OTHERWISE or other or (doubts and (voted or said.talk < _TALK))
