"""The manual page of the configuration is built from its models and the shipped file."""

import re

import pytest

from godaemon.config.mistakes import option_names
from godaemon.config.settings import Settings
from tests.support.options_page import FORMS, PAGE, page, paragraphs, type_words


def test_the_page_is_current() -> None:
    """config/man/godaemon.toml.5 is what `python -m tests.support.options_page` prints now."""
    assert PAGE.read_text("utf-8") == page()


def test_every_option_is_described_once() -> None:
    """In its section."""
    described = [
        ".".join(filter(None, (section, name)))
        for section, words, names in paragraphs()
        for name in names
        if words
    ]
    assert sorted(described) == sorted(".".join(name) for name in option_names(Settings))


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("recipients", r"a whole number from 1 up to 10000; default 100"),
        ("poll", r"a number from 1 up to 86400; default 60"),
        ("security", r'"tls", "starttls" or "none"; default \(dqtls\(dq'),
        ("flag", r"'\eSeen', '\eFlagged', '\eAnswered' or a keyword; default '\eSeen'"),
        ("note", r"text of at most 80 characters; default \(dq\(dq"),
        ("verp", "true or false; default true"),
        ("tls_key", "a secret"),
        ("command", "a program and its arguments; required"),
        ("maildir", r"an absolute path; default \(dq/var/lib/godaemon/mail\(dq"),
    ],
)
def test_options_are_described_by_their_type(option: str, words: str) -> None:
    """With limits and default."""
    assert rf"\fB{option}\fR: {words}" in page().splitlines()


def test_types_without_checks_are_described_by_kind() -> None:
    """A type without one of our checks is described by its kind."""
    assert type_words(int) == "a whole number"
    assert all(re.match(r"[a-zA-Z'(]", form) for form in FORMS.values())
