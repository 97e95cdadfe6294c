"""Links and advertising in names and text."""

from pathlib import Path

import pytest

from mailgate.address import clean_name, parse_address
from mailgate.links import advertises, leads_elsewhere
from tests.support.rows import each_row

FOLDER = Path(__file__).with_name("names")


def names_in(file: str) -> list[str]:
    """The names in a file, one per line."""
    return (FOLDER / f"{file}.txt").read_text(encoding="utf-8").rstrip("\n").split("\n")


@each_row("name", names_in("advertisements"))
def test_advertisements_are_no_names(name: str) -> None:
    """The local part replaces them."""
    assert advertises(name)
    quoted = name.replace('"', "")
    assert parse_address(f'"{quoted}" <eve@players.example>').name == ""


@each_row("name", names_in("initials"))
def test_initials_are_kept(name: str) -> None:
    """With their full stops."""
    assert not advertises(name)


@pytest.mark.parametrize("file", ["people", "more_people"])
def test_names_in_all_scripts_are_kept(file: str) -> None:
    """With titles, hyphens, middle dots and marks."""
    assert [name for name in names_in(file) if clean_name(name) == ""] == []


def test_disguised_domains_are_dropped() -> None:
    """The dot left out, spelt, or written with another or an invisible character."""
    assert [name for name in names_in("nobody") if clean_name(name)] == []


@pytest.mark.timeout(120)
@pytest.mark.parametrize("end", ["", "ab", "!", " x"])
@each_row("piece", ["_", "- ", "a_", "._", ". ", "a.", "( ", "1 (", "a-.", ". a "])
def test_hostile_names_take_bounded_time(piece: str, end: str) -> None:
    """Such as a thousand dots in From."""
    advertises(piece * (900 // len(piece)) + end)


def test_the_length_of_a_name_is_limited() -> None:
    """The longest real names have some two hundred letters."""
    assert clean_name("Anna " * 50).startswith("Anna Anna")
    assert clean_name("Anna " * 70) == ""


@pytest.mark.parametrize("words", ["see evil.zip", "x.nl", "hxxp://a", "evil。ai", "go to a.co.uk"])
def test_links_in_text_are_found(words: str) -> None:
    """What a mail program would link, or a person would follow."""
    assert leads_elsewhere(words)


@pytest.mark.timeout(120)
def test_a_long_word_takes_linear_time() -> None:
    """Whatever precedes it."""
    assert not leads_elsewhere("Hello. " + "-" * 60_000)
    assert leads_elsewhere("-" * 60_000 + " evil.zip")


@pytest.mark.parametrize(
    "words", ["D4.Good luck!", "D4. Good luck", "komi 6.5", "v1.2.3", "e.g. D4", "Thanks... yes"]
)
def test_text_of_players_has_no_links(words: str) -> None:
    """With and without a space after the full stop."""
    assert not leads_elsewhere(words)
