"""Train the model: `python -m mailgate.language.train [--check]`.

It reads the phrases below [means] in `words/` and writes `model.bin`, the same bytes on each
machine: all arithmetic is on whole numbers. Beside it lies `model.digest`, a digest of the model
and of all that it is made from. `--check` writes nothing, and exits with 1 if the digest differs.
A fifth of the examples is never trained on, for tests.
"""

import argparse
import hashlib
import sys
import tomllib
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import accumulate
from math import exp, isqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mailgate.language.lexicon import statement_lines
from mailgate.language.meaning_model import BITS, Model, hashes
from mailgate.language.statement_splitting import mark_text

Numbers = NDArray[np.int64]
ROUNDS = 16
ONE = 1 << 16
STEP = 2 * ONE
SIZE = 600_000  # weights that are kept, about 1.5 MB
MEANS = {"sgf": "record", "if": "plan"}
MEANS |= dict.fromkeys(("players", "challenges"), "opponents")
MEANS |= dict.fromkeys(("void", "withdraw"), "cancel")
"""Meanings by verb, if their names differ."""
POLITE = ("greetings", "closings", "thanks", "patience")
_EXP: Numbers = np.array([round(exp(-at / 256) * ONE) for at in range(16 << 8)], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Phrase:
    """An example phrase, its language and its meaning."""

    language: str
    meaning: str
    text: str
    example: bool = True  # false for a statement that acts

    @property
    def held(self) -> bool:
        """True for an example that is never trained on."""
        return self.example and zlib.crc32(self.text.encode()) % 5 == 0

    @property
    def marked(self) -> str:
        """Its text with marks, as the model reads it."""
        return (
            mark_text(self.text.replace("{name}", "bob"), ("bob",)) if self.example else self.text
        )


def phrases(folder: Path) -> Iterator[Phrase]:
    """All phrases of a folder of languages, with the statements that act among them."""
    for file in sorted(folder.glob("*.toml")):
        known = tomllib.loads(file.read_text(encoding="utf-8"))
        means, beside = known.get("means", {}), known.get("beside", {})
        for meaning, text in means.items():
            for line in dict.fromkeys(filter(None, map(str.strip, text.split("\n")))):
                yield Phrase(file.stem, meaning, line)
        acts = [(MEANS.get(verb, verb), text) for verb, text in known.get("acts", {}).items()]
        for meaning, text in [*acts, *(("greeting", beside.get(one, "")) for one in POLITE)]:
            for line in statement_lines(text) if meaning in means else ():
                yield Phrase(file.stem, meaning, line, example=False)


def train(corpus: Sequence[Phrase]) -> Model:
    """Train a model with phrases."""
    names = sorted({one.meaning for one in corpus})
    place = {name: at for at, name in enumerate(names)}
    weights: Numbers = np.zeros((1 << BITS, len(names)), dtype=np.int64)
    examples = [(np.array(hashes(one.marked)), place[one.meaning]) for one in corpus]
    order = [at for at, (found, _) in enumerate(examples) if len(found)]
    for number in range(ROUNDS):
        order.sort(key=lambda at: zlib.crc32(f"{number} {corpus[at].text}".encode()))
        step = 10 * STEP // (10 + 3 * number)
        for at in order:
            _adjust_weights(weights, *examples[at], step)
    return _prune(names, weights)


def _adjust_weights(weights: Numbers, found: Numbers, right: int, step: int) -> None:
    """Move the weights of one example's features towards its meaning."""
    scale = isqrt(ONE * ONE // len(found))
    scores = weights[found].sum(axis=0) * scale >> 16
    shares = _EXP[np.minimum((scores.max() - scores) >> 8, len(_EXP) - 1)]
    wrong = shares * ONE // shares.sum()
    wrong[right] -= ONE
    weights[found] -= ((wrong * step) >> 16) * scale >> 16


def _prune(names: Sequence[str], weights: Numbers) -> Model:
    size = np.abs(weights)
    unit = -(-int(size.max()) // 127)
    bytewise = (weights + unit // 2) // unit
    least = np.partition(size, -SIZE, axis=None)[-SIZE] if size.size > SIZE else 0
    bytewise[size < least] = 0
    rows, meanings = np.nonzero(bytewise)
    counts = np.bincount(rows, minlength=len(weights)).tolist()
    return Model(
        names=tuple(names),
        unit=unit / ONE,
        starts=[*accumulate(counts, initial=0)],
        meanings=bytes(meanings.tolist()),
        weights=bytewise[rows, meanings].tolist(),
    )


def digest(corpus: Sequence[Phrase], packed: bytes) -> str:
    """A digest of a model and of all that it is made from: this program and what it reads."""
    found = hashlib.sha256(Path(__file__).read_bytes())
    for one in corpus:
        found.update(repr((one.text, one.meaning, hashes(one.marked))).encode())
    found.update(Model.unpack(packed).pack())
    return f"{found.hexdigest()}\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Write the model and its digest, or compare them."""
    parser = argparse.ArgumentParser(description="Trains the model of meanings.")
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    check = parser.parse_args(argv).check
    room = Path(str(files("mailgate.language")))
    corpus = [one for one in phrases(room / "words") if not one.held]
    file, written = room / "model.bin", room / "model.digest"
    if check:
        is_same = written.read_text("ascii") == digest(corpus, file.read_bytes())
        sys.stdout.write("up to date\n" if is_same else "model.bin is out of date: train again\n")
        return 0 if is_same else 1
    packed = train(corpus).pack()
    file.write_bytes(packed)
    written.write_text(digest(corpus, packed), "ascii")
    sys.stdout.write(f"{file.name}: {len(packed)} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
