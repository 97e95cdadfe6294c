"""Links and advertising in names and text."""

from pathlib import Path

import pytest

from mailgate.address import clean_name, parse_address
from mailgate.links import advertises, leads_elsewhere

FOLDER = Path(__file__).with_name("names")


def listed(file: str) -> list[str]:
    """The names in a file, one on a line."""
    return (FOLDER / f"{file}.txt").read_text(encoding="utf-8").rstrip("\n").split("\n")


@pytest.mark.parametrize("name", listed("advertisements"))
def test_what_is_no_name(name: str) -> None:
    """The name is dropped, and the local part replaces it."""
    assert advertises(name)
    quoted = name.replace('"', "")
    assert parse_address(f'"{quoted}" <eve@players.example>').name == ""


@pytest.mark.parametrize("name", listed("initials"))
def test_names_of_people(name: str) -> None:
    """They are left as they are, with their full stops and initials."""
    assert not advertises(name)


@pytest.mark.parametrize("file", ["people", "more_people"])
def test_names_from_all_over_the_world(file: str) -> None:
    """Their titles, initials, hyphens, middle dots and marks of all scripts stay."""
    assert [name for name in listed(file) if clean_name(name) == ""] == []


def test_names_altered_at_a_dot() -> None:
    """Left out, spelt or written in a word, by another mark, or beside one that cannot be seen."""
    assert [name for name in listed("nobody") if clean_name(name)] == []


@pytest.mark.timeout(10)
@pytest.mark.parametrize("end", ["", "ab", "!", " x"])
@pytest.mark.parametrize("piece", ["_", "- ", "a_", "._", ". ", "a.", "( ", "1 (", "a-.", ". a "])
def test_no_name_takes_long_to_read(piece: str, end: str) -> None:
    """A thousand dots in From cost no time."""
    advertises(piece * (900 // len(piece)) + end)


def test_a_name_has_an_end() -> None:
    """The longest that there are have some two hundred letters; a whole page is none."""
    assert clean_name("Anna " * 50).startswith("Anna Anna")
    assert clean_name("Anna " * 70) == ""


@pytest.mark.parametrize("words", ["see evil.zip", "x.nl", "hxxp://a", "evil。ai", "go to a.co.uk"])
def test_words_that_lead_elsewhere(words: str) -> None:
    """What a mail program would make a link of, or a person would follow."""
    assert leads_elsewhere(words)


@pytest.mark.timeout(10)
def test_one_long_word_is_looked_at_once() -> None:
    """However long, and with anything before it."""
    assert not leads_elsewhere("Hello. " + "-" * 60_000)
    assert leads_elsewhere("-" * 60_000 + " evil.zip")


@pytest.mark.parametrize(
    "words", ["D4.Good luck!", "D4. Good luck", "komi 6.5", "v1.2.3", "e.g. D4", "Thanks... yes"]
)
def test_words_of_players(words: str) -> None:
    """What they write, with and without a space behind the full stop."""
    assert not leads_elsewhere(words)
