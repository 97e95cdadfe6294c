"""Our answer about each intent and each word of Go, from `topics.toml`. Pure once it is loaded."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from godaemon.texts.catalogue import say, told
from mailgate.language.verb_table import verbs
from mailgate.language.written_moves import normalize


@dataclass(frozen=True, slots=True)
class Topic:
    """What we say about something, by its key, and the lines that may be replied."""

    name: str
    key: str
    lines: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What we say, in the language that is spoken; empty about talk."""
        return say(self.key) if self.key else ""

    @property
    def sentence(self) -> str:
        """The same for a refusal, which its reader may read in another language."""
        return told(self.key) if self.key else ""


@cache
def _topics() -> tuple[Mapping[str, Topic], Mapping[str, Topic]]:
    """Those of intents by their name, and those of words of Go by each name they have."""
    said = tomllib.loads((files("mailgate.language") / "topics.toml").read_text(encoding="utf-8"))
    words = said.pop("go")
    intents = {
        name: Topic(name, _key(name), (*one.get("lines", ()),)) for name, one in said.items()
    }
    known: dict[str, Topic] = {}
    for name, one in words.items():
        for called in (name, *one["names"]):
            known.setdefault(normalize(called), Topic(name, _key(name), ("learn",)))
    return intents, known


def _key(name: str) -> str:
    return f"topic-{name.replace(' ', '-')}"


def topic(intent: str) -> Topic:
    """What we say about an intent; nothing about talk."""
    return _topics()[0].get(intent, Topic(intent, ""))


def topic_named(word: str) -> Topic | None:
    """The topic that a word behind `help` names: a word of Go, a verb, or an intent."""
    intents, words = _topics()
    if (found := words.get(word)) is not None:
        return found
    if (verb := verbs().get(word)) is not None:
        return intents.get(word) or Topic(word, verb.key, verb.examples)
    return intents.get(word)


def word_of_go(sentence: str) -> Topic | None:
    """The topic of the longest word of Go in a sentence that asks for one, if any."""
    _, words = _topics()
    plain = normalize(sentence)
    spaced = f" {''.join(mark if mark.isalnum() else ' ' for mark in plain)} "
    far = [one for one in words if not one.isascii() and one in plain]
    found = [one for one in words if one in far or f" {one.replace('-', ' ')} " in spaced]
    return words[max(found, key=len)] if found else None
