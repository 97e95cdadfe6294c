"""The manual page of all GTP commands: `python -m tests.support.gtp_page`.

It is made of the contracts in the handlers' docstrings, family by family, and of nothing else;
`config/man/godaemon-gtp.7` is what it prints. It can fail only where a contract lacks a part.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from gtp.argument_readers import stones, words
from gtp.board.commands import FREE
from gtp.command_table import Command
from gtp.every_session import ANY, LOOKS
from gtp.seat.commands import SEAT

FAMILIES = ("every_session", "play", "settings", "act", "look", "analyze")
"""The order of the page, by the names of the modules."""

SAID = {"color": "color", "vertex": "vertex", "integer": "int", "decimal": "float"}
"""What each reader reads, where a contract does not say more of it."""

HEAD = r"""
.\" Made by `python -m tests.support.gtp_page` from the commands' own descriptions: change those.
.TH GODAEMON\-GTP 7 "" godaemon "Go Text Protocol"
.SH NAME
godaemon\-gtp \- the commands that godaemon understands from Go programs
.SH DESCRIPTION
Graphical boards and other Go programs speak to
.B godaemon gtp
by the Go Text Protocol, version 2 draft 2 (numbers such as 6.3.3 are its sections).
A session is a free board, on which anything can be played and our own player answers, or a seat in
a stored game, which a program replays and plays on.
Words after those that a command wants are not read.
A command that fails is answered with a question mark and the reason, and has changed nothing.
One does at a seat: if
.B play
fails for a move of the opponent, it takes off your move that was not sent yet, and says so.
While a command looks for a move, analyses or waits, the line
.B # interrupt
ends it: a free board answers with the best that was found, a seat with
.BR "? interrupted" .
Go programs that analyse all the time find nobody to ask in a seat while its game goes on, and our
player once it is over.
LizzieYzy asks for leads and owners only if a program is called KataGo: it shows chances alone.
qGo, the older relative of q5Go, sends its rows upside down (C3 arrives as C17) and does not fit.
"""

TAIL = r"""
.SH SEE ALSO
.B godaemon gtp \-\-help
.br
https://www.lysator.liu.se/~gunnar/gtp/ (the protocol)
.br
https://github.com/lightvector/KataGo, docs/GTP_Extensions.md
"""

PARTS = {"Arguments": "none.", "Fails": "never.", "Returns": "nothing.", "Example": ""}
"""The headings of a contract in their order, and what one that is left out says."""


class Contract(NamedTuple):
    """A command's docstring taken apart."""

    summary: str
    parts: dict[str, str]
    more: str = ""
    """What stands between the summary and the parts."""


def contract(command: Command) -> Contract:
    """The contract of a command; raises `ValueError` where it has no example.

    The readers say what is left out; of a seat's command, what a free board's says stays.
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
    alike = FREE.get(command.name)
    if command == SEAT.get(command.name) and alike is not None:
        parts = contract(alike).parts | parts
    if "Example" not in parts:
        raise ValueError(f"{command.name} has no example")
    names = [getattr(read, "__name__", "") for read in command.reads]
    if "Arguments" not in parts and names and SAID.keys() >= {*names}:
        parts["Arguments"] = f"{', '.join(SAID[name] for name in names)}."
    fails = parts.get("Fails", "").rstrip(".")
    if {*command.reads} - {stones, words} and not ("syntax error" in fails or fails == "never"):
        parts["Fails"] = "; ".join(filter(None, ["`syntax error`", fails])) + "."
    return Contract(lines[0], PARTS | parts, more)


def page() -> str:
    """The manual page, in roff."""
    sections = (
        ("COMMANDS OF EVERY SESSION", ANY | LOOKS),
        ("COMMANDS OF A FREE BOARD", FREE),
        ("COMMANDS OF A SEAT IN A STORED GAME", SEAT),
    )
    lines = [HEAD.strip()]
    for title, rows in sections:
        lines += [f".SH {title}", *_families(rows.values())]
    lines.append(TAIL.strip())
    return "\n".join(lines) + "\n"


def _families(rows: Iterable[Command]) -> Iterable[str]:
    """The commands of a table, each family under the first line of its module."""
    ordered = sorted(rows, key=lambda row: FAMILIES.index(row.handle.__module__.split(".")[-1]))
    for module, family in groupby(ordered, key=lambda row: row.handle.__module__):
        heading = (sys.modules[module].__doc__ or "").strip().splitlines()[0]
        quoted = _text(heading.rstrip(".")).replace('"', r"\(dq")
        yield f'.SS "{quoted}"'
        for _, same in groupby(family, key=lambda row: row.handle):
            yield from _entry(list(same))


def _entry(rows: list[Command]) -> Iterable[str]:
    """One handler, under all the names that it has."""
    parsed = contract(rows[0])
    yield ".TP"
    yield ", ".join(rf"\fB{_text(row.name)}\fR" for row in rows)
    yield _text(f"{parsed.summary} {parsed.more}".strip())
    if any(row.local for row in rows):
        yield "Only a session that needs no daemon has it: where none runs, or with --level."
    yield ".RS"
    for heading, said in parsed.parts.items():
        yield f".IP {heading} 11"
        yield _text(said)
    yield ".RE"


def _text(words: str) -> str:
    """Words as roff has them: code in bold, and nothing that it would take for an order."""
    escaped = words.replace("\\", r"\e").replace("-", r"\-").replace(r"\->", r"\(->")
    bold = re.sub(r"`([^`]*)`", r"\\fB\1\\fR", escaped)
    return rf"\&{bold}" if bold.startswith((".", "'")) else bold


if __name__ == "__main__":
    sys.stdout.write(page())
