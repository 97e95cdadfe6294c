"""Commands that a mail program broke over several lines are read whole, or not at all."""

from __future__ import annotations

import textwrap

import pytest

from godaemon.errors import Unreadable
from mailgate.language.parser import ParsedText, parse_text

LONG = " ".join(f"{column}{row}" for row in (1, 2, 3, 4) for column in "ABCDEFGHJ")
PLANS = ", ".join(f"if {column}4 then {column}5" for column in "ABCDEFGH")
WHOLE = (
    f"dead {LONG} only",
    f"alive {LONG}",
    f"try {LONG}",
    f"if {PLANS[3:]}",
    f"place {LONG[:70].rpartition(' ')[0]}",
    "new 13x13 handicap 3 komi 0.5 rules japanese rated estimates as black vs bob@example.org",
)


def read(*lines: str) -> tuple[ParsedText | None, str]:
    """What a letter says, and why it could not be read."""
    try:
        return parse_text(lines), ""
    except Unreadable as fault:
        return None, fault.public


@pytest.mark.parametrize("width", range(58, 80, 3))
@pytest.mark.parametrize("whole", WHOLE, ids=lambda line: line.split()[0])
def test_a_command_broken_by_a_mail_program_is_one_command(whole: str, width: int) -> None:
    """At whatever width; the words below it are the opponent's, and nothing else is."""
    words = "Thank you for the game!"
    text = parse_text([*textwrap.wrap(whole, width), "", words])
    assert [one.command for one in text.commands] == [parse_text([whole]).commands[0].command]
    assert text.message == words


@pytest.mark.parametrize(
    ("lines", "whole"),
    [
        ("dead G5|A1 A5 only", "dead G5 A1 A5 only"),
        ("dead G5|A5", "dead G5 A5"),
        ("dead|A1 B1", "dead A1 B1"),
        ("if D4 then E5|if F6|then G7", "if D4 then E5 if F6 then G7"),
        ("if D4 then E5,|if F6 then G7", "if D4 then E5 if F6 then G7"),
        ("new 9x9 vs|bob@example.org", "new 9x9 vs bob@example.org"),
        ("new 9x9|vs bob@example.org|komi 5.5", "new 9x9 vs bob@example.org komi 5.5"),
    ],
)
def test_the_rest_of_a_form_goes_on_however_short_it_is(lines: str, whole: str) -> None:
    """Points alone, the terms of a game, the answer of a plan."""
    text = parse_text(lines.split("|"))
    assert [one.command for one in text.commands] == [parse_text([whole]).commands[0].command]
    assert not text.message


@pytest.mark.parametrize(
    ("lines", "commands", "words"),
    [
        ("dead G5|A1 looks alive to me", 1, "A1 looks alive to me"),
        ("if D4 then E5|if C3 then D3", 2, ""),
        ("try D4 E5|F6", 2, ""),
        ("dead A1|E5 is alive", 2, ""),
        ("new 9x9 vs bob@example.org|Good luck", 1, "Good luck"),
        ("new 9x9 vs Bob|Good luck", 1, "Good luck"),
        ("D4|A1 was a good move", 1, "A1 was a good move"),
    ],
)
def test_what_stands_on_its_own_stays_apart(lines: str, commands: int, words: str) -> None:
    """A second command, and words to the opponent."""
    text = parse_text(lines.split("|"))
    assert (len(text.commands), text.message) == (commands, words)


@pytest.mark.parametrize("lines", ["dead G5|A1 A5 onyl", "dead G5||A1 A5", "dead G5 only|A1"])
def test_what_is_left_of_a_list_is_told_to_nobody(lines: str) -> None:
    """Nothing is done then, and its writer is asked."""
    text, why = read(*lines.split("|"))
    assert text is None
    assert "Nothing was done" in why
