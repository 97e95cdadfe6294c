"""Commands that a mail program wrapped over several lines."""

import textwrap

import pytest

from mailgate.language.parser import parse_text
from tests.support.rows import each_row

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


@pytest.mark.parametrize("width", range(58, 80, 3))
@each_row("whole", WHOLE)
def test_a_wrapped_command_is_joined(whole: str, width: int) -> None:
    """At any width; the text below it is the message."""
    words = "Thank you for the game!"
    text = parse_text([*textwrap.wrap(whole, width), "", words])
    assert [one.command for one in text.commands] == [parse_text([whole]).commands[0].command]
    assert text.message == words
