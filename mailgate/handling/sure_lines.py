"""The command that plain words stand for, if that is nearly certain.

Pure; raises nothing. One clause must surely mean a line that the decision table has for it, and no
other clause may ask for anything else. A line that ends a game is never found in this way.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from mailgate.handling.decision_table import Cell, GameMoment, cell
from mailgate.handling.plain_words import PlainWords, fill_slots
from mailgate.handling.player_games import GameView
from mailgate.language.acting_statements import (
    answers_something_else,
    has_retraction,
    is_polite,
    read_statement,
)
from mailgate.language.lexicon import CONSENTS, lexicon
from mailgate.language.meaning_model import Meaning, meaning
from mailgate.language.statement_splitting import NAME, Statement, mark_text, sentences, statements
from mailgate.language.terms import terms_in
from mailgate.letters.board_blocks import is_possible
from mailgate.word_sets import words_of

SURE_TALK = 0.85  # words are passed on if each sentence is talk with this probability
_MIN_HARMLESS, _MIN_OTHER = 0.8, 0.95  # minimum probability of a harmless line, and of any other
_MAX_CLAUSES = 40  # clauses of an email that are classified; a longer one has no sure line
_MIN_OTHER_REQUEST = 0.4  # minimum probability of a clause that asks for something else
_MIN_BESIDE = 0.5  # minimum probability that a clause beside a line is talk, or means the line, too
_MOVE, _PASS = "{point}", "pass"
_TURN_LINES = (_MOVE, _PASS)
"""Lines that need a whole statement of the lexicon: `My room is B4` plays nothing."""
_MAX_QUESTION_WORDS = 2  # words of a question that casts doubt on the words beside it: `OK. Why?`
_MAX_DOUBT_WORDS = 3  # words of a sentence of its own that holds such a line back
_AGREEING_LINES = ("yes", "done", *_TURN_LINES)
"""Lines that a doubting clause in the same sentence holds back: `Yes, unless you are busy`."""
_STOPS = ".!?…。！？)"
COMPATIBLE = {
    _MOVE: ["yes", "agree", "no", "pass"],
    _PASS: ["yes", "agree", "done"],
    "yes": ["undo", "rematch"],
    "undo": ["move", "yes", "agree"],
    "done": ["yes", "agree"],
    "resume": ["no"],
    "dead {points}": ["no"],
}
"""Meanings that may stand beside a line: `No, C3 is dead`, `Undo, please. I meant E5`."""
_DECIDING_MEANINGS = words_of("""
    move pass undo resign plan advice dead alive done resume propose cancel yes agree no counter
    rematch stop block forget branch
""")
"""The meanings that decide something about a game."""


class _Clause(NamedTuple):
    """A statement of a sentence, and its likely meanings."""

    sentence: str
    statement: Statement
    meaning: Meaning

    @property
    def text(self) -> str:
        return self.sentence[self.statement.start : self.statement.end]


def find_sure_line(
    words: str, names: tuple[str, ...], moment: GameMoment, view: GameView
) -> tuple[str, str, Cell] | None:
    """The one line that the words stand for, its sentence and its cell; None if in doubt."""
    parts = (part for one in sentences(words) for part in _clauses(one, names, moment))
    clauses = [*islice(parts, _MAX_CLAUSES + 1)]
    sure = [one for one in clauses if _is_sure(one, moment)]
    lines = {line: one for one in sure for line in _fill_line(one, moment, view)}
    if len(clauses) > _MAX_CLAUSES or len(lines) != 1 or has_retraction(words.split("\n")):
        return None
    ((line, clause),) = lines.items()
    goal, sure_statements = cell(clause.meaning.first, moment), [one.statement for one in sure]
    dispute = any(_stands_against(one, clause, goal, moment) for one in clauses if one not in sure)
    asks_for_more = terms_in(words) or answers_something_else([words], sure_statements.__contains__)
    doubtful = (
        dispute
        or (goal.sure in ("yes", "no") and asks_for_more)
        or (goal.sure in _TURN_LINES and not _stands_alone(words, clause, goal.sure, view))
    )
    possible = not doubtful and is_possible(view.game, view.seat, line)
    return (line, clause.sentence, goal) if possible else None


def _clauses(sentence: str, names: tuple[str, ...], moment: GameMoment) -> Iterator[_Clause]:
    """The clauses of a sentence, or the whole sentence if it surely means a harmless line."""
    statement = Statement(sentence, 0, len(sentence), asks=False)
    whole = _Clause(sentence, statement, meaning(sentence, names))
    if cell(whole.meaning.first, moment).harmless and _is_sure(whole, moment):
        yield whole
        return
    for one in statements(sentence):
        text = sentence[one.start : one.end] + "?" * one.asks
        plain = mark_text(one.text, names).strip(f" {NAME}")  # `Go on then Bob`
        verb = "" if one.asks or lexicon().changes_nothing(plain) else lexicon().verb_of(plain)
        consents = len(one.words) > 1 and (verb == "no" or verb in CONSENTS)
        found = Meaning(((str(verb), 1.0),)) if consents else meaning(text, names)
        yield _Clause(sentence, one, found)


def _is_sure(clause: _Clause, moment: GameMoment) -> bool:
    goal = cell(clause.meaning.first, moment)
    if not goal.sure or (clause.statement.asks and not goal.harmless):
        return False
    if _says_yes_and_no(clause.statement.words):
        return False
    if goal.sure in _TURN_LINES and read_statement(clause.statement.text) is None:
        return False
    if goal.sure in _AGREEING_LINES and lexicon().doubts_in(clause.statement.words[:1]):
        return False  # `If it is him I accept`
    least = _MIN_HARMLESS if goal.harmless or goal.sure == _MOVE else _MIN_OTHER
    return _share(clause.meaning, goal.sure, moment) >= least


def _says_yes_and_no(words: Sequence[str]) -> bool:
    """True for both answers and no other word: `accept or decline`."""
    parts = [part for word in words for part in word.split("/") if part]
    verbs = {lexicon().verb_of(part) for part in parts if part not in lexicon().joins}
    return len(verbs) > 1 and verbs <= {"no", *CONSENTS} and "no" in verbs


def _share(meaning: Meaning, line: str, moment: GameMoment) -> float:
    """The probability that some words stand for a line."""
    return sum(share for name, share in meaning.likely if cell(name, moment).sure == line)


def _stands_alone(words: str, clause: _Clause, line: str, view: GameView) -> bool:
    """True for the only free point, or a pass without one, if no line above it continues."""
    above = words[: words.find(clause.sentence)]
    last = above.rstrip().rpartition("\n")[2]
    ended = not last or last[-1] in _STOPS or above.endswith("\n\n")
    ended = ended or is_polite(last) or meaning(last).first == "greeting"
    return ended and len(view.named_moves(words)) <= (line == _MOVE)


def _fill_line(clause: _Clause, moment: GameMoment, view: GameView) -> Sequence[str]:
    words = PlainWords(clause.text, [(clause.text, clause.meaning)])
    name = clause.meaning.first
    return fill_slots([cell(name, moment).sure], words, name, view)


def _stands_against(clause: _Clause, sure: _Clause, goal: Cell, moment: GameMoment) -> bool:
    """True if a clause beside a sure one may ask for something else, or doubts it."""
    if goal.sure in _AGREEING_LINES and _casts_doubt(clause, sure, moment):
        return True
    name, share = clause.meaning.likely[0]
    other = cell(name, moment)
    decides = name in _DECIDING_MEANINGS and name not in COMPATIBLE.get(goal.sure, ())
    return decides and share >= _MIN_OTHER_REQUEST and other.sure != goal.sure


def _casts_doubt(other: _Clause, sure: _Clause, moment: GameMoment) -> bool:
    """True for a brief question, and for any doubt in the sentence of a yes or a move."""
    words = other.statement.words
    if other.statement.asks and len(words) <= _MAX_QUESTION_WORDS:
        return True
    if lexicon().changes_nothing(mark_text(other.statement.text)):
        return False  # `Guten Morgen`
    line = cell(sure.meaning.first, moment).sure
    same = 0.0 if line == _MOVE else _share(other.meaning, line, moment)
    doubts = same < _MIN_BESIDE and bool(lexicon().doubts_in(words))
    if line not in _TURN_LINES:  # a yes beside other words may answer these
        likely, together = dict(other.meaning.likely), COMPATIBLE.get(line, ())
        talk = other.meaning.talk + same + sum(likely.get(one, 0.0) for one in together)
        doubts = doubts or talk < _MIN_BESIDE
    is_apart = other.sentence != sure.sentence and len(words) > _MAX_DOUBT_WORDS
    return doubts and not is_apart  # `Unless you object` doubts a yes on a line of its own
