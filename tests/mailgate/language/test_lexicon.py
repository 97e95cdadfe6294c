"""The lexicon: a language is a file, and no statement has two meanings."""

import shutil
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from mailgate import language
from mailgate.language import acting_statements, command_lines, lexicon, parser, statement_splitting
from mailgate.language import meaning_model as model
from mailgate.language.lexicon import IRREVERSIBLE, Lexicon
from mailgate.language.parser import parse_text
from mailgate.language.verb_table import READERS

WORDS = Path(language.__file__).parent / "words"
README = WORDS / "README.md"
CACHED: tuple[Any, ...] = (
    lexicon.lexicon,
    acting_statements.read_statement,
    model.meaning,
    command_lines.whole_command,
    parser._read_once,
    statement_splitting.statements,
)
"""What keeps what it has read."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of all languages, which may be written to."""
    return Path(shutil.copytree(WORDS, tmp_path / "words"))


@cache
def loaded_with_finnish() -> Lexicon:
    """What a folder of all languages and Finnish makes."""
    with TemporaryDirectory() as place:
        folder = Path(shutil.copytree(WORDS, Path(place) / "words"))
        finnish = README.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]
        (folder / "fi.toml").write_text(finnish, encoding="utf-8")
        return Lexicon(folder)


@pytest.fixture
def with_finnish(monkeypatch: pytest.MonkeyPatch) -> Iterator[Lexicon]:
    """Add Finnish from the file in the README."""
    ours = lexicon.lexicon()
    for known in (loaded_with_finnish(), ours):
        for one in CACHED:
            one.cache_clear()
        with monkeypatch.context() as patch:
            patch.setattr(lexicon, "Lexicon", lambda _, known=known: known)
            lexicon.lexicon()
        if known is not ours:
            yield known


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("Pelaan D4", "Play(point=Point(column=3, row=3))"),
        ("Siirto on D4.", "Play(point=Point(column=3, row=3))"),
        ("musta D4", "Play(point=Point(column=3, row=3))"),
        ("Passaan", "Pass()"),
        ("Passaan, kiitos!", "Pass()"),
        ("Hei Bob! Passaan.", "Pass()"),
        ("C3 on kuollut", "dead C3"),
        ("C3 ja H8 on kuollut", "dead C3 H8"),
        ("kuollut C3", "dead C3"),
        ("No niin passaan haha", "Pass()"),
    ],
)
def test_a_new_language_needs_only_a_file(with_finnish: Lexicon, line: str, command: str) -> None:
    """The README's example."""
    assert "fi" in with_finnish.languages
    assert [str(one.command) for one in parse_text([line]).commands] == [command]


@pytest.mark.parametrize(
    "line", ["Ehkä pelaan D4", "Passaan, jos haluat", "Passaan. Unohda se.", "Passaan?"]
)
def test_a_new_languages_words_of_doubt_count(with_finnish: Lexicon, line: str) -> None:
    """Its words of doubt hold a command back."""
    assert acting_statements.read_talk(line) is None


@pytest.mark.parametrize("line", ["Passaan please", "pass kiitos bitte", "Pelaan D4 bitte"])
def test_a_new_language_is_not_mixed_with_others(with_finnish: Lexicon, line: str) -> None:
    """A polite word of one may mean anything in another."""
    assert acting_statements.read_talk(line) is None


def test_a_file_may_have_one_list(tmp_path: Path) -> None:
    """A translator can begin with it."""
    (tmp_path / "fi.toml").write_text("[acts]\npass = 'passaan'\n", encoding="utf-8")
    (tmp_path / "README.md").write_text("no language", encoding="utf-8")
    assert Lexicon(tmp_path).verb_of("passaan") == "pass"


@pytest.mark.parametrize(
    "more",
    ["[acts]\nresign = 'pass'\n", "[acts]\npass = 'ohi'\nundo = 'Ohi'\n"],
    ids=["of another language", "of its own"],
)
def test_an_ambiguous_statement_is_refused(folder: Path, more: str) -> None:
    """The error names it and its two verbs."""
    (folder / "fi.toml").write_text(more, encoding="utf-8")
    with pytest.raises(ValueError, match=r"means \w+ and \w+"):
        Lexicon(folder)


def test_no_verb_is_a_statement_of_another() -> None:
    """`moves` could not be a verb while it is a statement of `history`."""
    acts = lexicon.lexicon().acts
    assert {verb: acts[verb] for verb in READERS if acts.get(verb, verb) != verb} == {}


def test_an_unknown_slot_is_refused(folder: Path) -> None:
    """A typing error would make a statement that never matches."""
    (folder / "fi.toml").write_text("[acts]\ndead = '{stone} on kuollut'\n", encoding="utf-8")
    with pytest.raises((ValueError, KeyError)):
        Lexicon(folder)


@pytest.mark.parametrize(
    ("statement", "verb"),
    [
        ("pass", "pass"),
        ("please pass now", "pass"),
        ("ich passe bitte", "pass"),
        ("pas mal", None),
        ("pass mal auf", None),
        ("paso bitte", None),
        ("ja genau", "yes"),
        ("yes no", None),
        ("thank you", None),
        ("", None),
    ],
)
def test_polite_words_belong_to_one_language(statement: str, verb: str | None) -> None:
    """`pas mal` is French praise, though `pas` is a Dutch pass and `mal` a polite German word."""
    assert lexicon.lexicon().verb_of(statement) == verb


@pytest.mark.parametrize("verb", sorted(IRREVERSIBLE))
def test_an_irreversible_statement_has_no_polite_words(verb: str) -> None:
    """`stop there` and `resign now` are talk."""
    known = lexicon.lexicon()
    lines = [line for line, intent in known.acts.items() if intent == verb]
    assert verb in READERS
    assert [line for line in lines if known.verb_of(f"{line} there") is not None] == []
    assert [line for line in lines if known.verb_of(f"now {line}") not in (None, verb)] == []


def test_greetings_change_nothing() -> None:
    """A point and a command do."""
    known = lexicon.lexicon()
    nothing, something = ("hi B", "thanks", "well ok"), ("P", "pass", "hi P", "", "nice weather")
    assert all(map(known.changes_nothing, nothing))
    assert not any(map(known.changes_nothing, something))


@pytest.mark.parametrize(
    ("words", "plays"),
    [
        ("i play", True),
        ("ich spiele", True),
        ("i spiele", False),
        ("打ちます", True),
        ("cat", False),
    ],
)
def test_words_beside_a_move_belong_to_one_language(words: str, plays: bool) -> None:
    """With words of one language, and no others, somebody plays a point."""
    assert lexicon.lexicon().may_stand_beside_move(words.split()) is plays


@pytest.mark.parametrize("code", sorted(lexicon.lexicon().languages))
def test_no_hurry_to_do_it_does_not_do_it(code: str) -> None:
    """`No hurry, D4` is a move, but `no hurry pass` is none, in either order."""
    text = (WORDS / f"{code}.toml").read_text(encoding="utf-8").partition(lexicon.EXAMPLES)[0]
    known, language = lexicon.lexicon(), lexicon.lexicon().languages[code]
    space = "" if language.unspaced else " "
    for row in lexicon.statement_lines(tomllib.loads(text)["beside"]["patience"]):
        for act in sorted(language.acts)[::10]:
            assert known.verb_of(f"{row}{space}{act}") is None
            assert known.verb_of(f"{act}{space}{row}") is None
