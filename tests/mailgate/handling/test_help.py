"""`help`: a dozen lines for where its reader stands, and all there is by `help all`."""

from __future__ import annotations

import re

import pytest

from mailgate.language.parser import parse_text
from tests.support.gateway import Gateway, Person
from tests.support.letters import part


class Desk:
    """Alice and Bob, who may play; Eve has no game."""

    def __init__(self) -> None:
        self.gateway = Gateway()
        self.alice, self.bob = self.gateway.person("Alice"), self.gateway.person("Bob")
        self.eve = self.gateway.person("Eve")
        self.gateway.start(self.alice, self.bob, "9x9 as black")

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
def test_help_is_of_the_moment(moment: str, has: tuple[str, ...], lacks: tuple[str, ...]) -> None:
    """What can be written now, each a line that is understood; and how to have all."""
    who = Desk().at(moment)
    assert (who.write if moment == "nogame" else who.reply)("help").event == "accepted"
    text = part(who.read(), "plain")
    lines = re.findall(r"^  (?:→|Reply with:) (.+?)(?:  .*)?$", text, re.MULTILINE)
    assert {*has, "help all"} <= set(lines)
    assert not set(lacks) & set(lines)
    for line in lines:
        assert parse_text([line], "").commands, line
    assert len(text.splitlines()) < 60


def test_help_all_has_every_verb() -> None:
    """The whole table, for whoever asks for it."""
    desk = Desk()
    desk.alice.reply("help all")
    text = part(desk.alice.read(), "plain")
    for line in ("cancel ifs", "describe", "sgf", "timezone Europe/Berlin", "Rules: japanese"):
        assert line in text


def test_a_newcomer_who_asks_is_answered_before_they_are_told_how_to_begin() -> None:
    """Whomever they call `you`: nobody else is there to be asked."""
    desk = Desk()
    desk.eve.write("Hi! Which rules do you use, Japanese or Chinese? And how long does it take?")
    letter = desk.eve.read()
    told = " ".join(part(letter, "plain").split())
    answers = ["All rules, from the beginning: “learn”", "To begin, send one of these"]
    assert "`" not in part(letter, "html")
    assert sorted(map(told.index, answers)) == [*map(told.index, answers)]


def test_words_of_who_has_no_opponent_are_passed_on_to_nobody() -> None:
    """Bug: a newcomer's first answer said that they were."""
    desk = Desk()
    desk.eve.write("help\nI would like to learn this game with my daughter.")
    told = " ".join(part(desk.eve.read(), "plain").split())
    assert "passed on" not in told
