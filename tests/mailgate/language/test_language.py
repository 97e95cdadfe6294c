"""Commands: tolerant in form, strict in meaning."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.errors import Unreadable
from godaemon.games.commands import Command
from mailgate.language.command_lines import is_command_line
from mailgate.language.parser import MAX_COMMANDS, parse_text
from mailgate.language.verb_table import verbs
from mailgate.language.written_times import split_time
from mailgate.tokens import MAX_MESSAGE, clean_message


def commands(*lines: str) -> list[Command]:
    """The commands that a letter of these lines asks for."""
    return [one.command for one in parse_text(lines).commands]


def refused(*lines: str) -> Unreadable:
    """The refusal of a letter of these lines."""
    with pytest.raises(Unreadable) as caught:
        parse_text(lines)
    return caught.value


def test_too_many_commands_are_refused() -> None:
    """Ten are read, eleven are not."""
    assert len(commands(*[f"show {number}" for number in range(MAX_COMMANDS)])) == MAX_COMMANDS
    refused(*[f"show {number}" for number in range(MAX_COMMANDS + 1)])


def test_every_example_of_a_verb_is_a_command() -> None:
    """The help letter shows them."""
    for entry in verbs().values():
        for line in entry.examples:
            assert is_command_line(line), line


def test_tokens_are_removed_from_messages() -> None:
    """A reader of a token could move for the letter's writer."""
    token = "34-b-57-2-mfrggzdfmztwq2lk"
    held = "h12-mfrggzdfmztwq2lk"
    text = f"go+{token}@example.org, <{token.upper()}.u1@example.org>, go+{held}@x.org, {held}"
    cleaned = clean_message(text)
    assert "mfrggzdfmztwq2lk" not in cleaned.lower()


def test_messages_are_cleaned_and_shortened() -> None:
    """No control characters, reversed text, or many blank lines."""
    assert clean_message("a\x00\x1b[2J\u202eb\r\n\n\n\n\nc \n") == "a[2Jb\n\nc"
    assert len(clean_message("word " * 5_000)) <= MAX_MESSAGE
    assert clean_message("👨‍👩‍👧 好") == "👨‍👩‍👧 好"


@given(st.lists(st.text(max_size=40), max_size=12), st.text(max_size=60))
def test_any_lines_are_read_or_unreadable(lines: list[str], subject: str) -> None:
    """Nothing but `Unreadable` is raised."""
    try:
        parse_text(lines, subject)
    except Unreadable:
        return


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "line",
    [
        *("d" * 200_000, "d4 " * 60_000, "dead " + "q16 " * 60_000, "(" * 200_000),
        *("new " + "9x9 " * 60_000, "new " + "@" * 200_000, "say " + "x" * 200_000),
        *("q16 " * 60_000 + "dead", "show " + "1" * 200_000, " " * 200_000, "-" * 200_000),
        *("+34-" * 60_000, "new " + "<mailto:" * 100_000, "[" * 200_000, "re: " * 60_000),
    ],
    ids=lambda line: repr(line[:12]),
)
def test_hostile_lines_take_bounded_time(line: str) -> None:
    """No line makes the reader slow."""
    for lines, subject in (([line], ""), (["hi", *[line[:2_000]] * 1_000], ""), ([], line)):
        try:
            parse_text(lines, subject)
        except Unreadable:
            continue


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_a_hostile_time_limit_takes_bounded_time() -> None:
    """Nor does a word without an end."""
    assert split_time("“" * 60_000) == ("", "“" * 60_000)
