r"""The phrases that programs write, by topic and language: `words/*.toml` as patterns.

Pure. Each line is a phrase in lower case, and a small pattern: `(a|b)` is a choice, `?` marks an
optional part, `\w*` is the rest of a word, and ` .. ` some words of one sentence. A phrase begins
with a word or a choice, so that only few phrases are tried at each place of a text.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

_JOINED = frozenset(("ar", "fa", "he", "hi", "ja", "ko", "th", "zh"))
"""Languages that write words together: a phrase of theirs may begin or end within one."""
_SOME_WORDS = r"\b(?:[^.!?]|[.](?=\w)){0,60}\b"
_BRACKET = re.compile(r"(?<!\\)\((?!\?)")
_CHOICE = re.compile(r"\((?!\?)([^()]*)\)(?![?*{])")
_PAIR = re.compile(r"\w[\w '-](?![?*{])")


class Phrases(dict[str, list[re.Pattern[str]]]):
    """Phrases by their first two characters, or by "" if these are unknown.

    The letter case of a text does not matter.

    >>> bool(phrases("automatic-subject").match_at("Undeliverable: D4"))
    True
    """

    def match_at(self, text: str, at: int = 0) -> re.Match[str] | None:
        """The match of a phrase that begins at a place of a text; None if there is none."""
        lower = _lower(text)
        for pair in (lower[at : at + 2], ""):
            for one in self.get(pair, ()):
                if match := one.match(lower, at):
                    return match
        return None

    def find_all(self, text: str) -> Iterator[re.Match[str]]:
        """All matches of the phrases in a text, in no order."""
        lower = _lower(text)
        places = _places(lower)
        for pair in self.keys() & places.keys():
            for one in self[pair]:
                yield from filter(None, (one.match(lower, at) for at in places[pair]))
        for one in self.get("", ()):
            yield from one.finditer(lower)


def _lower(text: str) -> str:
    return text.lower().replace("ı", "i")  # in capitals they are one letter


@lru_cache(maxsize=1)  # one text is searched for several topics
def _places(text: str) -> dict[str, list[int]]:
    places = defaultdict[str, list[int]](list)
    for at, pair in enumerate(map("".join, pairwise(text))):
        places[pair].append(at)
    return places


@cache
def topics() -> dict[str, dict[str, Any]]:
    """Every topic: its languages, and its `weight` if it has one."""
    folder = (files("mailgate.reading") / "words").iterdir()
    texts = (file.read_text("utf-8") for file in folder if file.name.endswith(".toml"))
    return {name: topic for text in texts for name, topic in tomllib.loads(text).items()}


def phrases_of(*names: str) -> Iterator[tuple[str, str]]:
    """The phrases of some topics, each with its language before it."""
    for name in names:
        for language, lines in topics()[name].items():
            if language != "weight":
                yield from ((language, line) for line in lines.strip().split("\n"))


def words(*names: str) -> tuple[str, ...]:
    """The phrases of topics that are plain words."""
    return tuple(word for _, word in phrases_of(*names))


def phrases(*names: str, before: str = "", after: str = "") -> Phrases:
    """The phrases of topics, between the patterns `before` and `after` in languages with spaces."""
    made = Phrases()
    for language, line in phrases_of(*names):
        phrase = line.replace("ı", "i")
        pattern = _BRACKET.sub("(?:", phrase).replace(" .. ", _SOME_WORDS)
        pattern_with_edges = pattern if language in _JOINED else f"{before}{pattern}{after}"
        for pair in _beginnings(phrase):
            made.setdefault(pair, []).append(re.compile(pattern_with_edges))
    return made


def _beginnings(phrase: str) -> set[str]:
    """The first two characters of a phrase, in each choice; "" if they are unknown."""
    choice = _CHOICE.match(phrase)
    rest = phrase[choice.end() :] if choice else ""
    choices = [way + rest for way in choice[1].split("|")] if choice else [phrase]
    return {way[:2] for way in choices} if all(map(_PAIR.match, choices)) else {""}
