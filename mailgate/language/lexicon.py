"""The words that act, by language: verbs, whole statements, polite and doubting words.

They are data: one file a language in `words/`, whose README says what stands in it. Pure once it is
loaded; `load` raises `ValueError` for a statement that would mean two things.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from mailgate.language.statements import NAME, marked
from mailgate.language.written_moves import normalize

FOR_GOOD = frozenset(["resign", "void", "withdraw", "stop", "forget me", "block"])
"""Verbs that act by a line of their own alone."""
EXAMPLES = "\n[means]"
"""What stands below this line of a file is for the training of the model alone."""
_POINTS = re.compile(r"\{points?\}")
_MOST = 4
"""Words at either end of a statement that may be polite."""


@dataclass(frozen=True, slots=True)
class Language:
    """The words of one language that no statement of another may be mixed with."""

    beside_move: frozenset[str]
    """Words with which people say that they play a point, and never else."""
    polite: frozenset[str]
    far: bool
    """Whether no blanks stand between its words."""
    acts: frozenset[str]
    """Its whole statements that are a command."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words of all languages together."""

    languages: Mapping[str, Language]
    acts: Mapping[str, str]
    """The verb of each whole statement, with marks for points and names."""
    verbs: Mapping[str, str]
    """The verb of each word that may stand before arguments."""
    beside: frozenset[str]
    """Whole statements that change nothing: greetings, closings, thanks."""
    greetings: frozenset[str]
    """Those of them with which letters begin."""
    closings: frozenset[str]
    """Those of them with which letters end, thanks among them."""
    thanks: frozenset[str]
    """Those of them that say something to somebody, even alone."""
    polite: frozenset[str]
    doubts: frozenset[str]
    retracts: frozenset[str]
    """Whole statements that take back what stands above them."""
    joins: frozenset[str]
    black: frozenset[str]
    white: frozenset[str]
    terms: Mapping[str, frozenset[str]]
    """Words by the term of a game that they name."""
    choices: Sequence[frozenset[str]]
    """Whole statements that choose the first of some offers, the second, the third, the last."""
    again: frozenset[str]
    """Whole statements that ask for a lesson once more."""
    go_on: frozenset[str]
    """Whole statements that ask for the next one."""

    @property
    def colors(self) -> frozenset[str]:
        """Words for both colours."""
        return self.black | self.white

    def verb_of(self, statement: str) -> str | None:
        """The verb that a marked statement is, with or without polite words around it."""
        found = self.acts.get(statement)
        if found is not None or statement in self.beside:
            return found
        words = statement.split()
        for first in range(min(_MOST, len(words))):
            if first and words[first - 1] not in self.polite:
                break
            for last in range(len(words), max(first, len(words) - _MOST), -1):
                if last < len(words) and words[last] not in self.polite:
                    break
                core, around = " ".join(words[first:last]), (words[:first], words[last:])
                if core in self.acts and self._beside(core, *around):
                    return self.acts[core]
        said = {self.acts.get(word) for word in words}  # `ja genau`
        if said == {"yes", "agree"}:
            return "yes"
        return said.pop() if len(said) == 1 else None

    def _beside(self, act: str, before: Sequence[str], after: Sequence[str]) -> bool:
        """True where polite words go with a statement: `pass bitte`, and not the French `pas mal`.

        What is for good goes with whole greetings and thanks alone: not `stop there`.
        """
        if self.acts[act] in FOR_GOOD:
            return all(" ".join(words) in {"", *self.beside} for words in (before, after))
        spoken = (one for one in self.languages.values() if act in one.acts)
        return any(one.polite >= {*before, *after} for one in spoken)

    def changes_nothing(self, statement: str) -> bool:
        """True for a marked statement that greets, closes, thanks, or is polite and no more."""
        if statement in self.beside:
            return True
        words = statement.split()
        return bool(words) and all(word in self.polite or word == NAME for word in words)

    def plays(self, words: Iterable[str]) -> bool:
        """True where one language has all these words beside a point that somebody plays."""
        others = [*words]
        return any(
            all(
                _made_of(one, known.beside_move | known.polite | self.colors, known.far)
                for one in others
            )
            for known in self.languages.values()
        )


def load(folder: Traversable) -> Lexicon:
    """The lexicon that the files of a folder make; raises `ValueError`."""
    read = {
        one.name.removesuffix(".toml"): tomllib.loads(
            one.read_text(encoding="utf-8").partition(EXAMPLES)[0]
        )
        for one in sorted(folder.iterdir(), key=lambda one: one.name)
        if one.name.endswith(".toml")
    }
    beside = [file.get("beside", {}) for file in read.values()]
    choices = [file.get("choice", {}) for file in read.values()]
    return Lexicon(
        languages={code: _language(file) for code, file in read.items()},
        acts=_acts(read),
        verbs={word: verb for file in read.values() for verb, word in _verbs(file)},
        beside=_statements(beside, "greetings", "closings", "thanks"),
        greetings=_statements(beside, "greetings"),
        closings=_statements(beside, "closings"),
        thanks=_statements(beside, "thanks"),
        polite=_words(one.get("polite", "") for one in beside),
        doubts=_words(file.get("doubt", {}).get("words", "") for file in read.values()),
        retracts=_statements([file.get("doubt", {}) for file in read.values()], "retracts"),
        joins=_words(one.get("joins", "") for one in beside),
        black=_words(file.get("colors", {}).get("black", "") for file in read.values()),
        white=_words(file.get("colors", {}).get("white", "") for file in read.values()),
        terms=_terms([file.get("terms", {}) for file in read.values()]),
        choices=[_statements(choices, one) for one in ("first", "second", "third", "last")],
        again=_statements(choices, "again"),
        go_on=_statements(choices, "next"),
    )


def lines(text: str) -> list[str]:
    """The statements of a list, one a line, with marks for their slots; raises `ValueError`."""
    found = (marked(_POINTS.sub("d4", line)).replace("{name}", NAME) for line in text.split("\n"))
    said = [line for line in found if line]
    if unknown := [line for line in said if "{" in line]:
        raise ValueError(f"{unknown[0]!r} has a slot that is neither a point nor a name")
    return said


def _terms(sections: Sequence[Mapping[str, str]]) -> dict[str, frozenset[str]]:
    keys = sorted({key for one in sections for key in one})
    return {
        key: frozenset(
            normalize(word) for one in sections for word in one.get(key, "").split(",") if word
        )
        for key in keys
    }


def _statements(sections: Iterable[Mapping[str, str]], *keys: str) -> frozenset[str]:
    return frozenset(line for one in sections for key in keys for line in lines(one.get(key, "")))


def _words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(normalize(" ".join(texts)).split())


def _verbs(file: Mapping[str, Mapping[str, str]]) -> list[tuple[str, str]]:
    return [
        (verb, word.strip())
        for verb, text in file.get("verbs", {}).items()
        for word in text.split(",")
    ]


def _language(file: Mapping[str, Mapping[str, str]]) -> Language:
    beside = _words([file.get("move", {}).get("beside", "")])
    far = any("\u3040" <= mark <= "\u9fff" for word in beside for mark in word)
    acts = (line for text in file.get("acts", {}).values() for line in lines(text))
    polite = _words([file.get("beside", {}).get("polite", "")])
    return Language(beside, polite, far, frozenset(acts))


def _acts(read: Mapping[str, Mapping[str, Mapping[str, str]]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for code, file in read.items():
        for verb, text in file.get("acts", {}).items():
            for line in lines(text):
                if found.setdefault(line, verb) != verb:
                    raise ValueError(f"{code}: {line!r} means {found[line]} and {verb}")
    return found


def _made_of(word: str, known: frozenset[str], far: bool) -> bool:  # noqa: FBT001 - a fact of it
    """True for a known word; where no blanks stand between words, for several in a row."""
    if word in known:
        return True
    if not far or word.isascii():
        return False
    reached = {0}
    for end in range(1, len(word) + 1):
        if any(word[start:end] in known for start in reached):
            reached.add(end)
    return len(word) in reached


@cache
def lexicon() -> Lexicon:
    """The lexicon of this program."""
    return load(files("mailgate.language") / "words")
