"""Statements that act: the command of a line of talk, if nothing leaves it in doubt.

Pure; raises nothing. A line acts if one whole statement is a template of the lexicon, and no other
statement doubts it, asks, or names another point. A command that cannot be taken back needs a line
of its own. A yes or a no in free words counts if our email asked for one.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache

from godaemon.errors import Refusal
from godaemon.games import commands as cmd
from godaemon.rules.points import Color
from mailgate.language.lexicon import CONSENTS, IRREVERSIBLE, any_of, lexicon
from mailgate.language.meaning_model import meaning
from mailgate.language.statement_splitting import (
    NAME,
    POINT,
    Statement,
    mark_text,
    sentences,
    statements,
    vertices,
)
from mailgate.language.terms import addresses_in, terms_in
from mailgate.language.verb_table import READERS
from mailgate.language.written_moves import is_vertex, put_letter_first, read_move, read_point
from mailgate.word_sets import words_of

VERBS_IN_QUESTIONS = words_of(
    "show games help settings score sgf learn history propose rematch undo players challenges"
    " export describe kifu review watch public"
)
"""Verbs that act in a question, too: `can I see the board?`."""
_ANSWERS = frozenset(["yes", "no", "agree", "send"])
"""Verbs that count only on a line of their own: within talk they may answer the opponent."""
_QUOTED_OR_LISTED = re.compile(r"\s*(?:[>＞|│┃]|[-•·*] )")
"""Beginnings of quoted lines and list items, as in our own emails."""
_POINT = re.compile(r"(?<!\S)[a-zA-Z]{1,2}\d{1,2}(?=\s+\S+\s)")
"""A point with several words behind it: `I play D4 good luck!`."""
_COLON = re.compile(rf" ?[:：] ?(?={POINT})")  # `dead stones: D4`
_MAX_DOUBT_WORDS = 3  # maximum words of a statement that doubts its neighbours by one doubting word
_MAX_PREFACE = 2  # words that may precede a command which is hard to take back: `Great, done`


@dataclass(frozen=True, slots=True)
class FoundCommand:
    """A command found in a line of talk: its statement, and the other words for the opponent."""

    statement: str
    command: cmd.Command
    color: Color | None
    words: str


@lru_cache(maxsize=2048)
def read_statement(statement: str) -> tuple[str, cmd.Command] | None:
    """The verb and the command that a whole normalized statement is, or None."""
    text = _COLON.sub(" ", mark_text(statement))
    verb = lexicon().verb_of(_several_points(lexicon().joins).sub(POINT, text))
    command = None
    if verb is not None:
        with suppress(Refusal):
            command = READERS[verb](" ".join(vertices(statement)).lower())
    elif POINT in text:
        command = _read_move(statement)
    return (verb or "move", command) if command is not None else None


@cache
def _several_points(joins: frozenset[str]) -> re.Pattern[str]:
    """The pattern of several points in a row: `P, P and P`."""
    return re.compile(rf"{POINT}(?:(?:[ ,;/+、]+(?:(?:{any_of(joins)}) )?){POINT})+")


def _read_move(statement: str) -> cmd.Play | None:
    """The move of a statement; None if it only mentions a point."""
    known = lexicon()
    statement = known.strip_fillers(statement)
    with suppress(Refusal):
        if (found := read_move(statement)) is not None:
            return found
        words = Statement(statement, 0, 0, asks=False).words
        points = [word for word in words if is_vertex(word)]
        others = [one for one in words if not (is_vertex(one) or known.acts.get(one) in CONSENTS)]
        is_brief = len(points) == 1 and len(words) <= _MAX_MOVE_WORDS
        if is_brief and known.may_stand_beside_move(others):
            return cmd.Play(read_point(put_letter_first(points[0])))
    return None


_MAX_MOVE_WORDS = 9  # in a statement that names a move


def find_color(words: Sequence[str]) -> Color | None:
    """The colour that some normalized words name, or None."""
    if not lexicon().black.isdisjoint(words):
        return Color.BLACK
    return None if lexicon().white.isdisjoint(words) else Color.WHITE


def read_talk(line: str) -> FoundCommand | None:
    """The one command in a line of talk, if nothing leaves it in doubt; else None.

    >>> read_talk("Sorry for the delay. D4").words, read_talk("D4? Really?")
    ('Sorry for the delay.', None)
    """
    if (point := _POINT.search(line)) and is_polite(behind := line[point.end() :].strip()):
        line = f"{line[: point.end()]}, {behind}"
    read = [(one, read_statement(one.text)) for one in statements(line)]
    found = [(one, reading) for one, reading in read if reading is not None]
    turns = [one for one in found if isinstance(one[1][1], cmd.Turn) and one[1][0] not in _ANSWERS]
    found = turns or found  # a move counts more than other commands: `I'm back! D4`, `Yes, D4`
    if len({reading for _, reading in found}) != 1 or _QUOTED_OR_LISTED.match(line):
        return None
    acting, (verb, command) = found[0]
    beside = [one for one, reading in read if reading != found[0][1]]
    asks = acting.asks and verb not in VERBS_IN_QUESTIONS
    if asks or verb in _ANSWERS or _is_doubted(acting, verb, beside):
        return None
    if verb == "rematch" and terms_in(line):
        return None  # a bare `rematch` would drop the terms
    color = find_color(acting.words) if verb == "move" else None
    return FoundCommand(acting.text, command, color, _words_around(line, acting, beside))


def _is_doubted(acting: Statement, verb: str, beside: Sequence[Statement]) -> bool:
    """True if another statement doubts, retracts or qualifies the command."""
    if verb in IRREVERSIBLE or any(one.text in lexicon().retracts for one in beside):
        return bool(beside)
    others = [one for one in beside if not _changes_nothing(one)]
    above = [one for one in others if one.start < acting.start]
    if any(vertices(one.text) for one in above) or any(_casts_doubt(one, acting) for one in others):
        return True
    if verb in ("move", "dead", "alive", "say") or verb in VERBS_IN_QUESTIONS:
        return False
    return any(one.asks for one in others) or any(len(one.words) > _MAX_PREFACE for one in above)


def _casts_doubt(other: Statement, acting: Statement) -> bool:
    """True if a statement takes another back, or makes it depend on something.

    In the same sentence any doubting word is enough. A sentence of its own must begin with one, be
    very short, or name a point.
    """
    words = other.words
    doubts = lexicon().doubts_in(words)
    below = other.start > acting.start
    ended = acting.stopped if below else other.stopped
    if not doubts or (below and ended and meaning(other.text).first == "plan"):
        return False
    brief = len(words) <= _MAX_DOUBT_WORDS
    return not ended or brief or words[0] in doubts or bool(vertices(other.text))


def _changes_nothing(one: Statement) -> bool:
    return lexicon().changes_nothing(mark_text(one.text))


def _words_around(line: str, acting: Statement, beside: Sequence[Statement]) -> str:
    """The words around a command for the opponent; "" if they are only polite."""
    known, others = lexicon(), [mark_text(one.text) for one in beside]
    others = [one for one in others if known.verb_of(one) not in _ANSWERS]
    if all(known.changes_nothing(one) and one not in known.thanks for one in others):
        return ""
    others_left = [one for one in beside if not _changes_nothing(one)]
    ended = (acting.stopped if one.start >= acting.end else one.stopped for one in others_left)
    if not all(ended):
        return line.strip()  # the rest of the sentence makes no sense without the command
    around = (line[: acting.start], line[acting.end :])
    return " ".join(" ".join(part for part in around if not is_greeting(part)).split())


def find_retraction(lines: Sequence[str], command: cmd.Command) -> str:
    """The line right below a command that may take it back; "" if there is none."""
    own = str(command.point) if isinstance(command, cmd.Play) else ""
    for line in lines[:_MAX_LINES_BELOW]:
        points = vertices(line)
        likely = meaning(line).likely if points else ()
        if likely and likely[0][0] == "plan":
            continue
        read = [read_statement(one.text) for one in statements(line)[:_MAX_LINES_BELOW]]
        others = {one[1] for one in read if one is not None and isinstance(one[1], _MOVES)}
        moves = sum(share for name, share in likely if name in _REPLACING) >= _MIN_SHARE
        if has_retraction([line]) or others - {command} or (moves and {*points} - {own}):
            return line
    return ""


_MOVES = cmd.Play | cmd.Pass | cmd.Resign | cmd.Undo
_REPLACING = ("move", "undo", "pass", "resign")
_MIN_SHARE = 0.8
_MAX_LINES_BELOW = 3  # lines and statements below a command that may take it back


def has_retraction(lines: Sequence[str]) -> bool:
    """True if a statement in some lines takes back the lines above it."""
    texts = (one.text for line in lines for one in statements(line))
    return any(one in lexicon().retracts for one in texts)


def is_greeting(line: str) -> bool:
    """True for a line that only greets or closes: `Hi Bo,`, `Dear Alice`, `Best wishes`."""
    texts = [mark_text(one.text) for one in statements(line[:200])]
    heads = [one.rpartition(" ")[0] for one in texts]
    thanks = {*texts, *heads, *(f"{head} {NAME}" for head in heads)} & lexicon().thanks
    return is_polite(line) and not thanks


def is_polite(line: str) -> bool:
    """True for a line that greets, closes, thanks or excuses, and changes nothing."""
    parts = statements(line[:200])
    return bool(parts) and all(_is_polite(line, one) for one in parts)


def is_reassurance(line: str) -> bool:
    """True for a polite line which may be a yes: `No problem, Bob!`."""
    texts = (mark_text(one.text) for one in statements(line[:200]))
    return is_polite(line) and not lexicon().reassurances.isdisjoint(texts)


def _is_polite(line: str, one: Statement) -> bool:
    """True for a polite statement, also with an unknown name: words with a capital."""
    known, text = lexicon(), mark_text(one.text)
    if known.verb_of(text) is not None or POINT in text:
        return False
    if known.changes_nothing(text):
        return True
    originals, words = line[one.start :].split(), one.text.split()
    for count in range(1, min(3, len(words)) + 1):
        names = originals[len(words) - count : len(words)]
        head = " ".join([*words[:-count], NAME])
        if all(map(_is_name, names)) and (head in known.beside or head == NAME):
            return count < len(words) or line.rstrip().endswith(",")
    return False


def is_name(line: str) -> bool:
    """True for a line of one or two words, each with a capital: `Bob`."""
    words = line.split()
    return 0 < len(words) <= 2 and all(map(_is_name, words))


def _is_name(word: str) -> bool:
    plain = word.strip(" ,.!:;")
    return bool(plain) and not plain[0].islower() and plain[0].isalpha()


# -- a yes or a no --------------------------------------------------------------------------------
_MAX_ROWS = 6  # lines from the top that are read: below are names and closings
_TERMS = re.compile(r"[SPA]|\bkomi\b|N")
_DENIALS = ("no", "counter", "cancel", "resume", "resign", "undo", "stop", "block")
"""Meanings that contradict a yes in the same letter."""
_TALK, _UNSURE = 0.9, 0.25
"""Words beside a yes are talk from the first probability on; below the second they may be a
request."""


def read_consent(lines: Sequence[str], *, terms: bool = True) -> bool | None:
    """True for a yes, False for a no, None for neither or both.

    A yes with terms of a game does not count, unless `terms` is False: then they change nothing.

    >>> read_consent(["Hi Alice,", "", "Sure, let's play!"])
    True
    >>> read_consent(["Sorry, no."]), read_consent(["Yes, but not on 19x19"])
    (False, None)
    """
    rows = [line for line in lines if line.strip()]
    rows = (rows[1:] if len(rows) > 1 and is_greeting(rows[0]) else rows)[:_MAX_ROWS]
    votes = {_read_vote(one) for line in rows for one in statements(line)} - {None}
    if len(votes) != 1 or has_retraction(lines) or answers_something_else(rows, _is_vote):
        return None
    yes, below = True in votes, _paragraphs_below(lines)
    clear = (_is_settled(one, yes=yes, terms=terms, apart=one in below) for one in rows)
    return yes if all(clear) else None


def answers_something_else(rows: Iterable[str], answers: Callable[[Statement], bool]) -> bool:
    """True if an email asks something, and its yes or no is part of talk: `No, really? Why?`."""
    parts = [statements(one) for row in rows for one in sentences(row)]
    mixed = any(
        any(map(answers, part)) and not all(answers(one) or _changes_nothing(one) for one in part)
        for part in parts
    )
    return mixed and any(one.asks for part in parts for one in part)


def is_plain_yes(lines: Sequence[str], verb: str = "") -> bool:
    """True for a yes, or the verb once more, with only polite words beside it.

    A command that cannot be undone needs one.

    >>> is_plain_yes(["Yes, I resign. Thanks, Bob"], "resign"), is_plain_yes(["Yes, keep playing"])
    (True, False)
    """
    pairs = [(line, one) for line in lines for one in statements(line)]
    beside = [
        line if is_name(line) else line[one.start : one.end]
        for line, one in pairs
        if _find_verb(one) not in {*CONSENTS, verb}
    ]
    return len(beside) < len(pairs) and all(is_polite(words) or is_name(words) for words in beside)


def _find_verb(statement: Statement) -> str | None:
    return None if statement.asks else lexicon().verb_of(mark_text(statement.text))


def _read_vote(statement: Statement) -> bool | None:
    verb = _find_verb(statement)
    return True if verb in CONSENTS else False if verb == "no" else None


def _is_vote(statement: Statement) -> bool:
    return _read_vote(statement) is not None


def _is_settled(line: str, *, yes: bool, terms: bool, apart: bool) -> bool:
    """True if nothing in a line changes the yes or no in it, or beside it."""
    known = lexicon()
    for sentence in sentences(line):
        parts = statements(sentence)
        others = [mark_text(one.text) for one in parts if not _is_vote(one)]
        others = [one for one in others if not known.changes_nothing(one)]
        if any(known.verb_of(one) is not None for one in others):
            return False
        if not yes and any(known.verb_of(word) in CONSENTS for word in " ".join(others).split()):
            return False  # `I have no time, but yes`
        if terms and (any(map(_TERMS.search, others)) or (yes and terms_in(sentence))):
            return False
        voted = len(others) < len(parts)
        is_talk = apart and not voted and others and not known.doubts_in(others[0].split()[:1])
        if yes and others and not is_talk and _is_doubtful(sentence, others, voted=voted):
            return False
    return True


def words_beside_yes(lines: Sequence[str]) -> str:
    """The words beside a yes to our offer that are for the person whom it is about.

    >>> words_beside_yes(["Yes, that's it. Can I be Black?", "Hello Bo, shall we play?"])
    'Hello Bo, shall we play?'
    """
    first, *below = [line for line in lines if line.strip() and not is_greeting(line)] or [""]
    rows = [one for one in sentences(first) if meaning(one).talk >= _TALK and not has_vote(one)]
    rows += [one for one in below if not (has_vote(one) or terms_in(one) or _is_note(one))]
    rows = [one for one in rows if not addresses_in(one)]
    return "" if all(is_polite(one) or is_name(one) for one in rows) else "\n".join(rows)


def has_vote(line: str) -> bool:
    """True if a statement of a line says yes or no."""
    return any(map(_is_vote, statements(line)))


def _is_note(line: str) -> bool:
    return meaning(line).first == "note"


def _paragraphs_below(lines: Sequence[str]) -> list[str]:
    """The paragraphs below a yes or a no, which are about something else."""
    voted = False
    for at, line in enumerate(lines):
        if voted and not line.strip():
            return [*lines[at:]]
        voted = voted or has_vote(line)
    return []


def _is_doubtful(sentence: str, others: Sequence[str], *, voted: bool) -> bool:
    """True if words beside a yes doubt it; any doubting word in its own sentence does."""
    doubts = any(lexicon().doubts_in(one.split()) for one in others)
    found = meaning(" ".join(others) if voted else sentence)
    contradicts = voted and found.talk < _UNSURE and found.first not in CONSENTS
    return found.first in _DENIALS or contradicts or (doubts and (voted or found.talk < _TALK))
