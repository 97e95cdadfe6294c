"""Print the manual page of the GTP commands: `python -m tests.support.gtp_page`.

The page is built from the contracts in the handlers' docstrings, by family, and stored as
`config/man/godaemon-gtp.7`.
"""

import re
import sys
from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from gtp.argument_readers import stones, words
from gtp.board.commands import BOARD_COMMANDS
from gtp.command_table import Command
from gtp.every_session import POSITION_COMMANDS, SESSION_COMMANDS
from gtp.seat.commands import SEAT_COMMANDS
from tests.support import places
from tests.support.blocks import read_blocks

FAMILIES = ("every_session", "play", "settings", "act", "look", "analyze")
"""The families in the page's order; names of modules."""

ARGUMENTS = {"color": "color", "vertex": "vertex", "integer": "int", "decimal": "float"}
"""Default argument descriptions by reader."""

FRAME = read_blocks(places.DATA / "man_pages.txt")


PARTS = {"Arguments": "none.", "Fails": "never.", "Returns": "nothing.", "Example": ""}
"""The headings of a contract in order, with their default texts."""


class Contract(NamedTuple):
    """A parsed command docstring."""

    summary: str
    parts: dict[str, str]
    more: str = ""
    """The text between the summary and the parts."""


def contract(command: Command) -> Contract:
    """The contract of a command; raises `ValueError` if it has no example.

    Missing parts come from the command's readers and name; a seat's command inherits those of the
    free board's command of the same name.
    """
    lines = [line.strip() for line in (command.handle.__doc__ or "").strip().splitlines()]
    parts: dict[str, str] = {"": ""}
    current = ""
    for line in lines[1:]:
        heading, colon, rest = line.partition(":")
        if colon and heading in PARTS:
            current = heading
            parts[current] = rest.strip()
        elif line:
            parts[current] = f"{parts[current]} {line}".lstrip()
    more = parts.pop("")
    alike = BOARD_COMMANDS.get(command.name)
    if command == SEAT_COMMANDS.get(command.name) and alike is not None:
        parts = contract(alike).parts | parts
    if not command.reads and "Returns" not in parts:
        parts = {"Example": f"`{command.name}` -> `=`"} | parts
    if "Example" not in parts:
        raise ValueError(f"{command.name} has no example")
    names = [getattr(read, "__name__", "") for read in command.reads]
    if "Arguments" not in parts and names and ARGUMENTS.keys() >= {*names}:
        parts["Arguments"] = f"{', '.join(ARGUMENTS[name] for name in names)}."
    fails = parts.get("Fails", "").rstrip(".")
    if {*command.reads} - {stones, words} and not ("syntax error" in fails or fails == "never"):
        parts["Fails"] = "; ".join(filter(None, ["`syntax error`", fails])) + "."
    return Contract(lines[0], PARTS | parts, more)


def page() -> str:
    """The manual page in roff."""
    sections = (
        ("COMMANDS OF EVERY SESSION", SESSION_COMMANDS | POSITION_COMMANDS),
        ("COMMANDS OF A FREE BOARD", BOARD_COMMANDS),
        ("COMMANDS OF A SEAT IN A STORED GAME", SEAT_COMMANDS),
    )
    lines = [FRAME["head of godaemon-gtp.7"]]
    for title, rows in sections:
        lines += [f".SH {title}", *_families(rows.values())]
    lines.append(FRAME["tail of godaemon-gtp.7"])
    return "\n".join(lines) + "\n"


def _families(rows: Iterable[Command]) -> Iterable[str]:
    """The commands of a table; each family's title is the first line of its module."""
    ordered = sorted(rows, key=lambda row: FAMILIES.index(row.handle.__module__.split(".")[-1]))
    for module, family in groupby(ordered, key=lambda row: row.handle.__module__):
        heading = (sys.modules[module].__doc__ or "").strip().splitlines()[0]
        quoted = _text(heading.rstrip(".")).replace('"', r"\(dq")
        yield f'.SS "{quoted}"'
        for _, aliases in groupby(family, key=lambda row: row.handle):
            yield from _entry(list(aliases))


def _entry(rows: list[Command]) -> Iterable[str]:
    """The entry of one handler, with all its names."""
    parsed = contract(rows[0])
    yield ".TP"
    yield ", ".join(rf"\fB{_text(row.name)}\fR" for row in rows)
    yield _text(f"{parsed.summary} {parsed.more}".strip())
    yield ".RS"
    for heading, text in parsed.parts.items():
        yield f".IP {heading} 11"
        yield _text(text)
    yield ".RE"


def _text(words: str) -> str:
    """Escape text for roff; code becomes bold."""
    escaped = words.replace("\\", r"\e").replace("-", r"\-").replace(r"\->", r"\(->")
    bold = re.sub(r"`([^`]*)`", r"\\fB\1\\fR", escaped)
    return rf"\&{bold}" if bold.startswith((".", "'")) else bold


if __name__ == "__main__":
    sys.stdout.write(page())
