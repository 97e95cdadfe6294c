"""Tables of phrases by meaning, and the wanted outcomes of each meaning.

    meanings = read_meanings()
    for phrase in read_phrases(FOLDER / "known.txt"):
        print(phrase.body, meanings[phrase.meaning]["count"])

`meanings.txt` and `known.txt` describe their formats. `phrase_outcome` finds the real outcome.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

SITUATIONS = ("confirm", "invited", "mine", "theirs", "count", "agreed", "over", "nogame")
FOLDER = Path(__file__).parents[1] / "mailgate" / "handling" / "phrases"
LINE_END = "⏎"


@dataclass(frozen=True, slots=True)
class Wanted:
    """One wanted outcome: `asks pass`, `acts Moved D4 alone`."""

    way: str
    what: str = ""

    def __str__(self) -> str:
        return f"{self.way} {self.what}".strip()


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase, its meaning, and its subject, such as a point."""

    meaning: str
    text: str
    about: str = "D4"

    @property
    def body(self) -> str:
        return self.text.replace(LINE_END, "\n")


Meanings = Mapping[str, Mapping[str, tuple[Wanted, ...]]]
"""The wanted outcomes by meaning and situation."""


def read_meanings(path: Path = FOLDER / "meanings.txt") -> Meanings:
    """Parse a file of meanings; an unknown situation fails."""
    found: dict[str, dict[str, tuple[Wanted, ...]]] = {}
    for line in _lines(path):
        if line.startswith("["):
            name = line[1 : line.index("]")]
            found[name] = dict(found.get("usual", dict.fromkeys(SITUATIONS, ())))
            continue
        situations, _, wanted = line.partition(":")
        for situation in situations.split():
            assert situation in SITUATIONS, line
            found[name][situation] = tuple(map(_wanted, wanted.split("|")))
    return found


def _wanted(text: str) -> Wanted:
    way, _, what = text.strip().partition(" ")
    return Wanted(way, what)


def read_phrases(path: Path) -> list[Phrase]:
    """The phrases of a file in order."""
    found: list[Phrase] = []
    for line in _lines(path):
        if line.startswith("["):
            meaning = line.strip("[]")
            continue
        text, arrow, about = line.partition(" => ")
        phrase = Phrase(meaning, text)
        found.append(replace(phrase, about=about.strip()) if arrow else phrase)
    return found


def _lines(path: Path) -> Iterator[str]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line
