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
from tests.support.examples import some

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


def test_thirteen_languages_are_understood() -> None:
    """Each by its own file."""
    assert {"de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "sv", "zh"} <= {
        *CODES
    }
    assert {*lexicon().languages} == {*CODES}


def test_no_word_is_both_polite_and_doubtful() -> None:
    """Else a doubt in one language would be executed."""
    assert sorted(lexicon().polite & lexicon().doubts) == []


@pytest.mark.parametrize("code", CODES)
def test_each_language_has_every_list(code: str) -> None:
    """Nothing that people say beside a command is forgotten."""
    known = words(code)
    empty = {f"{name} {key}" for name in SECTIONS for key in SECTIONS[name] if not known[name][key]}
    assert empty == set()
    terms = "game board handicap komi move per day week unlimited opponent me"
    assert {*terms.split()} <= {*known["terms"]}


@pytest.mark.parametrize("code", CODES)
def test_each_statement_has_a_known_verb(code: str) -> None:
    """A statement that acts has a verb which somebody reads."""
    named = {*words(code)["acts"], *words(code).get("verbs", {})}
    assert named - {*READERS} == set()


@pytest.mark.parametrize("code", CODES)
def test_each_statement_is_its_verbs_command(code: str) -> None:
    """With a point or a name in its slot."""
    lines = {
        (verb, line.replace("P", "d4").replace("B", "bob"))
        for verb, text in words(code)["acts"].items()
        for line in statement_lines(text)
    }
    read = {(verb, line): read_statement(line) for verb, line in lines}
    assert {one: found for one, found in read.items() if found is None or found[0] != one[0]} == {}


@pytest.mark.parametrize("code", CODES)
def test_courtesies_are_no_commands(code: str) -> None:
    """No greeting, closing or thanks acts, or retracts."""
    beside = words(code)["beside"]
    lines = [
        line
        for name in ("greetings", "closings", "thanks")
        for line in statement_lines(beside[name])
    ]
    assert [line for line in lines if lexicon().verb_of(line) is not None] == []
    assert [line for line in lines if line in lexicon().retracts] == []


@pytest.mark.parametrize("code", CODES)
def test_the_language_is_guessed(code: str) -> None:
    """For a quarter of all phrases, and hardly ever wrongly."""
    text = "\n".join(words(code)["means"].values())
    lines = some([line for line in text.split("\n") if line], 4)
    found = Counter(map(lexicon().guess_language, lines))
    assert found[code] > 0.25 * len(lines)
    assert len(lines) - found[code] - found[""] <= 1 + 0.001 * len(lines)


@pytest.mark.parametrize("code", CODES)
def test_each_meaning_is_a_topic_or_talk(code: str) -> None:
    """A third of the phrases are talk."""
    known = {name: len(text.split("\n")) for name, text in words(code)["means"].items()}
    assert [name for name in known if name not in TALK and not topic(name).text] == []
    assert sum(known.values()) >= 500
    assert sum(known[name] for name in TALK) >= 0.3 * sum(known.values())
