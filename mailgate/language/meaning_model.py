"""A linear model over hashed n-grams of what words may mean; `mailgate.language.train` trains it.

It ranks the lines that we offer, and recognises talk. A sure meaning may be carried out if that can
be taken back; it never ends a game. Pure once loaded; raises nothing.
"""

import re
import zlib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import accumulate, pairwise
from math import exp, sqrt

from mailgate.language.lexicon import IRREVERSIBLE, lexicon
from mailgate.language.statement_splitting import (
    MAX_LINE,
    UNSPACED_SCRIPTS,
    mark_text,
    sentences,
    statements,
)
from mailgate.language.written_moves import normalize

TALK = frozenset(["talk", "talk_go", "talk_ask", "greeting"])
"""Meanings of words that are for the opponent."""
BITS = 18  # bits of a hashed feature
MAX_SENTENCES = 10  # sentences of an email that are read
_PLAIN = IRREVERSIBLE | {"pass"}
"""Verbs that are the only meaning of a sentence with one of their statements."""
_TOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[?？!！]")
_UNSPACED = re.compile(rf"[{UNSPACED_SCRIPTS}]")
"""Scripts in which one character is a syllable or a word."""


def hashes(text: str) -> list[int]:
    """The features of a marked text as numbers of `BITS` bits, each once.

    They are its words, pairs of them, and the pieces of each word.
    """
    words = _TOKEN.findall(text)
    pairs = (_hash(f"{one} {two}") for one, two in pairwise(["^", *words, "$"]))
    return sorted({*pairs, *(number for word in words for number in _hash_word(word))})


@lru_cache(maxsize=1 << 14)  # most words are frequent
def _hash_word(word: str) -> tuple[int, ...]:
    piece, sizes = f"<{word}>", range(2, 6)
    if _UNSPACED.search(word):
        piece, sizes = f"·{word}", range(1, 5)
    pieces = {piece[at : at + size] for size in sizes for at in range(len(piece) - size + 1)}
    return tuple(map(_hash, {word, *pieces}))


def _hash(feature: str) -> int:
    return zlib.crc32(feature.encode()) & ((1 << BITS) - 1)


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meanings of some words with their probabilities, the likeliest first."""

    likely: tuple[tuple[str, float], ...]

    @property
    def talk(self) -> float:
        """The probability that the words are for the opponent."""
        return sum(share for name, share in self.likely if name in TALK)

    @property
    def first(self) -> str:
        return self.likely[0][0]

    @property
    def for_us(self) -> tuple[tuple[str, float], ...]:
        """The meanings of words that are for us, the likeliest first."""
        return tuple((name, share) for name, share in self.likely if name not in TALK)


NOTHING = Meaning((("greeting", 1.0),))


@dataclass(frozen=True, slots=True)
class Model:
    """A sparse table of weights, by hashed feature and meaning.

    File format: one line with the unit of the weights (in 65536ths) and the names of the meanings;
    then three runs of bytes: the number of weights of each of the `2 ** BITS` features, the meaning
    of each weight, and the weights.
    """

    names: tuple[str, ...]
    unit: float
    starts: Sequence[int]
    meanings: bytes
    weights: Sequence[int]

    @classmethod
    def unpack(cls, packed: bytes) -> "Model":
        """The model in the bytes of its file."""
        first, _, rest = packed.partition(b"\n")
        unit, *names = first.decode().split()
        counts, both = rest[: 1 << BITS], rest[1 << BITS :]
        half = len(both) // 2
        starts = array("I", accumulate(counts, initial=0))
        return cls(tuple(names), int(unit) / 65536, starts, both[:half], array("b", both[half:]))

    def pack(self) -> bytes:
        head = " ".join([str(round(self.unit * 65536)), *self.names]).encode() + b"\n"
        counts = bytes(end - start for start, end in pairwise(self.starts))
        return head + counts + self.meanings + array("b", self.weights).tobytes()

    def read(self, text: str) -> Meaning:
        """The meaning of a marked text."""
        found = hashes(text)
        if not found:
            return NOTHING
        scores = [0] * len(self.names)
        for feature in found:
            place = slice(self.starts[feature], self.starts[feature + 1])
            for meaning, weight in zip(self.meanings[place], self.weights[place], strict=True):
                scores[meaning] += weight
        best, unit = max(scores), self.unit / sqrt(len(found))
        shares = [exp((score - best) * unit) for score in scores]
        total = sum(shares)
        ranked = sorted(zip(self.names, shares, strict=True), key=lambda one: -one[1])
        return Meaning(tuple((name, share / total) for name, share in ranked))


@cache
def model() -> Model:
    return Model.unpack((files("mailgate.language") / "model.bin").read_bytes())


@lru_cache(maxsize=1024)
def meaning(sentence: str, names: tuple[str, ...] = ()) -> Meaning:
    """What one sentence may mean; `names` are those of players, in lower case.

    A statement of `_PLAIN` that did not act, because of other words, is its only meaning.
    """
    parts = statements(sentence)
    if all(not one.asks and lexicon().changes_nothing(mark_text(one.text, names)) for one in parts):
        return NOTHING
    verbs = {None if one.asks else lexicon().verb_of(mark_text(one.text, names)) for one in parts}
    if plain_verbs := _PLAIN.intersection(verbs, model().names):
        return Meaning(tuple((verb, 1 / len(plain_verbs)) for verb in sorted(plain_verbs)))
    return model().read(mark_text(sentence[:MAX_LINE], names))


def meanings(words: str, names: tuple[str, ...] = ()) -> list[tuple[str, Meaning]]:
    """The sentences of some words, each with its likely meanings."""
    return [
        (one, meaning(one, tuple(name for name in names if name in normalize(one))))
        for one in sentences(words)[:MAX_SENTENCES]
    ]
