"""The words that act, by language: verbs, whole statements, polite and doubting words.

They are data: one file a language in `words/`; the README there explains them. Pure once loaded.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import product, takewhile

from mailgate.language.statement_splitting import NAME, mark_text
from mailgate.language.written_moves import fold_spelling, normalize

IRREVERSIBLE = frozenset(["resign", "void", "withdraw", "stop", "forget me", "block"])
"""Verbs that act only on a line of their own: they cannot be taken back."""
EXAMPLES = "\n[means]"
"""The line below which a file has only examples to train the model."""
File = Mapping[str, Mapping[str, str]]
_POINTS = re.compile(r"\{points?\}")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
UNSPACED = "\u3040"  # from this character on: scripts without spaces between words
_MAX_GUESSED = 1_000  # characters that are read to guess a text's language
CONSENTS = frozenset(["yes", "agree"])
_MAX_WORDS = 8  # maximum words of a statement that may be misspelt, or be several in a row
_MIN_MISSPELT = 4  # minimum characters of a statement that may be misspelt
_MAX_POLITE_WORDS = 3  # maximum polite words at either end of a statement
_MAX_UNSPACED = 40  # maximum characters of several statements without a space between them
_HARMLESS = ("greetings", "closings", "thanks", "reassurances")
"""The lists of statements that change nothing, also next to a command: not `no hurry pass`."""


class Vocabulary:
    """The words of one language, from its file; a statement never mixes those of two languages."""

    def __init__(self, file: File, colors: frozenset[str]) -> None:
        beside = _words([file], "move", "beside")
        self.polite = _words([file], "beside", "polite")
        self.plays = beside | self.polite | colors
        """Words that may stand beside a point: its [move] words, polite words, colours."""
        self.unspaced = any("\u3040" <= mark <= "\u9fff" for word in beside for mark in word)
        """Whether its script has no spaces between words."""
        self.days = defaultdict[str, list[str]](list)
        """Its words for a vacation, by the English one."""
        for english, word in _split_words([file], "days"):
            self.days[english].append(word)
        self.acts = _statements([file], "acts", *file.get("acts", {}))
        self.beside = _statements([file], "beside", *_HARMLESS) | self.polite
        """Its polite words and statements."""
        self.starts = frozenset(one.split()[0] for one in self.acts | self.beside)
        """The first words of `acts` and `beside`."""
        self.common = _words([file], "common", "words")
        """Words (in scripts without spaces: pieces) by which we recognise a text's language."""

    def may_play(self, word: str) -> bool:
        """True for a word of `plays`; in scripts without spaces, also for several in a row."""
        ends = {0}
        for end in range(1, len(word) + 1) if self.unspaced and not word.isascii() else ():
            if any(word[start:end] in self.plays for start in ends):
                ends.add(end)
        return word in self.plays or len(word) in ends

    def statements_in_a_row(self, words: Sequence[str]) -> set[str]:
        """The acting statements in words that are only these and polite ones: `ja bin dabei`."""
        acting, space = set[str](), " "
        if self.unspaced and len(words) == 1:
            words, space = words[0][:_MAX_UNSPACED], ""
        while words:
            if space and words[0] not in self.starts:
                return set()
            pieces = ((end, space.join(words[:end])) for end in range(len(words), 0, -1))
            known = (one for one in pieces if one[1] in self.acts or one[1] in self.beside)
            end, piece = next(known, (0, ""))
            if not end:
                return set()
            acting |= {piece} & self.acts
            words = words[end:]
        return acting


class Lexicon:
    """The words and whole statements of all languages together, from the files of a folder.

    Raises `ValueError` for a statement with two meanings.
    """

    def __init__(self, folder: Traversable) -> None:
        files = (one for one in folder.iterdir() if one.name.endswith(".toml"))
        texts = {one.name[:-5]: one.read_text("utf-8") for one in files}
        read = {code: tomllib.loads(texts[code].partition(EXAMPLES)[0]) for code in sorted(texts)}
        known = [*read.values()]
        self.black, self.white = (_words(known, "colors", one) for one in ("black", "white"))
        colors = self.black | self.white
        self.languages = {code: Vocabulary(file, colors) for code, file in read.items()}
        self.acts = _verbs_of_statements(read)
        """The verb of each whole statement, with marks for points and names."""
        self.verbs = {word: verb for verb, word in _split_words(known, "verbs")}
        """The verb of each word that may stand before arguments."""
        self.terms = defaultdict[str, set[str]](set)
        """Words by the term of a game that they name."""
        for term, word in _split_words(known, "terms"):
            self.terms[term].add(word)
        self.numbers = {word: digits for digits, word in _split_words(known, "numbers")}
        """Digits by the word for a side of a board."""
        places = ("first", "second", "third", "last")
        self.choices = [_statements(known, "choice", one) for one in places]
        """Words that choose the first offer, the second, the third, the last."""
        self.again = _statements(known, "choice", "again")
        self.go_on = _statements(known, "choice", "next")
        self.beside = _statements(known, "beside", *_HARMLESS, "patience")
        """Statements that change nothing: greetings, closings, thanks."""
        self.misspelt = _squeezed({**dict.fromkeys(self.beside, ""), **self.acts})
        """The verb of each longer statement as `_squeeze` makes it; "" if it changes nothing."""
        self.greetings = _statements(known, "beside", "greetings")
        before, fillers = any_of(self.greetings), any_of(_statements(known, "beside", "fillers"))
        self.fillers = re.compile(
            rf"^(?:(?:{fillers}|{before}) )+|^(?:{fillers})$|(?: (?:{fillers}))+$"
        )
        """Words around a statement that say nothing, and greetings before it."""
        self.closings = _statements(known, "beside", "closings")
        self.thanks = _statements(known, "beside", "thanks", "reassurances", "patience")
        """Passed on even if they stand alone."""
        self.reassurances = _statements(known, "beside", "reassurances")
        """Thanks that may be a yes: `no problem`."""
        self.retracts = _statements(known, "doubt", "retracts")
        self.polite = _words(known, "beside", "polite")
        self.doubts = _words(known, "doubt", "words")
        inner = sorted(one for one in self.doubts if one[0] >= UNSPACED and len(one) > 1)
        self.inner_doubts = re.compile("|".join(inner) or "(?!)")
        """Doubts that may stand inside a word, in scripts without spaces."""
        self.wishes = _words(known, "doubt", "wishes")
        """Doubting words that a polite wish has, too: `I would like White`."""
        self.joins = _words(known, "beside", "joins")

    def doubts_in(self, words: Iterable[str]) -> set[str]:
        """The doubting words among some words, and inside them in scripts without spaces."""
        plain = [*words]
        return {*self.doubts.intersection(plain), *self.inner_doubts.findall(" ".join(plain))}

    def strip_fillers(self, statement: str) -> str:
        """A marked statement without fillers at either end: `du coup`, `lol`."""
        is_whole = statement in self.acts or statement in self.beside
        return statement if is_whole else self.fillers.sub("", statement)

    def verb_of(self, statement: str) -> str | None:
        """The verb that a marked statement is, with or without fillers and polite words around it.

        A command that cannot be taken back must have no fillers: not `lol I resign`.
        """
        plain = self.strip_fillers(statement)
        verb = self._verb_of(plain)
        return self._verb_of(statement) if verb in IRREVERSIBLE else verb

    def _verb_of(self, statement: str) -> str | None:
        if statement in self.acts or statement in self.beside:
            return self.acts.get(statement)
        words = statement.split()
        before, behind = self._count_polite(words), self._count_polite(words[::-1])
        ends = range(len(words), len(words) - behind - 1, -1)
        for first, last in product(range(before + 1), ends):
            core = " ".join(words[first:last])
            if core in self.acts and self._may_stand_beside(core, words[:first], words[last:]):
                return self.acts[core]
        if len(words) > _MAX_WORDS:
            return None
        rows = (one.statements_in_a_row(words) for one in self.languages.values())
        verbs = {self.acts[one] for one in next(filter(None, rows), set[str]())}
        others = verbs - CONSENTS
        if "no" in verbs or others & IRREVERSIBLE:
            return "no" if verbs == {"no"} else None
        if len(verbs) > 1:  # `yes pass`, `ja genau`
            verbs = others or {"yes"}
        return verbs.pop() if len(verbs) == 1 else self.misspelt.get(_squeeze(statement)) or None

    def _count_polite(self, words: Sequence[str]) -> int:
        return len([*takewhile(self.polite.__contains__, words[:_MAX_POLITE_WORDS])])

    def _may_stand_beside(self, act: str, before: Sequence[str], after: Sequence[str]) -> bool:
        """True if polite words may surround a statement: `pass bitte`, not the French `pas mal`.

        A command that cannot be taken back needs a whole greeting or thanks: not `stop there`.
        """
        if before and self.acts[act] == "resign":
            return False  # `Sir, resign` may be for the opponent
        if self.acts[act] in IRREVERSIBLE:
            return all(not words or " ".join(words) in self.beside for words in (before, after))
        vocabularies = (one for one in self.languages.values() if act in one.acts)
        return any(one.polite >= {*before, *after} for one in vocabularies)

    def language_of(self, texts: Iterable[str]) -> str:
        """The only language that has some statement which no other has; "" if there is none.

        It is never English, because our links send English commands.
        """
        found = set[str]()
        for one in map(mark_text, texts):
            codes = [code for code, known in self.languages.items() if one in known.acts]
            found |= {*codes} - {"en"} if len(codes) == 1 else set()
        return found.pop() if len(found) == 1 else ""

    def guess_language(self, text: str) -> str:
        """The language of a text, by two common words and twice as many as any other's; or "".

        >>> [lexicon().guess_language(one) for one in ("Ich möchte gern mit Bob spielen", "D4")]
        ['de', '']
        """
        plain = mark_text(text[:_MAX_GUESSED])
        words, unspaced = {*_WORD.findall(plain)}, max(plain, default="") >= UNSPACED
        found = {code: len(words & known.common) for code, known in self.languages.items()}
        for code, known in self.languages.items() if unspaced else ():
            found[code] += sum(one[0] >= UNSPACED and one in plain for one in known.common - words)
        first, second = sorted(found, key=lambda code: -found[code])[:2]
        return first if found[first] >= max(2, 2 * found[second]) else ""

    def changes_nothing(self, statement: str) -> bool:
        """True for a marked statement that only greets, closes, thanks, or is polite."""
        plain = self.strip_fillers(statement)
        polite = statement and self.polite >= {*plain.split()} - {NAME}
        known = not self.beside.isdisjoint([plain, statement])
        return bool(polite or known) or self.misspelt.get(_squeeze(plain)) == ""

    def may_stand_beside_move(self, words: Iterable[str]) -> bool:
        """True if one language has all these words for use beside a move."""
        others = [*words]
        return any(all(map(known.may_play, others)) for known in self.languages.values())


def any_of(words: Iterable[str]) -> str:
    """The pattern of any of some words, the longest first."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


def _squeezed(statements: Mapping[str, str]) -> dict[str, str]:
    """Verbs by squeezed statements, without short ones, and ones that cannot be taken back."""
    found = defaultdict[str, set[str]](set)
    for statement, verb in statements.items():
        found[_squeeze(statement)].add(verb)
    return {
        one: verb
        for one, (verb, *others) in found.items()
        if len(one) >= _MIN_MISSPELT and not others and verb not in IRREVERSIBLE
    }


def _squeeze(statement: str) -> str:
    """A marked statement without accents, apostrophes, hyphens and spaces: `cestcorrect`."""
    return fold_spelling(statement).replace("-", "").replace(" ", "")


def word_pattern(*words: str) -> str:
    """The pattern of any of some words, the longest first; whole words in scripts with spaces."""
    spaced = any_of(one for one in words if one[0] < UNSPACED)
    unspaced = any_of(one for one in words if one[0] >= UNSPACED)
    return rf"(?:(?<!\w)(?:{spaced})(?!\w)|{unspaced or '(?!)'})"


def statement_lines(text: str) -> list[str]:
    """The statements of a text, one a line, with marks for slots; raises `ValueError`."""
    found = (mark_text(_POINTS.sub("d4", line)) for line in text.split("\n"))
    lines = [line.replace("{name}", NAME) for line in found if line]
    if unknown := [line for line in lines if "{" in line]:
        raise ValueError(f"{unknown[0]!r} has a slot that is neither a point nor a name")
    return lines


def _words(files: Iterable[File], section: str, key: str) -> frozenset[str]:
    texts = (file.get(section, {}).get(key, "") for file in files)
    return frozenset(normalize(" ".join(texts)).split())


def _statements(files: Iterable[File], section: str, *keys: str) -> frozenset[str]:
    texts = (file.get(section, {}).get(key, "") for file in files for key in keys)
    return frozenset(line for text in texts for line in statement_lines(text))


def _split_words(files: Iterable[File], section: str) -> Iterator[tuple[str, str]]:
    """The words of a section, separated by commas, each with its key."""
    for file in files:
        for key, text in file.get(section, {}).items():
            yield from ((key, normalize(word)) for word in text.split(",") if word)


def _verbs_of_statements(read: Mapping[str, File]) -> dict[str, str]:
    found: dict[str, str] = {}
    acts = ((code, *act) for code, file in read.items() for act in file.get("acts", {}).items())
    for code, verb, text in acts:
        for line in statement_lines(text):
            if found.setdefault(line, verb) != verb:
                raise ValueError(f"{code}: {line!r} means {found[line]} and {verb}")
    return found


@cache
def lexicon() -> Lexicon:
    return Lexicon(files("mailgate.language") / "words")
