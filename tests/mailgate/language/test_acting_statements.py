"""The grammar: commands, talk, and doubtful commands; tables of lines."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.games import commands as cmd
from godaemon.rules.points import parse_point
from mailgate.language.acting_statements import (
    VERBS_IN_QUESTIONS,
    has_retraction,
    is_greeting,
    is_name,
    is_polite,
    read_talk,
)
from mailgate.language.lexicon import IRREVERSIBLE, lexicon
from mailgate.language.parser import parse_text
from tests.support.rows import each_row


def rows(table: str) -> list[tuple[str, ...]]:
    """The rows of a table, with cells separated by bars."""
    return [tuple(cell.strip() for cell in row.split("|")) for row in table.strip().split("\n")]


@each_row(
    ("statement", "verb"),
    [
        (line, verb)
        for line, verb in sorted(lexicon().acts.items())
        if verb in IRREVERSIBLE and not {"P", "B"} & {*line.split()}
    ][::5],
)
def test_an_irreversible_statement_stands_alone(statement: str, verb: str) -> None:
    """No game is resigned, and nobody forgotten, in a longer text."""
    for words in ("Good game. {}", "{}, I think", "{}. Or do you?", "Sorry I was away. {}"):
        assert read_talk(words.format(statement)) is None, words
    assert read_talk(f"{statement}?") is None


@each_row("verb", sorted({*lexicon().acts.values()} - {"yes", "no", "agree", "send"}))
def test_only_queries_may_be_questions(verb: str) -> None:
    """`show?` is answered; `pass?` is no pass."""
    lines = (line for line, intent in sorted(lexicon().acts.items()) if intent == verb)
    line = next(one for one in lines if one.isascii()).replace("P", "d4").replace("B", "bob")
    assert (read_talk(f"{line}?") is not None) is (verb in VERBS_IN_QUESTIONS)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("note is that a ladder?", "is that a ladder?"),
        ("note: is that a ladder?", "is that a ladder?"),
        ("hidden why did he play there?", "why did he play there?"),
    ],
)
def test_a_note_may_be_a_question(line: str, text: str) -> None:
    """It is for its writer alone."""
    (one,) = parse_text([line]).commands
    assert isinstance(one.command, cmd.Note)
    assert one.command.text == text


D4 = cmd.Play(parse_point("D4"))


def test_a_retraction_is_a_statement_of_its_own() -> None:
    """It is a statement of its own."""
    assert has_retraction(["yes", "oh, never mind"])
    assert not has_retraction(["yes", "never mind the gap"])


POLITE = """
Hi Bo,          | greets
Dear Alice      | greets
Liebe Grüße     | greets
Best wishes     | greets
Many thanks!    | polite
Sorry           | polite
Hi, D4          |
hi pass         |
Nice weather    |
Bob             |
"""


@pytest.mark.parametrize(("line", "kind"), rows(POLITE))
def test_greetings_and_thanks(line: str, kind: str) -> None:
    """Both are polite; a command is neither."""
    assert is_greeting(line) is (kind == "greets")
    assert is_polite(line) is (kind in ("greets", "polite"))


@pytest.mark.parametrize(
    ("line", "name"),
    [("Bob", True), ("Bob Ray", True), ("bob", False), ("A B C", False), ("", False)],
)
def test_one_or_two_capitalised_words_may_be_a_name(line: str, name: bool) -> None:
    """One or two words with a capital may be a name."""
    assert is_name(line) is name


PARTS: Sequence[str] = (
    *("D4", "pass", "I resign", "done", "yes", "no", "not", "maybe", "if", "Hi Bob", "thanks"),
    *("E5", "never mind", "I play D4", "please", "stop", "undo", "C3 is dead", "?", "パスします"),
)


@given(st.lists(st.tuples(st.sampled_from(PARTS), st.sampled_from([", ", ". ", "! ", "? ", " "]))))
def test_any_statements_in_one_line(parts: list[tuple[str, str]]) -> None:
    """At most one mentioned move is played, and nothing irreversible or retracted is done."""
    line = "".join(statement + stop for statement, stop in parts)
    found = read_talk(line)
    if found is None:
        return
    named = {str(one) for one in (D4, cmd.Play(parse_point("E5"))) if str(one.point) in line}
    assert not isinstance(found.command, cmd.Play) or str(found.command) in named
    if isinstance(found.command, cmd.Resign | cmd.Stop):
        assert {statement for statement, _ in parts} <= {
            "I resign",
            "stop",
            "please",
            "thanks",
            "Hi Bob",
            "?",
        }
    assert "never mind" not in line
