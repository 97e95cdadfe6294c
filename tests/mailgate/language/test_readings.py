"""Readings of emails: the blocks of `data/readings`, each a claim with rows.

    == However D4 is typed, it is D4
    Play D4 <= d4 | D-4 | 57. D4

A row has what is read, and the emails that are read so: the commands, and `says WORDS` for what is
passed on; `talk` for an email that is words and nothing else; `refused`, with lines that are
offered then, or `*` for any. `⏎` ends a line, and `Subject: ` stands before what has no text.
"""

from dataclasses import MISSING, fields
from enum import Enum

import pytest

from godaemon.errors import Unreadable
from godaemon.games.commands import Command, Play
from godaemon.rules.points import Color, Point, Size
from mailgate.language.command_lines import is_command_line
from mailgate.language.parser import parse_text
from tests.support import places
from tests.support.blocks import read_blocks
from tests.support.rows import each_row


def rows(name: str) -> list[tuple[str, str, str]]:
    """The rows of the files of that name: claim, email and reading."""
    return [
        (claim, text, wanted)
        for file in sorted((places.DATA / "readings").glob(f"{name}.txt"))
        for claim, block in read_blocks(file).items()
        for wanted, _, texts in (row.partition(" <= ") for row in block.splitlines())
        for text in texts.split(" | ")
    ]


ROWS = rows("*")


def as_text(value: object) -> str:
    """A value in a row."""
    match value:
        case Color():
            return value.word
        case Point() | Size():
            return str(value)
        case Enum():
            return str(value.value)
        case tuple():
            return " ".join(map(as_text, value))
        case _:
            return str(value)


def brief(command: Command) -> str:
    """A command's name and arguments."""
    found = [type(command).__name__]
    for one in fields(command):
        value = getattr(command, one.name)
        if value != one.default and (one.default is not MISSING or value != ()):
            found.append(
                as_text(value) if one.default is MISSING else f"{one.name}={as_text(value)}"
            )
    return " ".join(found)


def read(text: str) -> tuple[str, tuple[str, ...]]:
    """The reading of an email, and the lines offered if it is refused."""
    subject = text.removeprefix("Subject: ") if text.startswith("Subject: ") else ""
    lines = () if subject else tuple(text.split("⏎"))
    try:
        found = parse_text(lines, subject)
    except Unreadable as refusal:
        return "refused", refusal.hints
    if not found.commands and found.message == "\n".join(lines):
        return "talk", ()
    done = [brief(one.command) for one in found.commands]
    words = [f"says {found.message}".replace("\n", "⏎")] if found.message else []
    return "; ".join([*done, *words]), ()


@each_row(("claim", "text", "wanted"), ROWS)
def test_readings(claim: str, text: str, wanted: str) -> None:
    """Each row holds, with its offers."""
    wanted, _, offered = wanted.partition(": ") if "refused" in wanted else (wanted, "", "")
    found, hints = read(text)
    assert found == wanted, claim
    assert hints or not offered
    assert {*filter(None, offered.strip("*").split(", "))} <= {*hints}


@pytest.mark.parametrize("subject", [text for _, text, _ in ROWS if text.startswith("Subject: ")])
def test_a_subject_above_text_is_not_executed(subject: str) -> None:
    """Whatever it would be alone."""
    found = parse_text(["hello"], subject.removeprefix("Subject: "))
    assert (found.commands, found.message) == ((), "hello")


@each_row("line", [text for _, text, _ in rows("talk")])
def test_talk_is_passed_on(line: str) -> None:
    """With more text, and below a move."""
    assert parse_text([line, "and more"]).message == f"{line}\nand more"
    below = parse_text(["D4", "", line])
    assert [one.command for one in below.commands] == [Play(Point(3, 3))]
    assert below.message == line
    assert not is_command_line(line)
