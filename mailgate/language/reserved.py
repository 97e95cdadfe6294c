"""Words that other servers obey and this one does not: answered, and never told to the opponent.

Pure; raises nothing. `if D4 then E5` or `note: he did not see C3`, passed on as chat, would show
the opponent what was meant for us. A word is reserved where it stands as a command does: first in a
statement, alone or with arguments; in a sentence about something else it is an ordinary word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mailgate.address import clean_quote
from mailgate.language.arguments import read_stop
from mailgate.language.complaints import OFTEN
from mailgate.language.questions import Topic, question_to_us, questions_to_us, topic_named
from mailgate.language.reserved_words import ADDRESS, AWAY, MOVING, RESERVED, TO_US, Reserved
from mailgate.language.talk import (
    LONGEST,
    Statement,
    is_greeting,
    plan_in,
    plans,
    statements,
    trial_in,
    vertices,
)
from mailgate.language.vacations import vacation_in
from mailgate.language.verb_table import VERBS
from mailgate.language.wished_settings import settings_in
from mailgate.language.wishes import spelt_out
from mailgate.language.written_moves import normalize
from mailgate.late_patterns import late
from mailgate.word_sets import words_of

_ARGUMENTS = words_of(
    """
    time timeout please pls bitte svp s'il te plaît vous por favor per favore alstublieft tack
    пожалуйста now me my mine it this that these the a an for of to on in at off game games
    move moves last and until till from by next with here days day weeks week hours hour
    months month minutes monday tuesday wednesday thursday friday saturday sunday january
    february march april may june july august september october november december one two
    three black white stone stones then win victory draw komi handicap thanks thank you bob
    bob's his her their opponent opponent's help all everything again
    """
)


@dataclass(frozen=True, slots=True)
class Reservation:
    """A statement that is not passed on: its line, and what we answer to it."""

    line: str
    answer: str
    hints: tuple[str, ...] = ()


def reserved(lines: Sequence[str]) -> Reservation | None:
    """The first line that is a command of other servers; None where none is.

    >>> reserved(["if D4 then E5"]).answer[:29]
    'To plan a move, write a line '
    >>> reserved(["I had a good vacation"]) is None
    True
    """
    for line in [line for line in lines if line.strip()][:_LOOKED_AT]:
        if wished := _wished(line):
            return wished
        bare = NUMBERED.sub("", normalize(line[:LONGEST])).rstrip(" .!?;,:…")
        planned = next(filter(plans, _SENTENCES.split(line[:LONGEST])), "")
        if planned:
            return _answered(RESERVED[0], lines, planned)
        said = statements(line[:LONGEST])
        to_them = _hails_somebody(said)
        for text in dict.fromkeys((bare, *(one.text for one in said))):
            if to_them and _YOU.search(text):
                continue
            if (found := _COMMANDS.fullmatch(text) or _FORMS.search(spelt_out(text))) is not None:
                entry = RESERVED[int(str(found.lastgroup)[1:])]
                return _answered(entry, lines, line)
    return None


def _hails_somebody(said: Sequence[Statement]) -> bool:
    """True where a line begins by greeting somebody by name, which is none of ours."""
    first = said[0].text if len(said) > 1 else ""
    return len(first.split()) > 1 and is_greeting(first) and not re.fullmatch(TO_US, first)


_YOU = late(r"\byou\b")


def _wished(line: str) -> Reservation | None:
    """A line that says in a sentence what there is a command for, with that command."""
    whole = normalize(line[:LONGEST])
    if (setting := _nearly_a_setting(whole)) is not None:
        return Reservation(line, _AT_THE_TOP, setting)
    if wished := settings_in(line):
        written = " and, on a line of its own, ".join(f"`{one}`" for one in wished)
        return Reservation(line, f"To set that, write {written}", wished)
    if any(len(one.words) > _FEW and read_stop(one.text) for one in statements(line[:LONGEST])):
        return Reservation(line, _STOPPING, ("stop", "stop all"))
    if _STOPS_CLOCKS.search(whole) and (away := vacation_in(line)):
        return Reservation(line, f"To stop your clocks while you are away, write `{away}`", (away,))
    if trial := trial_in(NUMBERED.sub("", whole)):
        return Reservation(line, f"To see the board after these moves, write `{trial}`", (trial,))
    return None


_STOPS_CLOCKS = late(
    r"\b(?:can|could|may|please|will|would|shall|should|does)\b.{0,60}\bclocks?\b.{0,60}\b(?:stop"
    r"|pause|wait|stand)"
)


def all_reserved(lines: Sequence[str], *, marked: bool = False) -> Reservation | None:
    """The same with the answers to all else that is asked of us, in other sentences.

    `marked` is as in `question_to_us`.

    >>> all_reserved(["Can I take my move back? And how do I pass?"]).hints
    ('undo', 'pass')
    """
    first = reserved(lines)
    if first is None:
        return None
    sentences = (one for line in lines[:_LOOKED_AT] for one in _SENTENCES.split(line[:LONGEST]))
    others = [*filter(None, (reserved([one]) for one in sentences))]
    others += [
        Reservation(line, one.answer, one.hints)
        for one, line in questions_to_us(lines, marked=marked).items()
    ]
    found = [first]
    for more in others:
        if len(found) < _MOST and not any(_verbs(more) & _verbs(one) for one in found):
            found.append(more)
    answers = (one.answer.rstrip(".") for one in found)
    hints = dict.fromkeys(hint for one in found for hint in one.hints)
    return Reservation(first.line, ". ".join(answers), tuple(hints)) if found[1:] else first


def _verbs(answer: Reservation) -> set[str]:
    """What tells an answer from others: the verbs that it offers, or its words."""
    return {hint.split()[0] for hint in answer.hints} or {answer.answer}


_MOST = 3
"""So many things are answered at once."""
_SENTENCES = late(r"(?<=[.!?:])\s+")


def _answered(entry: Reserved, lines: Sequence[str], line: str) -> Reservation:
    """What is answered to a line: where it names a plan, or a time, what to write in its place."""
    written, answer = "", entry.answer
    if entry is RESERVED[0]:
        return Reservation(line, answer, _plans_in(lines) or entry.hints)
    if entry is RESERVED[1]:
        written = f"note: {clean_quote(line, _NOTE)}"
    elif entry.hints == ("sgf",) and len(named := vertices(line)) > 1:
        written = " ".join(["try", *map(str.upper, named)])
    elif entry.words == TO_US and (topic := _topic_of(line)) is not None:
        return Reservation(line, topic.answer, topic.hints)
    elif entry.hints == MOVING and (address := ADDRESS.search(line)):
        written = f"move me to {address[0]}"
    elif entry.hints == AWAY:
        written = vacation_in(line) or vacation_in(" ".join(lines))
        answer = f"To stop your clocks while you are away, write `{written}`" if written else answer
    return Reservation(line, answer, (written,) if written else entry.hints)


def _plans_in(lines: Sequence[str]) -> tuple[str, ...]:
    """The plans that some sentences are, one after the other, as they are to be written."""
    sentences = [one for line in lines[:_LOOKED_AT] for one in _SENTENCES.split(line[:LONGEST])]
    clauses = [clause for one in sentences for clause in (one, *_AND_IF.split(one))]
    return tuple(dict.fromkeys(filter(None, map(plan_in, clauses))))[:_MOST]


_AND_IF = late(r"(?i)(?:,|;|\band\b|\bor\b|\bthen\b){1,3}\s{0,3}(?=(?:and |or )?if\b)")


def _topic_of(line: str) -> Topic | None:
    """What a line is about that is for us: what it asks, or how many emails come."""
    return question_to_us([line]) or (topic_named("emails") if _TOO_MANY.search(line) else None)


_TOO_MANY = late(
    rf"(?i)\b(?:fewer|less|(?:too|so) many)\b.{{0,99}}\b(?:e?-?mails?|notifications)\b|{OFTEN}"
)
_NOTE = 150
"""So many characters of words are offered as a note, to be sent by a click."""


def _nearly_a_setting(whole: str) -> tuple[str, ...] | None:
    """What to write in place of a line that begins as a setting does; None for any other line."""
    verb, *words = [word.strip(".,:;!?()") for word in whole.split()] or [""]
    if verb not in _SETTINGS or len(words) > _FEW or _POINTING & {*words}:
        return None
    named = " ".join([verb, *(word[:1].upper() + word[1:] for word in words)])
    return (named,) if verb == "name" and words else VERBS[verb].examples


_SETTINGS = ("name", "timezone", "tz", "digest", "emails", "receipts", "reviews", "players")
"""Verbs of what one sets, with which sentences to somebody else hardly ever begin."""
_POINTING = words_of("this that it one these those them your")
"""Words that follow where it is a sentence all the same: `Digest that!`."""
_FEW = 2
_STOPPING = "To get no more emails about this game, write `stop`; for none at all, `stop all`"
_AT_THE_TOP = "That reads like something to set, which goes on the first lines of an email."
NUMBERED = late(r"^(?:game #?\d{1,9} ?[:)]?|#?\d{1,9} ?[:)]) ?")
"""The number of a game, as lines of an answer to a list begin."""
_LOOKED_AT = 20


def _command(entry: Reserved) -> str:
    rest = r"(?:[ :=-]+.*)?" if entry.private else rf"(?:[ :=-]+{_ARGUMENT}){{0,6}}"
    if entry.setting:
        rest = r"(?:[ :=-]+\S+){0,3}"
    return rf"(?:{entry.words}){rest}"


_WISH = r"(?:(?:please|can i|could i|may i|i want to|i'd like to|i would like to|how do i) )?"
_ARGUMENT = (
    rf"[\"'“(]*(?:{'|'.join(sorted(_ARGUMENTS))}|[a-z]?\d{{1,4}}(?:\.\d)?|\d+[dwhm])[.,:!?\"'”)]*"
)
_COMMANDS = late(
    _WISH + f"(?:{'|'.join(f'(?P<r{at}>{_command(one)})' for at, one in enumerate(RESERVED))})"
)
_FORMS = late(
    "|".join(f"(?P<r{at}>{one.forms})" for at, one in enumerate(RESERVED)).replace(".*", ".{,300}")
)
