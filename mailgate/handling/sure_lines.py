"""The line that plain words stand for, where they leave hardly a doubt.

Pure; raises nothing. One clause must be sure of a line that the decision table has for it, and no
other may want something else of the game. What ends a game is never done so.
"""

from __future__ import annotations

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
from mailgate.language.lexicon import lexicon
from mailgate.language.meaning_model import Meaning, meaning
from mailgate.language.statement_splitting import Statement, sentences, statements
from mailgate.language.terms import terms_in
from mailgate.letters.board_blocks import is_possible
from mailgate.word_sets import words_of

SURE_TALK = 0.85  # words are passed on if each sentence is talk with this probability
_SURE, _CERTAIN = 0.8, 0.95  # least probability of a harmless line, and of any other, that is done
_MOST = 40  # clauses of an email that are read: nobody is sure of more, and all would wait for it
_OTHERWISE = 0.4  # from this probability on another clause wants something else of the game
_TALK_BESIDE = 0.5  # least probability of talk for a clause in the sentence of a yes
_MOVE = "{point}"  # is done only for a whole statement of the lexicon: talk names points, too
_BRIEF = 2  # words of a question that doubts what stands beside it: `OK. Why?`
_AGREEING = ("yes", "done", _MOVE)
"""Lines that a doubting clause in the same sentence holds back: `Yes, unless you are busy`."""
_STOPS = ".!?…。！？)"
TOGETHER = {
    _MOVE: ["yes", "agree", "no"],
    "yes": ["undo"],
    "undo": ["move", "yes", "agree"],
    "resume": ["no"],
    "dead {points}": ["no"],
}
"""Meanings beside a line that want nothing else: `No, C3 is dead`, `Undo, please. I meant E5`."""
_DECIDING = words_of("""
    move pass undo resign plan advice dead alive done resume propose cancel yes agree no counter
    rematch stop block forget branch
""")
"""The meanings that decide something about a game."""


class _Clause(NamedTuple):
    """A statement of a sentence, and what it may mean."""

    sentence: str
    statement: Statement
    meaning: Meaning

    @property
    def text(self) -> str:
        return self.sentence[self.statement.start : self.statement.end]


def find_sure_line(
    words: str, names: tuple[str, ...], moment: GameMoment, view: GameView
) -> tuple[str, str, Cell] | None:
    """The one line that the words stand for, the sentence that says it, and its cell of the table.

    None where there is no such line, or a doubt.
    """
    parts = (part for one in sentences(words) for part in _clauses(one, names, moment))
    clauses = [*islice(parts, _MOST + 1)]
    sure = [one for one in clauses if _is_sure(one, moment)]
    lines = {line: one for one in sure for line in _fill_line(one, moment, view)}
    if len(clauses) > _MOST or len(lines) != 1 or has_retraction(words.split("\n")):
        return None
    ((line, clause),) = lines.items()
    does, says = cell(clause.meaning.first, moment), [one.statement for one in sure]
    against = any(_stands_against(one, clause, does, moment) for one in clauses if one not in sure)
    elsewhere = terms_in(words) or answers_something_else([words], says.__contains__)
    doubtful = (
        against
        or (does.sure in ("yes", "no") and elsewhere)
        or (does.sure == _MOVE and not _stands_alone(words, clause.sentence, view))
    )
    possible = not doubtful and is_possible(view.game, view.seat, line)
    return (line, clause.sentence, does) if possible else None


def _clauses(sentence: str, names: tuple[str, ...], moment: GameMoment) -> Iterator[_Clause]:
    """The clauses of a sentence; all of it, if as a whole it surely stands for a harmless line."""
    whole = _Clause(
        sentence, Statement(sentence, 0, len(sentence), asks=False), meaning(sentence, names)
    )
    if cell(whole.meaning.first, moment).harmless and _is_sure(whole, moment):
        yield whole
        return
    for one in statements(sentence):
        text = sentence[one.start : one.end] + "?" * one.asks
        yield _Clause(sentence, one, meaning(text, names))


def _is_sure(clause: _Clause, moment: GameMoment) -> bool:
    does = cell(clause.meaning.first, moment)
    if not does.sure or (clause.statement.asks and not does.harmless):
        return False
    if does.sure == _MOVE and read_statement(clause.statement.text) is None:
        return False
    if does.sure in _AGREEING and not lexicon().doubts.isdisjoint(clause.statement.words[:1]):
        return False  # `If it is him I accept`
    least = _SURE if does.harmless or does.sure == _MOVE else _CERTAIN
    return _share(clause.meaning, does.sure, moment) >= least


def _share(meaning: Meaning, line: str, moment: GameMoment) -> float:
    """How likely it is that some words stand for a line."""
    return sum(share for name, share in meaning.likely if cell(name, moment).sure == line)


def _stands_alone(words: str, sentence: str, view: GameView) -> bool:
    """True for the only free point, in a sentence that does not go on from the line above it."""
    above = words[: words.find(sentence)]
    last = above.rstrip().rpartition("\n")[2]
    ended = not last or last[-1] in _STOPS or above.endswith("\n\n") or is_polite(last)
    return ended and len(view.moves_named(words)) == 1


def _fill_line(clause: _Clause, moment: GameMoment, view: GameView) -> Sequence[str]:
    words = PlainWords(clause.text, [(clause.text, clause.meaning)])
    name = clause.meaning.first
    return fill_slots([cell(name, moment).sure], words, name, view)


def _stands_against(one: _Clause, sure: _Clause, does: Cell, moment: GameMoment) -> bool:
    """True if a clause beside a sure one may want something else of the game, or doubts it."""
    if does.sure in _AGREEING and _casts_doubt(one, sure, moment):
        return True
    name, share = one.meaning.likely[0]
    other = cell(name, moment)
    decides = name in _DECIDING and name not in TOGETHER.get(does.sure, ())
    return decides and share >= _OTHERWISE and other.sure != does.sure


def _casts_doubt(one: _Clause, sure: _Clause, moment: GameMoment) -> bool:
    """True for a brief question, and for any doubt in the sentence of a yes or a move."""
    words = one.statement.words
    if one.statement.asks and len(words) <= _BRIEF:
        return True
    talks = one.meaning.talk + _share(one.meaning, cell(sure.meaning.first, moment).sure, moment)
    doubts = talks < _TALK_BESIDE or not lexicon().doubts.isdisjoint(words)
    return doubts and one.sentence == sure.sentence
