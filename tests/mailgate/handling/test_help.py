"""`help`: a dozen lines for the reader's situation, and everything by `help all`."""

import re

import pytest

from mailgate.language.parser import parse_text
from tests.support.gateway import Person, Table


class Desk(Table):
    """Alice and Bob, who may play; Eve has no game."""

    def at(self, moment: str) -> Person:
        """Who asks for help at a moment, once it has come."""
        if moment == "nogame":
            return self.eve
        if moment == "counting":
            self.alice.reply("pass")
            self.bob.reply("pass")
        elif moment == "over":
            self.alice.resign()
        return self.alice


@pytest.mark.parametrize(
    ("moment", "has", "lacks"),
    [
        ("nogame", ("learn", "new 9x9 vs bob@example.org", "watch"), ("pass", "done")),
        ("playing", ("undo", "note he is weak here"), ("learn", "done")),
        ("counting", ("dead Q16 C3", "alive Q16", "done"), ("learn", "undo")),
        ("over", ("review", "rematch"), ("pass", "done")),
    ],
)
def test_help_has_the_commands_of_the_moment(
    moment: str, has: tuple[str, ...], lacks: tuple[str, ...]
) -> None:
    """Each line is a command; `help all` has the others."""
    person = Desk().at(moment)
    assert (person.write if moment == "nogame" else person.reply)("help").event == "accepted"
    text = person.text()
    lines = re.findall(r"^  (?:→|Reply with:) (.+?)(?:  .*)?$", text, re.MULTILINE)
    assert {*has, "help all"} <= set(lines)
    assert not set(lacks) & set(lines)
    for line in lines:
        assert parse_text([line], "").commands, line
    assert len(text.splitlines()) < 60
