"""GTP dialogues as data: what a controller sends, and what must come back.

A dialogue file has `> line` for a line sent and, below it, the whole response as it comes on the
wire but for the blank line at its end; `...` at the end of a response's line stands for any text,
and a line of three dots for any lines. A line sent with no response below it must not be
answered. Lines that begin with `;` are remarks.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple


class Exchange(NamedTuple):
    """One line and its response; an empty one where none may come."""

    place: int
    """The line's number in the file."""
    sent: bytes
    expected: str


def read(path: Path) -> list[Exchange]:
    r"""The exchanges of a dialogue file. `\x00` and the like stand for bytes in what is sent."""
    exchanges: list[Exchange] = []
    for place, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if line.startswith(";") or (not line and not exchanges):
            continue
        if line.startswith(">"):
            sent = line[2:].encode().decode("unicode_escape").encode("latin-1")
            exchanges.append(Exchange(place, sent, ""))
        elif line:
            last = exchanges[-1]
            joined = f"{last.expected}\n{line}" if last.expected else line
            exchanges[-1] = last._replace(expected=joined)
    return exchanges


def matches(expected: str, response: bytes) -> bool:
    """Whether a response is the one expected, framed as it must be."""
    if not expected:
        return response == b""
    if not response.endswith(b"\n\n") or b"\n\n" in response[:-1]:
        return False
    pattern = re.escape(expected).replace("\\\n\\.\\.\\.", r"(\n.+)*").replace(r"\.\.\.", r".*")
    got = "\n".join(line.rstrip() for line in response.decode("utf-8")[:-2].split("\n"))
    return re.fullmatch(pattern, got) is not None


def differences(path: Path, answer: Callable[[bytes], bytes]) -> list[str]:
    """Where a session's responses are not those of the file, one line each."""
    found = []
    for place, sent, expected in read(path):
        response = answer(sent)
        if not matches(expected, response):
            found.append(f"{path.name}:{place}: {sent!r} expected {expected!r}, got {response!r}")
    return found
