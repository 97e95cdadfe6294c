"""The files of words are complete in each language, and their commands act."""

import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from mailgate import language
from mailgate.language.acting_statements import read_statement
from mailgate.language.lexicon import lexicon, statement_lines
from mailgate.language.meaning_model import TALK
from mailgate.language.verb_table import READERS, topic

FOLDER = Path(language.__file__).parent / "words"
CODES = sorted(path.stem for path in FOLDER.glob("*.toml"))
SECTIONS = {
    "common": {"words"},
    "beside": {"joins", "polite", "greetings", "closings", "thanks"},
    "doubt": {"words", "retracts"},
    "move": {"beside"},
    "colors": {"black", "white"},
    "choice": {"first", "second", "third", "last", "again", "next"},
}
"""What each language has, whatever it calls it."""


@cache
def words(code: str) -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads((FOLDER / f"{code}.toml").read_text(encoding="utf-8"))


def test_the_languages() -> None:
    """These are understood, at least, and each of them by its file alone."""
    assert {"de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "sv", "zh"} <= {
        *CODES
    }
    assert {*lexicon().languages} == {*CODES}


def test_no_word_is_polite_and_doubts() -> None:
    """All languages are read together: who doubts in one would else be obeyed."""
    assert sorted(lexicon().polite & lexicon().doubts) == []


@pytest.mark.parametrize("code", CODES)
def test_a_language_has_every_list(code: str) -> None:
    """Nothing that people say beside a command is forgotten."""
    known = words(code)
    empty = {f"{name} {key}" for name in SECTIONS for key in SECTIONS[name] if not known[name][key]}
    assert empty == set()
    assert {"game", "board", "handicap", "komi"} <= {*known["terms"]}


@pytest.mark.parametrize("code", CODES)
def test_every_verb_is_one_of_ours(code: str) -> None:
    """A statement that acts has a verb which somebody reads."""
    named = {*words(code)["acts"], *words(code).get("verbs", {})}
    assert named - {*READERS} == set()


@pytest.mark.parametrize("code", CODES)
def test_what_acts_acts(code: str) -> None:
    """Each statement of the file, with a point or a name in its slot, is its verb's command."""
    lines = {
        (verb, line.replace("P", "d4").replace("B", "bob"))
        for verb, text in words(code)["acts"].items()
        for line in statement_lines(text)
    }
    read = {(verb, line): read_statement(line) for verb, line in lines}
    assert {one: found for one, found in read.items() if found is None or found[0] != one[0]} == {}


@pytest.mark.parametrize("code", CODES)
def test_what_stands_beside_never_acts(code: str) -> None:
    """No greeting, closing or word of thanks is a command, nor takes one back."""
    beside = words(code)["beside"]
    lines = [
        line
        for name in ("greetings", "closings", "thanks")
        for line in statement_lines(beside[name])
    ]
    assert [line for line in lines if lexicon().verb_of(line) is not None] == []
    assert [line for line in lines if line in lexicon().retracts] == []


@pytest.mark.parametrize("code", CODES)
def test_words_tell_their_language(code: str) -> None:
    """Of what people write a third is known for its language, and next to none for another."""
    lines = [line for text in words(code)["means"].values() for line in text.split("\n") if line]
    found = Counter(map(lexicon().guess_language, lines))
    assert found[code] > 0.3 * len(lines)
    assert len(lines) - found[code] - found[""] <= 0.001 * len(lines)


@pytest.mark.parametrize("code", CODES)
def test_every_meaning_is_a_topic_or_talk(code: str) -> None:
    """Whatever the model may say of words, we have an answer; and a third of a file is talk."""
    known = {name: len(text.split("\n")) for name, text in words(code)["means"].items()}
    assert [name for name in known if name not in TALK and not topic(name).text] == []
    assert sum(known.values()) >= 500
    assert sum(known[name] for name in TALK) >= 0.3 * sum(known.values())
